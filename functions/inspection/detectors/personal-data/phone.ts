import parsePhoneNumber, { type MetadataJson } from 'libphonenumber-js/core';
import type { Rule, RuleExamples } from '../../matching/index.ts';
import { mayEndInWords, namesAThing, SHARED } from './number-checks.ts';
import file from './phone-metadata.generated.json' with { type: 'json' };

/** Words shortly before a number that mark it as a telephone number. */
const SAYS_PHONE =
  /(?:\b(?:phone|tel|telephone|mobile|fax|whatsapp|sms|dial|hotline|landline|telefon|handy|mobil|rufnummer|t[ée]l[ée]phone|portable|tel[ée]fono|m[óo]vil|celular|cellulare|telefone|telemóvel|telefoon|puhelin|gsm)s?\b|电话|電話|手机|手機|전화|연락처|휴대폰|телефон|टेलीफोन|फ़ोन|هاتف|טלפון)[^\d\n]{0,40}$/i;
/** Words that may do so, and have other meanings. */
const MAY_SAY_PHONE = /\b(?:call(?:ed|s|ing)?|cell|signal|text|reach|contact|answering|numer|cep)\b[^\d\n]{0,40}$/i;
const SAID_AFTERWARDS = /[a-z]$/i;
/** Ten or eleven digits from 0 on, in the groups of a national number: not looked up, since 25 countries are possible. */
const NATIONAL =
  /^\(?0[1-9]\d{1,3}\)?[ ./-]\d{3,4}[ ./-]\d{3,4}$|^\(?0[1-9]\d{1,4}\)?[ ./-]\d{6,8}$|^0[1-9](?:[ .-]\d{2}){4}$/;
const NORTH_AMERICAN = /^(?:(?:00)?1[-. ])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}(?:x\d{1,6})?$/;
const EXTENSION = '(?: ?(?:x|ext\\.? ?)\\d{1,6})?(?:[ -]{1,2}(?:office|fax|mobile|home|cell|work|phone))?';
const DATE_LIKE =
  /^(?:19|20)\d{2}[-./ ]\d{1,2}[-./ ]\d{1,2}(?:\D|$)|^\d{1,2}[-./ ]\d{1,2}[-./ ](?:(?:19|20)\d{2}|\d{2})$|^(?:19|20)\d{2}[-–]|\D(?:19|20)\d{2}[-/.]\d{2}[-/.]\d{2}$/;
const SSN_SHAPE = /^\d{3}-\d{2}-\d{4}$/;
/** Words before other kinds of numbers, which have separate rules. */
const NAMES_AN_ID =
  /\b(?:nhs|ssn|itin|sin|tfn|bsn|pps|nif|nir|dni|cpf|cnpj|rut|pesel|cpr|medicare|insurance|account|routing|iban|card|passport|licen[cs]e|tax|identity|aadhaa?r)\b[^\d\n]{0,24}$/i;
