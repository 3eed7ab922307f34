import type { Rule, RuleExamples } from '../../matching/index.ts';
import { type NationalId, nationalIdRule, whereGrouped } from './national-id.ts';
import { isDay, passesLuhn, weightedSum } from './number-checks.ts';

const MBI_LETTER = '[AC-HJKMNP-RT-Y]';
const MBI_EITHER = '[AC-HJKMNP-RT-Y0-9]';
const CURP_CHARACTERS = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';

const AMERICAN_IDS: readonly NationalId[] = [
  {
    thing: 'us-ssn',
    name: 'a US social security number',
    patterns: ['\\b\\d{3}[-. ]\\d{2}[-. ]\\d{4}\\b', '\\b\\d{9}\\b'],
    // Never issued: area 000, 666 and 900 up, group 00, serial 0000; and two numbers from advertisements.
    isValid: (id) => !/^(?:000|666|9)|^...00|0000$|^078051120$|^219099999$/.test(id),
    context: /\bssn\b|social security|\bss ?#/,
    bare: (written) => (/^\d{3}-\d\d-\d{4}$/.test(written) ? 0.75 : undefined),
    documented: /\b(?:078[-. ]?05[-. ]?1120|219[-. ]?09[-. ]?9999)\b/g,
  },
  {
    thing: 'us-itin',
    name: 'a US taxpayer identification number (ITIN)',
    patterns: ['\\b9\\d{2}[- ]?(?:5\\d|6[0-5]|7\\d|8[0-8]|9[0-24-9])[- ]?\\d{4}\\b'],
    isValid: () => true,
    context: /\bitin\b|taxpayer|tax id/,
    bare: (written) => (/^\d{3}-\d\d-\d{4}$/.test(written) ? 0.75 : undefined),
  },
  {
    thing: 'us-medicare',
    name: 'a US Medicare number (MBI)',
    patterns: [`\\b[1-9]${MBI_LETTER}${MBI_EITHER}\\d-?${MBI_LETTER}${MBI_EITHER}\\d-?${MBI_LETTER}{2}\\d{2}\\b`],
    isValid: () => true,
    context: /\bmbi\b|medicare|beneficiary/,
    bare: whereGrouped(0.7),
  },
  {
    thing: 'ca-sin',
    name: 'a Canadian social insurance number',
    patterns: ['\\b\\d{3}[- ]?\\d{3}[- ]?\\d{3}\\b'],
    isValid: (id) => !/^[08]/.test(id) && passesLuhn(id),
    context: /\bsin\b|social insurance|assurance sociale|\bnas\b/,
  },
  {
    thing: 'mx-curp',
    name: 'a Mexican CURP',
    patterns: ['\\b[A-Z][AEIOUX][A-Z]{2}\\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z0-9]\\d\\b'],
    isValid: (id) => {
      const sum = [...id.slice(0, 17)].reduce(
        (total, char, at) => total + CURP_CHARACTERS.indexOf(char) * (18 - at),
        0,
      );
      return isDay(id.slice(6, 8), id.slice(8, 10)) && (10 - (sum % 10)) % 10 === Number(id[17]);
    },
    context: /curp/,
    bare: 0.9,
  },
  {
    thing: 'br-cpf',
    name: 'a Brazilian CPF',
    patterns: ['\\b\\d{3}\\.?\\d{3}\\.?\\d{3}-?\\d{2}\\b'],
    isValid: (id) =>
      !/^(.)\1+$/.test(id) &&
      brazilianDigit(id, [10, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(id[9]) &&
      brazilianDigit(id, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(id[10]),
    context: /\bcpf\b/,
    bare: (written) => (/^\d{3}\.\d{3}\.\d{3}-\d\d$/.test(written) ? 0.85 : undefined),
  },
  {
    thing: 'br-cnpj',
    name: 'a Brazilian CNPJ',
    patterns: ['\\b\\d{2}\\.?\\d{3}\\.?\\d{3}/?\\d{4}-?\\d{2}\\b'],
    isValid: (id) =>
      !/^(.)\1+$/.test(id) &&
      brazilianDigit(id, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(id[12]) &&
      brazilianDigit(id, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(id[13]),
    context: /\bcnpj\b/,
    bare: (written) => (/\//.test(written) ? 0.8 : undefined),
  },
  {
    thing: 'cl-rut',
    name: 'a Chilean RUT',
    patterns: ['\\b\\d{1,2}\\.\\d{3}\\.\\d{3}-[\\dkK]\\b', '\\b\\d{7,8}-[\\dkK]\\b'],
    isValid: (id) => {
      const digits = id.slice(0, -1).padStart(8, '0');
      return '0123456789K0'[11 - (weightedSum(digits, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)] === id.at(-1);
    },
    context: /\brut\b|\brun\b/,
    bare: (written) => (written.includes('.') ? 0.8 : undefined),
  },
];

function brazilianDigit(digits: string, weights: readonly number[]): number {
  const rest = weightedSum(digits, weights) % 11;
  return rest < 2 ? 0 : 11 - rest;
}

export const AMERICAN_ID_RULES: readonly Rule[] = AMERICAN_IDS.map(nationalIdRule);

/** Example numbers of the issuers' own manuals and of encyclopedias: valid in form, never assigned. */
export const AMERICAN_ID_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
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
};
