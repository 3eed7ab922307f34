import { fill, seeded } from '../../functions/detectors/secrets/example-tokens.ts';
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