const PART_OF_MORE = /[\w.+(/=-]$|\d[,:]$|[$€£¥] ?$|\d ?[-+*/x^%] ?$/;
/** Enough units to see whether a number is part of more: `mobile:(` and the text before it. */
const LONGEST_TELLING = 16;
const FEWEST_DIGITS = 7;
const MOST_DIGITS = 15;
/** Numbers of a text that are looked up, about 10 µs each; any further ones are taken to exist. */
const MOST_LOOKED_UP = 2000;

export const PHONE: Rule = {
  ...SHARED,
  id: 'personal-data/phone',
  category: 'phone',
  severity: 'medium',
  score: 0.75,
  ignoreCase: true,
  patterns: [
    '\\+\\d{1,3}[ .-]?(?:\\(\\d{1,4}\\)[ .-]?)?\\d{1,5}(?:[ ./-]?\\d{2,5}){1,4}',
    '\\(\\d{2,5}\\) ?\\d{2,5}(?:[-. ]\\d{2,5}){0,3}',
    '\\b\\d{2,5}(?:[-. /]\\d{2,8}){1,4}',
    '\\b\\d{7,13}',
  ].map((pattern) => `${pattern}${EXTENSION}\\b`),
  check: (match, { before, earlier }) => {
    const written = match.replace(/(?:[ -]{1,2}[a-z]+)$/i, '');
    const [number = ''] = written.split(/x|ext/i, 1);
    const digits = number.replace(/\D/g, '');
    if (digits.length < FEWEST_DIGITS || digits.length > MOST_DIGITS || /(.)\1{6}/.test(digits)) return undefined;
    const hasWords = mayEndInWords(before);
    if (isPartOfMore(before, hasWords) || DATE_LIKE.test(written) || SSN_SHAPE.test(written)) return undefined;
    if (hasWords && (namesAThing(before) || NAMES_AN_ID.test(before))) return undefined;
    const isGrouped = /\d[ ./)-]/.test(written);
    const maySay =
      hasWords &&
      MAY_SAY_PHONE.test(before) &&
      !digits.startsWith('000') &&
      (isGrouped || /^(?!00)\d{9,}$/.test(digits));
    const says = hasWords && SAYS_PHONE.test(before);
    return phoneScore(written, digits, SAID_AFTERWARDS.test(match) || says || maySay, earlier < MOST_LOOKED_UP);
  },
  message: 'Text contains a telephone number.',
};

/** A fraction, a time, an address, a longer number or a sum. */
function isPartOfMore(before: string, hasWords: boolean): boolean {
  const end = before.slice(-LONGEST_TELLING);
  return PART_OF_MORE.test(hasWords ? end.replace(/\b(?:tel|fax|phone|mobile):?\(?$/i, '') : end);
}

function phoneScore(match: string, digits: string, isCalledPhone: boolean, mayLookUp: boolean): number | undefined {
  if (match.startsWith('+')) {
    if (/^\+\d+\.\d+$/.test(match)) return undefined;
    if (!mayLookUp || isInternationalNumber(match)) return 0.8;
    return isCalledPhone || /\D/.test(match.slice(1)) ? 0.55 : undefined;
  }
  if (isCalledPhone) return 0.75;
  if (NORTH_AMERICAN.test(match)) return 0.7;
  return NATIONAL.test(match) && digits.length >= 10 && digits.length <= 11 ? 0.55 : undefined;
}

let metadata: MetadataJson | undefined;
/** The whole text is the number. Passed as one object: the library's short form copies its options for each number. */
const WHOLE = { extract: false } as const;

/**
 * Whether a number that begins with + exists, by its country's plan. The plans, libphonenumber-js's smallest,
 * are kept as text and parsed at the first number: as an object in the bundle they would cost each start about 4 ms.
 */
function isInternationalNumber(number: string): boolean {
  metadata ??= JSON.parse(file.metadata) as MetadataJson;
  return parsePhoneNumber(number, WHOLE, metadata)?.isValid() ?? false;
}

export const PHONE_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'personal-data/phone': {
    positives: [
      'Call +49 30 901820 now',
      '(415) 555-2671',
      '415-555-2671',
      'Tel.: 020 7183 4417',
      'mobile 07911123456',
      '(251)500-2136x739 fax',
      'call me on 06-10446904',
      'my number is (415) 563-8998',
    ],
    negatives: [
      { text: 'Between 2019-2021 we sold 1,200.', reason: 'years' },
      { text: 'timestamp 1700000000', reason: 'a timestamp' },
      { text: 'ISBN 978-3-16-148410-0', reason: 'a book' },
      { text: 'Order number 415-555-2671', reason: 'an order' },
      { text: 'call 0x 00400621 at 00400625', reason: 'addresses of code' },
      { text: 'due 01-02-2024 or 2024-03-01', reason: 'dates' },
      { text: 'at 52.520008, 13.404954', reason: 'coordinates' },
      { text: '3 + 415-555-2671', reason: 'arithmetic' },
    ],
  },
};
