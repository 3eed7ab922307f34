import { fill, seeded } from '../../functions/inspection/detectors/secrets/example-tokens.ts';
import { withCheckDigits } from './check-digits.ts';

/** Kinds of personal data, each in usual forms; names in brackets are replaced by numbers with check digits. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  card: ['Card [visa], exp 12/27', 'charge [amex] please', 'card number: [mastercard]', 'pay with [visa-grouped]'],
  iban: ['IBAN [iban-de]', 'send it to [iban-gb]', 'Konto: [iban-nl-grouped]'],
  email: ['Write to {l6}.{l8}@acme-{l4}.com', '{l5}{d2}@mail.{l6}.co.uk is mine', 'e-mail: {l9}+news@{l7}.de'],
  phone: [
    'Call me on +49 30 {d6}',
    'my number is (415) 5{d2}-{d4}',
    'phone: 212-6{d2}-{d4}',
    'Tel.: 020 7946 0{d3}',
    'mobile 0791{d1} {d6}',
    'WhatsApp +55 11 9{d4}-{d4}',
    'ring +33 6 12 {d2} {d2} {d2}',
  ],
  ip: ['login from 8[1-9].1{d1}2.3{d1}.2{d1} failed', 'client 2a02:8108:{h4}:{h4}:{h4}:{h4}:{h4}:{h4}'],
  'ipv6, short forms': [
    ...[
      'client [2a00:1{d3}:{h4}:{h3}::{h4}]:4{d4} closed',
      'AAAA 2a01:{h4}:{h3}::{h2}',
      '::ffff:8[1-9].1{d1}2.3{d1}.2{d1}',
    ],
    ...[
      'inet6 2a02:{h4}:{h4}:{h4}::1/64 scope global',
      'peer=2003:{h2}:{h4}:{h4}:{h4}:{h4}:{h4}:{h4}%eth0',
      'route 24{h2}::{h4}',
    ],
  ],
  'date of birth': [
    ...['DOB: [month]/1[0-9]/19[6-9][0-9]', 'born on 1[0-9] March 19[6-9][0-9]: date of birth 1[0-9] March 198[0-9]'],
    ...['"dateOfBirth": "19[6-9][0-9]-[month]-1[0-9]T00:00:00Z"', 'birth_date=19[6-9][0-9][month]1[0-9]'],
    ...['Date of birth (DD/MM/YYYY): 1[0-9]/[month]/19[6-9][0-9]', 'My birthday is June 1[0-9], 200[0-5]'],
    ...[
      'Geburtsdatum: 1[0-9].[month].19[6-9][0-9]',
      'geboren am 1[0-9].[month].19[6-9][0-9]',
      'Geburtsdatum 1[0-9]. März 198[0-9]',
    ],
    ...['Date de naissance : 1[0-9] février 198[0-9]', 'née le 1[0-9]/[month]/19[6-9][0-9]'],
    ...['Fecha de nacimiento: 1[0-9] de marzo de 198[0-9]', 'Data di nascita: 1[0-9]/[month]/19[6-9][0-9]'],
    ...['Data de nascimento: 1[0-9] de maio de 198[0-9]', 'Geboortedatum: 1[0-9]-[month]-19[6-9][0-9]'],
    ...[
      'Födelsedatum: 19[6-9][0-9]-[month]-1[0-9]',
      'Fødselsdato: 1[0-9].[month].19[6-9][0-9]',
      'Syntymäaika: 1[0-9].[month].198[0-9]',
    ],
    ...[
      'Data urodzenia: 1[0-9] marca 198[0-9]',
      'Datum narození: 1[0-9]. [month]. 198[0-9]',
      'Dátum narodenia: 1[0-9].[month].198[0-9]',
    ],
    ...[
      'Születési idő: 198[0-9]. [month]. 1[0-9].',
      'Data nașterii: 1[0-9].[month].198[0-9]',
      'Datum rođenja: 1[0-9].[month].198[0-9].',
    ],
    ...[
      'Datum rojstva: 1[0-9]. [month]. 198[0-9]',
      'Doğum tarihi: 1[0-9] Mart 198[0-9]',
      'Gimimo data: 198[0-9]-[month]-1[0-9]',
    ],
    ...[
      'Dzimšanas datums: 1[0-9].[month].198[0-9]',
      'Sünniaeg: 1[0-9].[month].198[0-9]',
      'Fæðingardagur: 1[0-9].[month].198[0-9]',
    ],
    ...[
      'Дата рождения: 1[0-9] марта 198[0-9]',
      'дата народження 1[0-9].[month].198[0-9]',
      'Дата на раждане: 1[0-9].[month].198[0-9]',
    ],
    ...[
      'Ημερομηνία γέννησης: 1[0-9]/[month]/198[0-9]',
      'Tanggal lahir: 1[0-9] Maret 198[0-9]',
      'Ngày sinh: 1[0-9]/[month]/198[0-9]',
    ],
    ...[
      'تاريخ الميلاد: 1[0-9]/[month]/198[0-9]',
      'תאריך לידה: 1[0-9].[month].198[0-9]',
      'जन्म तिथि: 1[0-9]-[month]-198[0-9]',
    ],
    ...[
      '生年月日：198[0-9]年[month]月1[0-9]日',
      '出生日期 198[0-9]-[month]-1[0-9]',
      '생년월일: 198[0-9]년 [month]월 1[0-9]일',
      'วันเกิด 1[0-9]/[month]/198[0-9]',
    ],
  ],
  'national id': [
    ...['SSN 5[1-9][1-9]-[1-9][1-9]-[1-9]{d3}', 'ITIN 9{d2}-70-{d4}', 'NINO AB {d2} {d2} {d2} C', 'NHS number [nhs]'],
    ...[
      'Steuer-ID: [de-tax]',
      'n° de sécurité sociale [nir]',
      'DNI [dni]',
      'mi NIE es [nie]',
      'BSN [bsn]',
      'PESEL [pesel]',
    ],
    ...[
      'personnummer [personnummer]',
      'CPF [cpf]',
      'Aadhaar [aadhaar]',
      'PAN ABCP{u0}[letter]{d4}[letter]',
      '身份证号 [cn-id]',
    ],
    ...[
      '주민등록번호 90[month]1[0-9]-1{d6}',
      'NRIC [nric]',
      'AHV [ahv]',
      'T.C. kimlik no [tckn]',
      'SIN [sin]',
      'TFN [tfn]',
    ],
    ...[
      'passport number [letter]{d8}',
      'date of birth: 19[6-9][0-9]-[month]-1[0-9]',
      'CPR nr. 1[0-9][month]7{d1}-{d4}',
    ],
    ...['rijksregisternummer [be]', 'ID number [za]', 'CURP HEGG560427MVZRRL04', 'Medicare 1EG4-TE5-MK73'],
  ],
};
const LOOK_ALIKES = [
  ...[
    'order number {d10}',
    'Invoice INV-2024-{d6}',
    'tracking 1Z{u16}',
    'part no. {d3}-{d2}-{d4}',
    'ticket #{d8}',
    'SKU {d8}{u2}',
  ],
  ...['version 10.1{d1}.2{d1}.{d3}', 'build 2024.1{d1}.0{d1}.{d4}', 'at 17{d8}', 'ts=17{d11}', '"time": 17{d8}.{d3}'],
  ...['0.{d16}', 'pi is 3.14{d14}', 'at 52.{d6}, 13.{d6}', 'lat -33.{d7} lon 151.{d7}', 'ratio 1.{d15}'],
  ...[
    'ISBN 978-3-16-{d6}-{d1}',
    'ISBN 978{d10}',
    'ISSN 2{d3}-{d4}',
    'doi:10.1{d3}/{l8}.{d6}',
    'RFC {d4} section {d1}.{d1}',
  ],
  ...['commit {h40}', 'uuid {h8}-{h4}-{h4}-{h4}-{h12}', 'sha256 {h64}', 'md5 {h32}', '0x{h16}', 'color #{h6}'],
  ...[
    'due 2024-0[1-9]-1{d1}',
    'from 1{d1}/0[1-9]/2023 to 2{d1}/0[1-9]/2023',
    'at 12:3{d1}:4{d1}.{d6}',
    '2024-05-1{d1}T12:00:00.{d3}Z',
  ],
  ...[
    'server 192.168.{d1}.1{d1}',
    'host 10.0.{d2}.{d1}',
    'mask 255.255.255.0',
    'mac 00:1a:2b:{h2}:{h2}:{h2}',
    'see §1{d1}.2.3.4',
  ],
  ...[
    'sold {d3},{d3},{d3} units',
    'EUR {d3}.{d3},{d2}',
    '{d4} + {d4} = {d5}',
    'score 1{d1}-2{d1}',
    'lines {d3}-{d4}',
    'room {d3}',
  ],
  ...[
    'id {d9}',
    'account has {d6} points',
    'the number {d11} appears',
    '{d9} rows',
    'bytes {d10} of {d10}',
    'offset {d12}',
  ],
  ...[
    'user@example.com',
    'npm i @acme/{l6}@1.{d1}.{d2}',
    'logo@2x.png',
    'git@github.com:acme/{l8}.git',
    '@{l8} wrote {d2} posts',
  ],
  ...[
    ...[
      'wlan0 {h2}:{h2}:{h2}:{h2}:{h2}:{h2}',
      'WWN 50:06:01:60:{h2}:{h2}:{h2}:{h2}',
      'fingerprint MD5:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}',
    ],
    ...[
      'listen ::1:80{d2}',
      'see 2001:db8:{h4}::{h4}',
      '2001:0db8:85a3:{h4}:{h4}:8a2e:{h4}:{h4}',
      'inet6 fe80::{h4}:{h4}:{h4}:{h4}/64',
      'route fd00:{h4}::{h2}',
    ],
    ...[
      'std::array<int, {d2}>',
      'use crate::face::cafe{d1}::Bad;',
      'abc::dead::beef{d1}',
      'Acme::Cache::add({d3})',
      'at 1{d1}:3{d1}:5{d1}:{d3}',
    ],
    ...[
      'time 00:0[1-9]:1{d1}.{d3} --> 00:0[1-9]:2{d1}.{d3}',
      'pci 0000:0{h1}:1{h1}.0',
      'trace {h4}-{h4}-{h4}-{h4}',
      'ratio 16:9:{d3}',
      'urn:oid:1.3.6.1.4.1.{d5}',
    ],
    ...[
      'Contract of 1[0-9]/0[1-9]/2019',
      'The company was born on 1[0-9]/0[1-9]/2005.',
      'founded 1[0-9] March 198[0-9]',
      'Rechnungsdatum: 1[0-9].0[1-9].2023',
    ],
    ...[
      'Date of issue: 1[0-9]/0[1-9]/2021',
      'date of birth must be before 2006-0[1-9]-1{d1}',
      'DOB format: DD/MM/YYYY ({d2} characters)',
      'signed on 1[0-9] May 202[0-4]',
    ],
    ...[
      'Beethoven was born on 1[0-9] December 1770',
      'Lieferdatum 1[0-9].0[1-9].2024',
      'expires 0[1-9]/2{d1}',
      'Дата договора: 1[0-9].0[1-9].2023',
      '発売日：2024年0[1-9]月1[0-9]日',
    ],
    ...[
      'tracking JD0{d14}',
      'parcel RR{d9}DE',
      'EAN 40{d11}',
      'gift voucher {d4}-{d4}-{d4}-{d4}-{d2}',
      'IMEI range 3{d5}-{d5}',
      'coordinates 48.{d6}N 11.{d6}E',
    ],
    'model RTX-{d4} {d2}GB',
    'flight LH{d4} gate B{d2}',
    'chapter {d1}.{d1}.{d1}.{d1}',
    'port {d5}',
    'pid {d6} tid {d6}',
  ],
];

/** Texts with one piece of personal data each, by kind. */
export function syntheticPersonalData(each: number): Map<string, string[]> {
  const random = seeded(19_990_101);
  const made = Object.entries(FORMS).map(([kind, forms]): [string, string[]] => [
    kind,
    forms.flatMap((form) => Array.from({ length: each }, () => make(form, random))),
  ]);
  return new Map(made);
}

/** Numbers and words that are no personal data, written like some. */
export function personalDataLookAlikes(each: number): string[] {
  const random = seeded(31);
  return LOOK_ALIKES.flatMap((form) => Array.from({ length: each }, () => make(form, random)));
}

function make(form: string, random: () => number): string {
  const drawn = form.replace(/\[(\d)-(\d)\]/g, (_, from: string, to: string) =>
    String(Number(from) + Math.floor(random() * (Number(to) - Number(from) + 1))),
  );
  return fill(withCheckDigits(drawn, random), random);
}
