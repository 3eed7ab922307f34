import type { Rule, RuleExamples } from '../../matching/index.ts';
import { type NationalId, nationalIdRule, whereGrouped } from './national-id.ts';
import { isDay, mod1110, passesLuhn, weightedSum } from './number-checks.ts';

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const HETU_LETTERS = '0123456789ABCDEFHJKLMNPRSTUVWXY';
/** Values of a codice fiscale's characters at odd places, for 0 to 9 and A to Z alike from the start. */
const FISCAL_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

const UNITED_KINGDOM: readonly NationalId[] = [
  {
    thing: 'uk-nino',
    name: 'a UK national insurance number',
    patterns: ['\\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D]\\b'],
    ignoreCase: true,
    isValid: (id) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(id),
    context: /national insurance|\bnino?\b|\bni (?:number|no)/,
    bare: (written) => (/^[A-Z]{2} ?\d\d ?\d\d ?\d\d ?[A-D]$/.test(written) ? 0.7 : undefined),
  },
  {
    thing: 'uk-nhs',
    name: 'a UK NHS number',
    patterns: ['\\b\\d{3}[ -]?\\d{3}[ -]?\\d{4}\\b'],
    isValid: (id) => (11 - (weightedSum(id, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(id[9]),
    context: /\bnhs\b|health service/,
  },
];

const GERMAN: readonly NationalId[] = [
  {
    thing: 'de-tax-id',
    name: 'a German tax id',
    patterns: ['\\b[1-9]\\d(?: ?\\d{3}){3}\\b'],
    isValid: (id) => mod1110(id.slice(0, 10)) === Number(id[10]),
    context: /steuer|\bidnr|\btin\b|tax (?:id|number)/,
    bare: whereGrouped(0.6),
  },
  {
    thing: 'de-social-security',
    name: 'a German pension insurance number',
    patterns: ['\\b\\d{2} ?\\d{6} ?[A-Z] ?\\d{3}\\b'],
    isValid: isGermanPensionNumber,
    context: /rentenvers|sozialvers|\bsvnr|\brvnr|social security/,
    bare: 0.75,
  },
  {
    thing: 'ch-ahv',
    name: 'a Swiss social security number (AHV)',
    patterns: ['\\b756[. ]?\\d{4}[. ]?\\d{4}[. ]?\\d{2}\\b'],
    isValid: (id) => (10 - (weightedSum(id, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === Number(id[12]),
    context: /\bahv|\bavs\b|sozialvers|social security/,
    bare: whereGrouped(0.85),
  },
];

const ROMANCE: readonly NationalId[] = [
  {
    thing: 'fr-nir',
    name: 'a French social security number (NIR)',
    patterns: ['\\b[12] ?\\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\\d) ?(?:\\d{2}|2[AB]) ?\\d{3} ?\\d{3} ?\\d{2}\\b'],
    isValid: (id) =>
      97 - Number(BigInt(id.slice(0, 13).replace('2A', '19').replace('2B', '18')) % 97n) === Number(id.slice(13)),
    context: /s[ée]curit[ée] sociale|\bnir\b|\binsee\b|social security/,
    bare: 0.8,
  },
  {
    thing: 'es-dni',
    name: 'a Spanish DNI',
    patterns: ['\\b\\d{7,8}[ -]?[A-HJ-NP-TV-Z]\\b', '\\b\\d{1,2}\\.\\d{3}\\.\\d{3}[ -]?[A-HJ-NP-TV-Z]\\b'],
    ignoreCase: true,
    isValid: (id) => DNI_LETTERS[Number(id.slice(0, -1)) % 23] === id.at(-1),
    context: /\bdni\b|\bnif\b|identidad|identificaci/,
    bare: (written) => (/^[\d.]{8,10}-?[A-Z]$/.test(written) ? 0.6 : undefined),
  },
  {
    thing: 'es-nie',
    name: 'a Spanish NIE',
    patterns: ['\\b[XYZ][ -]?\\d{7}[ -]?[A-HJ-NP-TV-Z]\\b'],
    ignoreCase: true,
    isValid: (id) => DNI_LETTERS[Number('XYZ'.indexOf(id.charAt(0)) + id.slice(1, -1)) % 23] === id.at(-1),
    context: /\bnie\b|extranjer|identificaci/,
    bare: 0.75,
  },
  {
    thing: 'it-codice-fiscale',
    name: 'an Italian codice fiscale',
    patterns: ['\\b[A-Z]{6} ?[0-9L-V]{2}[ABCDEHLMPRST][0-9L-V]{2} ?[A-Z][0-9L-V]{3}[A-Z]\\b'],
    ignoreCase: true,
    isValid: isFiscalCode,
    context: /codice fiscale|\bc\.? ?f\.?\b|tax code/,
    bare: 0.85,
  },
  {
    thing: 'pt-nif',
    name: 'a Portuguese NIF',
    patterns: ['\\b[1-9]\\d{2} ?\\d{3} ?\\d{3}\\b'],
    isValid: (id) => {
      const rest = weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
      return (rest < 2 ? 0 : 11 - rest) === Number(id[8]);
    },
    context: /\bnif\b|contribuinte/,
  },
  {
    thing: 'ro-cnp',
    name: 'a Romanian CNP',
    patterns: ['\\b[1-8]\\d{12}\\b'],
    isValid: (id) => {
      const rest = weightedSum(id, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
      return isDay(id.slice(3, 5), id.slice(5, 7)) && (rest === 10 ? 1 : rest) === Number(id[12]);
    },
    context: /\bcnp\b|cod numeric/,
  },
];

const NORTH_AND_EAST: readonly NationalId[] = [
  {
    thing: 'nl-bsn',
    name: 'a Dutch BSN',
    patterns: ['\\b\\d{4}[. ]?\\d{2}[. ]?\\d{3}\\b', '\\b\\d{3}[. ]\\d{3}[. ]\\d{3}\\b'],
    isValid: (id) => Number(id) > 10_000_000 && weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
    context: /\bbsn\b|burgerservice|sofi/,
  },
  {
    thing: 'be-national-number',
    name: 'a Belgian national number',
    patterns: ['\\b\\d{2}[. ]?\\d{2}[. ]?\\d{2}[- ]?\\d{3}[. ]?\\d{2}\\b'],
    isValid: (id) => {
      const isBefore2000 = 97 - (Number(id.slice(0, 9)) % 97) === Number(id.slice(9));
      const isSince2000 = 97 - (Number(`2${id.slice(0, 9)}`) % 97) === Number(id.slice(9));
      return isDay(id.slice(2, 4), id.slice(4, 6)) && (isBefore2000 || isSince2000);
    },
    context: /rijksregister|registre national|national (?:number|register)|\bnn\b|\binsz\b|\bniss\b/,
    bare: (written) => (/^\d\d\.\d\d\.\d\d-\d{3}\.\d\d$/.test(written) ? 0.85 : undefined),
  },
  {
    thing: 'ie-pps',
    name: 'an Irish PPS number',
    patterns: ['\\b\\d{7}[A-W][ABWTX]?\\b'],
    isValid: (id) => {
      const second = 'WABCDEFGHI'.indexOf(id.charAt(8) || 'W');
      const sum = weightedSum(id, [8, 7, 6, 5, 4, 3, 2]) + 9 * Math.max(0, second);
      return 'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23] === id.charAt(7);
    },
    context: /\bpps|personal public service/,
  },
  {
    thing: 'pl-pesel',
    name: 'a Polish PESEL',
    patterns: ['\\b\\d{11}\\b'],
    isValid: (id) =>
      isDay(Number(id.slice(2, 4)) % 20 || 0, id.slice(4, 6)) &&
      (10 - (weightedSum(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(id[10]),
    context: /pesel/,
  },
  {
    thing: 'se-personnummer',
    name: 'a Swedish personal number',
    patterns: ['\\b(?:19|20)?\\d{6}[-+]?\\d{4}\\b'],
    isValid: (id) => {
      const digits = id.replace('+', '').slice(-10);
      // Coordination numbers add 60 to the day.
      return isDay(digits.slice(2, 4), Number(digits.slice(4, 6)) % 60) && passesLuhn(digits);
    },
    context: /personnummer|\bpnr\b|samordnings|personal (?:identity )?number/,
    bare: (written) => (/^(?:19|20)?\d{6}[-+]\d{4}$/.test(written) ? 0.75 : undefined),
  },
  {
    thing: 'fi-hetu',
    name: 'a Finnish personal identity code',
    patterns: ['\\b\\d{6}[-+A-FU-Y]\\d{3}[0-9A-FHJ-NPR-Y]\\b'],
    // The dash was removed with the other neutral characters; the remaining separators give the century.
    isValid: (id) => {
      const rest = id.slice(/^\d{6}\d/.test(id) ? 6 : 7);
      const number = Number(id.slice(0, 6) + rest.slice(0, 3));
      return isDay(id.slice(2, 4), id.slice(0, 2)) && HETU_LETTERS[number % 31] === rest[3];
    },
    context: /henkil[öo]tunnus|\bhetu\b|personbeteckning|personal identity code/,
    bare: 0.8,
  },
  {
    thing: 'no-fodselsnummer',
    name: 'a Norwegian national identity number',
    patterns: ['\\b\\d{6} ?\\d{5}\\b'],
    isValid: (id) =>
      isDay(Number(id.slice(2, 4)) % 40, Number(id.slice(0, 2)) % 40) &&
      weightedSum(id, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
      weightedSum(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
    context: /f[øo]dselsnummer|personnummer|\bfnr\b|d-nummer/,
    bare: whereGrouped(0.75),
  },
  {
    thing: 'dk-cpr',
    name: 'a Danish CPR number',
    patterns: ['\\b\\d{6}-?\\d{4}\\b'],
    isValid: (id) => isDay(id.slice(2, 4), id.slice(0, 2)),
    context: /\bcpr\b|personnummer|cpr-?nr/,
  },
  {
    thing: 'cz-rodne-cislo',
    name: 'a Czech or Slovak birth number',
    patterns: ['\\b\\d{6}/\\d{4}\\b'],
    isValid: (id) => Number(id) % 11 === 0 && isDay((Number(id.slice(2, 4)) % 50) % 20, id.slice(4, 6)),
    context: /rodn[ée]|\br[čc]\b/,
    bare: 0.75,
  },
  {
    thing: 'tr-tckn',
    name: 'a Turkish identity number',
    patterns: ['\\b[1-9]\\d{10}\\b'],
    isValid: (id) => {
      const odd = weightedSum(id, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
      const even = weightedSum(id, [0, 1, 0, 1, 0, 1, 0, 1]);
      const tenth = (((odd * 7 - even) % 10) + 10) % 10;
      return tenth === Number(id[9]) && weightedSum(id, Array(10).fill(1)) % 10 === Number(id[10]);
    },
    context: /\bt\.?c\.?\b|kimlik|tckn|turkish id/,
  },
];

function isGermanPensionNumber(id: string): boolean {
  const letter = id.charCodeAt(8) - 64;
  const digits = `${id.slice(0, 8)}${String(letter).padStart(2, '0')}${id.slice(9, 11)}`;
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  const sum = weights.reduce((total, weight, at) => {
    const product = weight * Number(digits[at]);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  // The day of birth has 50 added where numbers ran out.
  return sum % 10 === Number(id[11]) && isDay(id.slice(4, 6), Number(id.slice(2, 4)) % 50 || 1);
}

function isFiscalCode(id: string): boolean {
  let sum = 0;
  for (let at = 0; at < 15; at++) {
    const unit = id.charCodeAt(at);
    const value = unit < 65 ? unit - 48 : unit - 65;
    sum += at % 2 === 0 ? (FISCAL_ODD[value] as number) : value;
  }
  return String.fromCharCode(65 + (sum % 26)) === id[15];
}

export const EUROPEAN_ID_RULES: readonly Rule[] = [...UNITED_KINGDOM, ...GERMAN, ...ROMANCE, ...NORTH_AND_EAST].map(
  nationalIdRule,
);

/** Example numbers of the issuers' own manuals and of encyclopedias: valid in form, never assigned. */
export const EUROPEAN_ID_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
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
      { text: 'DNI 00000000T', reason: 'a placeholder' },
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
};
