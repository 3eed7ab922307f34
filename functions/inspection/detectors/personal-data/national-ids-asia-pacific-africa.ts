import type { Rule, RuleExamples } from '../../matching/index.ts';
import { type NationalId, nationalIdRule, whereGrouped } from './national-id.ts';
import { isDay, passesLuhn, passesVerhoeff, weightedSum } from './number-checks.ts';

/** Values of the first letter of a Taiwanese id, A to Z. */
const TAIWAN_LETTERS = [
  10, 11, 12, 13, 14, 15, 16, 17, 34, 18, 19, 20, 21, 22, 35, 23, 24, 25, 26, 27, 28, 29, 32, 30, 31, 33,
];

const EAST_ASIA: readonly NationalId[] = [
  {
    thing: 'cn-resident-id',
    name: 'a Chinese resident identity number',
    patterns: ['\\b[1-8]\\d{5}(?:19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])\\d{3}[\\dXx]\\b'],
    isValid: (id) =>
      '10X98765432'[weightedSum(id, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === id[17],
    context: /身份证|身分證|公民身份|resident id|identity (?:card|number)|id (?:card|number)/,
    bare: 0.9,
  },
  {
    thing: 'kr-rrn',
    name: 'a Korean resident or foreigner registration number',
    patterns: ['\\b\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])-?[1-8]\\d{6}\\b'],
    // Those issued since 2020 have no check digit.
    isValid: (id) => isDay(id.slice(2, 4), id.slice(4, 6)),
    context: /주민|외국인|등록번호|\brrn\b|\bfrn\b|resident registration|\bssn\b|사회보장/,
    bare: whereGrouped(0.7),
  },
  {
    thing: 'jp-my-number',
    name: 'a Japanese My Number',
    patterns: ['\\b\\d{4}[ -]?\\d{4}[ -]?\\d{4}\\b'],
    isValid: (id) => {
      const rest = weightedSum(id, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
      return (rest <= 1 ? 0 : 11 - rest) === Number(id[11]);
    },
    context: /マイナンバー|個人番号|my ?number|individual number/,
  },
  {
    thing: 'tw-national-id',
    name: 'a Taiwanese national id',
    patterns: ['\\b[A-Z][1289]\\d{8}\\b'],
    isValid: (id) => {
      const letter = TAIWAN_LETTERS[id.charCodeAt(0) - 65] as number;
      const sum = Math.floor(letter / 10) + (letter % 10) * 9 + weightedSum(id.slice(1), [8, 7, 6, 5, 4, 3, 2, 1, 1]);
      return sum % 10 === 0;
    },
    context: /身分證|身份證|national id|id (?:card|number)/,
  },
  {
    thing: 'hk-id',
    name: 'a Hong Kong identity card number',
    patterns: ['\\b[A-Z]{1,2}\\d{6}\\([0-9A]\\)'],
    isValid: (id) => {
      const values = [...id.padStart(9, ' ')].map((char) => (char === ' ' ? 36 : Number.parseInt(char, 36)));
      return values.reduce((sum, value, at) => sum + value * (9 - at), 0) % 11 === 0;
    },
    context: /\bhkid\b|身份證|identity card/,
    bare: 0.8,
  },
];

const SOUTH_ASIA: readonly NationalId[] = [
  {
    thing: 'in-aadhaar',
    name: 'an Indian Aadhaar number',
    patterns: ['\\b[2-9]\\d{3}[ -]?\\d{4}[ -]?\\d{4}\\b'],
    isValid: passesVerhoeff,
    context: /aadhaa?r|आधार|\buid(?:ai)?\b/,
    bare: (written) => (/^\d{4}([ -])\d{4}\1\d{4}$/.test(written) ? 0.6 : undefined),
  },
  {
    thing: 'in-pan',
    name: 'an Indian PAN',
    patterns: ['\\b[A-Z]{3}[ABCFGHLJPT][A-Z]\\d{4}[A-Z]\\b'],
    isValid: () => true,
    context: /\bpan\b|permanent account/,
    bare: 0.6,
  },
  {
    thing: 'sg-nric',
    name: 'a Singaporean NRIC or FIN',
    patterns: ['\\b[STFGM]\\d{7}[A-Z]\\b'],
    ignoreCase: true,
    isValid: isSingaporean,
    context: /\bnric\b|\bfin\b|identity card/,
    bare: (written) => (/^[A-Z]\d{7}[A-Z]$/.test(written) ? 0.75 : undefined),
  },
  {
    thing: 'my-nric',
    name: 'a Malaysian identity card number',
    patterns: ['\\b\\d{6}-\\d{2}-\\d{4}\\b'],
    isValid: (id) => isDay(id.slice(2, 4), id.slice(4, 6)) && !/^.{6}(?:00|17|18|19|20|69|7[03]|8[01]|9[4-7])/.test(id),
    context: /mykad|\bnric\b|kad pengenalan|\bic\b/,
    bare: 0.7,
  },
  {
    thing: 'th-national-id',
    name: 'a Thai national id',
    patterns: ['\\b[1-8]-?\\d{4}-?\\d{5}-?\\d{2}-?\\d\\b'],
    isValid: (id) => (11 - (weightedSum(id, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === Number(id[12]),
    context: /\btnin\b|บัตรประชาชน|เลขประจำตัว|thai (?:national )?id/,
    bare: (written) => (/^\d-\d{4}-\d{5}-\d\d-\d$/.test(written) ? 0.85 : undefined),
  },
];

const ELSEWHERE: readonly NationalId[] = [
  {
    thing: 'au-tfn',
    name: 'an Australian tax file number',
    patterns: ['\\b\\d{3} ?\\d{3} ?\\d{3}\\b'],
    isValid: (id) => weightedSum(id, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
    context: /\btfn\b|tax file/,
  },
  {
    thing: 'au-medicare',
    name: 'an Australian Medicare number',
    patterns: ['\\b[2-6]\\d{3} ?\\d{5} ?\\d(?:[ /-]?\\d)?\\b'],
    isValid: (id) => weightedSum(id, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(id[8]),
    context: /medicare/,
  },
  {
    thing: 'za-id',
    name: 'a South African identity number',
    patterns: ['\\b\\d{6} ?\\d{4} ?[012]\\d{2}\\b'],
    isValid: (id) => isDay(id.slice(2, 4), id.slice(4, 6)) && passesLuhn(id),
    context: /\brsa\b|south africa|\bid (?:number|no|doc)|identity (?:number|no)|resident/,
    bare: whereGrouped(0.7),
  },
  {
    thing: 'il-id',
    name: 'an Israeli identity number',
    patterns: ['\\b\\d{8}-?\\d\\b'],
    isValid: (id) =>
      [...id].reduce((sum, char, at) => {
        const product = Number(char) * (at % 2 === 0 ? 1 : 2);
        return sum + (product > 9 ? product - 9 : product);
      }, 0) %
        10 ===
      0,
    context: /תעודת זהות|ת\.?ז\.?|teudat zehut|israeli id/,
  },
];

function isSingaporean(id: string): boolean {
  const sum = weightedSum(id.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]);
  switch (id[0]) {
    case 'S':
      return 'JZIHGFEDCBA'[sum % 11] === id[8];
    case 'T':
      return 'JZIHGFEDCBA'[(sum + 4) % 11] === id[8];
    case 'F':
      return 'XWUTRQPNMLK'[sum % 11] === id[8];
    case 'G':
      return 'XWUTRQPNMLK'[(sum + 4) % 11] === id[8];
    default:
      return 'XWUTRQPNJLK'[10 - ((sum + 3) % 11)] === id[8];
  }
}

export const OTHER_ID_RULES: readonly Rule[] = [...EAST_ASIA, ...SOUTH_ASIA, ...ELSEWHERE].map(nationalIdRule);

/** Example numbers of the issuers' own manuals and of encyclopedias: valid in form, never assigned. */
export const OTHER_ID_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
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
