import type { Rule, RuleExamples } from '../../matching/index.ts';
import { BITCOIN_ADDRESS, BITCOIN_ADDRESS_EXAMPLES } from './bitcoin-address.ts';
import { namesAThing, passesIbanCheck, passesLuhn, SHARED, weightedSum } from './number-checks.ts';

/** Length of an IBAN by country, from SWIFT's registry. */
const COUNTRIES_BY_LENGTH: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'DK FI FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'LY PT ST',
  26: 'IS TR',
  27: 'BI DJ FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HU LB NI PL SV',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU',
  31: 'MT SC',
  32: 'LC',
};

/** One alternative for each length, whole or in groups of four. */
const IBAN_PATTERNS: readonly string[] = Object.entries(COUNTRIES_BY_LENGTH).map(([length, countries]) => {
  const rest = Number(length) - 4;
  const last = rest % 4 === 0 ? '' : ` ?[A-Z0-9]{${rest % 4}}`;
  return `\\b(?:${countries.replaceAll(' ', '|')})\\d{2}(?: ?[A-Z0-9]{4}){${Math.floor(rest / 4)}}${last}\\b`;
});

/** First digits of the networks with the lengths that they issue. */
const CARD_NETWORK =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|(?:6011|64[4-9]\d|65\d\d|35(?:2[89]|[3-8]\d)|62\d\d)\d{12,15}|(?:50|5[6-9]|6[37])\d{10,17})$/;
const CARD_GROUPS = /^(?:\d{4}([ -])\d{4}\1\d{4}\1\d{3,4}|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})$/;
const SAYS_CARD =
  /\b(?:card|credit|debit|visa|master ?card|amex|american express|discover|diners|jcb|maestro|kredit|carte|tarjeta|carta)\b|카드|カード|信用卡/i;

const PAYMENT_CARD: Rule = {
  ...SHARED,
  id: 'personal-data/payment-card',
  category: 'payment_card',
  severity: 'high',
  score: 0.95,
  patterns: ['\\b\\d(?:[ -]?\\d){12,18}(?:[-.]\\d{1,19})?\\b'],
  check: (matched, { before }) => {
    // A program may write a whole number as a fraction.
    const match = matched.replace(/\.0+$/, '');
    const digits = match.replace(/\D/g, '');
    const plausible = CARD_GROUPS.test(match) && CARD_NETWORK.test(digits) && !/^(.)\1+$/.test(digits);
    if (!plausible || !passesLuhn(digits) || /[\d.][.,-]$|[\w.]$/.test(before)) return undefined;
    if (match.length > digits.length || SAYS_CARD.test(before)) return 0.95;
    if (namesAThing(before)) return undefined;
    // One in ten numbers passes the check digit by chance: a bare one that is not 15 or 16 long says nothing alone.
    return digits.length === 15 || digits.length === 16 ? 0.9 : undefined;
  },
  message: 'Text contains a payment card number.',
};

const IBAN: Rule = {
  ...SHARED,
  id: 'personal-data/iban',
  category: 'iban',
  severity: 'high',
  score: 0.97,
  ignoreCase: true,
  patterns: IBAN_PATTERNS,
  check: (match) => (passesIbanCheck(match.replaceAll(' ', '').toUpperCase()) ? 0.97 : undefined),
  message: 'Text contains a bank account number (IBAN).',
};

const BANK_ACCOUNT: Rule = {
  ...SHARED,
  id: 'personal-data/bank-account',
  category: 'bank_account',
  severity: 'high',
  score: 0.7,
  ignoreCase: true,
  patterns: [
    '\\b(?:bank )?account (?:no|number|num|#)\\.?(?: is|:)? {0,3}\\d(?:[ -]?\\d){5,16}\\b',
    '\\b(?:routing|aba|transit)(?: (?:transit|no|number|num|#|code)){0,2}\\.?(?: is|:)? {0,3}\\d{4}-?\\d{4}-?\\d\\b',
    '\\bsort code(?: is|:)? {0,3}\\d{2}-?\\d{2}-?\\d{2}\\b',
  ],
  check: (match) => {
    const digits = match.replace(/\D/g, '');
    if (/(.)\1{5}|123456/.test(digits)) return undefined;
    if (!/^(?:routing|aba|transit)/i.test(match)) return 0.7;
    return weightedSum(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0 ? 0.9 : undefined;
  },
  message: 'Text contains a bank account or routing number.',
};

/** Numbers of cards and accounts. */
export const FINANCIAL_RULES: readonly Rule[] = [PAYMENT_CARD, IBAN, BANK_ACCOUNT, BITCOIN_ADDRESS];

export const FINANCIAL_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'personal-data/bitcoin-address': BITCOIN_ADDRESS_EXAMPLES,
  'personal-data/payment-card': {
    positives: [
      'Card 4539 9458 0730 2151, exp 12/27',
      '5412-7368-1930-3645',
      '371426212997223',
      '{"n":4111111111111111.0}',
    ],
    negatives: [
      { text: 'Order 4539945807302152', reason: 'fails the check digit' },
      { text: '0.4111111111111111', reason: 'a fraction' },
      { text: '1000000000000008', reason: 'no card network starts so' },
      { text: 'Order id: 4111111111111111', reason: 'an order' },
      { text: 'card 4539-9458-0730-2151-2222', reason: 'goes on' },
      { text: 'Card 4242 4242 4242 4242', reason: 'a test card' },
    ],
  },
  'personal-data/iban': {
    positives: ['DE54 1005 0000 1054 5404 02', 'Pay to GB41NWBK60161398231147 today.', 'gb41nwbk60161398231147'],
    negatives: [
      { text: 'DE55 1005 0000 1054 5404 02', reason: 'fails the check digits' },
      { text: 'DE89 3704 0044 0532 0130 00', reason: 'an example of the registry' },
    ],
  },
  'personal-data/bank-account': {
    positives: ['Account number: 70872490', 'routing number 021000021', 'sort code 20-00-00'],
    negatives: [
      { text: 'routing number 021000022', reason: 'fails the check digit' },
      { text: 'account number 123456789', reason: 'a manual' },
      { text: 'Your account has 12345678 points', reason: 'counts points' },
    ],
  },
};
