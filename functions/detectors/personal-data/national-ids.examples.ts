import type { RuleExamples } from '../../core/inspect/rule.ts';

/** Numbers that the issuers' own manuals and encyclopedias use as examples: right in form, nobody's. */
export const NATIONAL_ID_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'personal-data/us-ssn': {
    positives: ['SSN: 536-22-8726', 'my number is 212-45-6789', 'social security 212456789'],
    negatives: [
      { text: '000-12-3456', reason: 'never issued' },
      { text: 'part no. 1536-22-87261', reason: 'longer numbers' },
      { text: '212456789', reason: 'bare digits' },
    ],
  },
  'personal-data/us-itin': {
    positives: ['ITIN 911-70-1234'],
    negatives: [
      { text: '911-10-1234', reason: 'no group of them' },
      { text: '911701234', reason: 'bare digits' },
    ],
  },
  'personal-data/us-medicare': {
    positives: ['1EG4-TE5-MK73', 'Medicare: 1EG4TE5MK73'],
    negatives: [
      { text: '1EG4TE5MK73', reason: 'bare' },
      { text: '1SG4-TE5-MK73', reason: 'S is never used' },
    ],
  },
  'personal-data/ca-sin': {
    positives: ['SIN 130 692 544'],
    negatives: [
      { text: 'SIN 130 692 545', reason: 'fails the check digit' },
      { text: '130 692 544', reason: 'bare digits' },
    ],
  },
  'personal-data/mx-curp': {
    positives: ['HEGG560427MVZRRL04'],
    negatives: [{ text: 'HEGG560427MVZRRL05', reason: 'fails the check digit' }],
  },
  'personal-data/br-cpf': {
    positives: ['529.982.247-25', 'CPF 52998224725'],
    negatives: [
      { text: '529.982.247-26', reason: 'fails the check digits' },
      { text: '52998224725', reason: 'bare digits' },
    ],
  },
  'personal-data/br-cnpj': {
    positives: ['11.222.333/0001-81'],
    negatives: [{ text: '11.222.333/0001-82', reason: 'fails the check digits' }],
  },
  'personal-data/cl-rut': {
    positives: ['12.345.678-5'],
    negatives: [{ text: '12.345.678-6', reason: 'fails the check digit' }],
  },
  'personal-data/uk-nino': {
    positives: ['AB 12 34 56 C', 'nino: pr123612c'],
    negatives: [
      { text: 'GB 12 34 56 C', reason: 'never issued' },
      { text: 'part ab123456c', reason: 'small letters, a part' },
    ],
  },
  'personal-data/uk-nhs': {
    positives: ['NHS number 943 476 5919'],
    negatives: [
      { text: 'NHS number 943 476 5918', reason: 'fails the check digit' },
      { text: 'ref 943 476 5919', reason: 'a reference' },
    ],
  },
  'personal-data/de-tax-id': {
    positives: ['Steuer-ID 86095742719', '86 095 742 719'],
    negatives: [
      { text: 'Steuer-ID 86095742718', reason: 'fails the check digit' },
      { text: '86095742719', reason: 'bare digits' },
    ],
  },
  'personal-data/de-social-security': {
    positives: ['15070649C103'],
    negatives: [{ text: '15070649C104', reason: 'fails the check digit' }],
  },
  'personal-data/ch-ahv': {
    positives: ['756.9217.0769.85'],
    negatives: [{ text: '756.9217.0769.84', reason: 'fails the check digit' }],
  },
  'personal-data/fr-nir': {
    positives: ['1 84 12 76 451 089 46'],
    negatives: [{ text: '1 84 12 76 451 089 47', reason: 'fails the check digits' }],
  },
  'personal-data/es-dni': {
    positives: ['DNI 12345678Z', '12345678-Z'],
    negatives: [
      { text: '12345678A', reason: 'another letter' },
      { text: '12345678z', reason: 'a small letter, no word before' },
    ],
  },
  'personal-data/es-nie': {
    positives: ['X1234567L'],
    negatives: [{ text: 'X1234567M', reason: 'another letter' }],
  },
  'personal-data/it-codice-fiscale': {
    positives: ['RSSMRA85T10A562S'],
    negatives: [{ text: 'RSSMRA85T10A562T', reason: 'another letter' }],
  },
  'personal-data/pt-nif': {
    positives: ['NIF 123456789'],
    negatives: [
      { text: 'NIF 123456788', reason: 'fails the check digit' },
      { text: '123456789', reason: 'bare digits' },
    ],
  },
  'personal-data/ro-cnp': {
    positives: ['CNP 1800101221144'],
    negatives: [{ text: 'CNP 1800101221145', reason: 'fails the check digit' }],
  },
  'personal-data/nl-bsn': {
    positives: ['BSN 111222333'],
    negatives: [
      { text: 'BSN 111222334', reason: 'fails the check' },
      { text: '111222333', reason: 'bare digits' },
    ],
  },
  'personal-data/be-national-number': {
    positives: ['85.07.30-033.28'],
    negatives: [{ text: '85.07.30-033.29', reason: 'fails the check' }],
  },
  'personal-data/ie-pps': {
    positives: ['PPS number 1234567T'],
    negatives: [{ text: 'PPS number 1234567A', reason: 'another letter' }],
  },
  'personal-data/pl-pesel': {
    positives: ['PESEL 44051401359'],
    negatives: [
      { text: 'PESEL 44051401350', reason: 'fails the check digit' },
      { text: '44051401359', reason: 'bare digits' },
    ],
  },
  'personal-data/se-personnummer': {
    positives: ['811228-9874', 'personnummer 8112289874'],
    negatives: [
      { text: '811228-9875', reason: 'fails the check digit' },
      { text: '8112289874', reason: 'bare digits' },
    ],
  },
  'personal-data/fi-hetu': {
    positives: ['131052-308T'],
    negatives: [{ text: '131052-308U', reason: 'another check letter' }],
  },
  'personal-data/no-fodselsnummer': {
    positives: ['fødselsnummer 01010750160'],
    negatives: [{ text: 'fødselsnummer 01010750161', reason: 'fails the check digits' }],
  },
  'personal-data/dk-cpr': {
    positives: ['CPR 211062-5629'],
    negatives: [
      { text: '211062-5629', reason: 'no word before it' },
      { text: 'CPR 311362-5629', reason: 'no such day' },
    ],
  },
  'personal-data/cz-rodne-cislo': {
    positives: ['736028/5163'],
    negatives: [{ text: '736028/5164', reason: 'fails the check' }],
  },
  'personal-data/tr-tckn': {
    positives: ['T.C. kimlik no 10000000146'],
    negatives: [
      { text: 'T.C. kimlik no 10000000147', reason: 'fails the check digit' },
      { text: '10000000146', reason: 'bare digits' },
    ],
  },
  'personal-data/cn-resident-id': {
    positives: ['11010519491231002X'],
    negatives: [{ text: '110105194912310021', reason: 'fails the check digit' }],
  },
  'personal-data/kr-rrn': {
    positives: ['960121-1234567'],
    negatives: [
      { text: '961321-1234567', reason: 'no such month' },
      { text: '9601211234567', reason: 'bare digits' },
    ],
  },
  'personal-data/jp-my-number': {
    positives: ['マイナンバー 123456789018'],
    negatives: [{ text: 'マイナンバー 123456789017', reason: 'fails the check digit' }],
  },
  'personal-data/tw-national-id': {
    positives: ['身分證 A123456789'],
    negatives: [{ text: '身分證 A123456788', reason: 'fails the check digit' }],
  },
  'personal-data/hk-id': {
    positives: ['A123456(3)'],
    negatives: [{ text: 'A123456(4)', reason: 'fails the check digit' }],
  },
  'personal-data/in-aadhaar': {
    positives: ['2341 2341 2346', 'Aadhaar 234123412346'],
    negatives: [
      { text: '2341 2341 2347', reason: 'fails the check digit' },
      { text: '234123412346', reason: 'bare digits' },
    ],
  },
  'personal-data/in-pan': {
    positives: ['PAN ABCPD1234Z'],
    negatives: [
      { text: 'ABCXD1234Z', reason: 'no kind of holder' },
      { text: 'order ABCPD1234Z', reason: 'an order' },
    ],
  },
  'personal-data/sg-nric': {
    positives: ['S1234567D'],
    negatives: [{ text: 'S1234567E', reason: 'another letter' }],
  },
  'personal-data/my-nric': {
    positives: ['880101-14-5566'],
    negatives: [{ text: '881301-14-5566', reason: 'no such month' }],
  },
  'personal-data/th-national-id': {
    positives: ['1-2345-67890-12-1'],
    negatives: [{ text: '1-2345-67890-12-2', reason: 'fails the check digit' }],
  },
  'personal-data/au-tfn': {
    positives: ['TFN 876 543 210'],
    negatives: [
      { text: 'TFN 876 543 211', reason: 'fails the check' },
      { text: '876 543 210', reason: 'no word before it' },
    ],
  },
  'personal-data/au-medicare': {
    positives: ['Medicare 2123 45670 1'],
    negatives: [{ text: 'Medicare 2123 45671 1', reason: 'fails the check digit' }],
  },
  'personal-data/za-id': {
    positives: ['ID number 8001015009087'],
    negatives: [
      { text: 'ID number 8001015009088', reason: 'fails the check digit' },
      { text: '8001015009087', reason: 'bare digits' },
    ],
  },
  'personal-data/il-id': {
    positives: ['תעודת זהות 123456782'],
    negatives: [{ text: 'תעודת זהות 123456781', reason: 'fails the check digit' }],
  },
};
