import type { Rule } from '../../core/inspect/rule.ts';
import { passesIbanCheck, passesLuhn } from './checksums.ts';
import { IBAN_PATTERNS } from './iban-patterns.ts';

const SHARED = {
  type: 'pii',
  view: 'exact',
  surfaces: ['user', 'tool', 'output'],
  owasp: 'LLM02:2025',
  atlas: 'AML.T0057',
} as const;

/** Domains that belong to nobody (RFC 2606, RFC 6761). */
const RESERVED_DOMAIN =
  /(?:^|[@.])example(?:\.(?:com|org|net|edu))?$|\.(?:test|invalid|example|localhost|local|internal)$/i;
const FILE_ENDING =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|ts|tsx|jsx|json|html?|py|java|kt|rs|go|rb|php|md|txt|service|socket|target|so|git)$/i;
const SHARED_MAILBOX = /^(?:git|no-?reply|do-?not-?reply|postmaster|mailer-daemon)@/i;

const EMAIL: Rule = {
  ...SHARED,
  id: 'personal-data/email',
  category: 'email',
  severity: 'medium',
  score: 0.9,
  patterns: ["\\b[A-Za-z0-9][A-Za-z0-9._%+'-]*@(?:[A-Za-z0-9-]+\\.)+[A-Za-z]{2,24}\\b"],
  check: (match, { before }) => {
    const at = match.indexOf('@');
    if (at > 64 || match.length > 254 || match.includes('..') || match.charAt(at - 1) === '.') return undefined;
    if (RESERVED_DOMAIN.test(match) || FILE_ENDING.test(match) || SHARED_MAILBOX.test(match)) return undefined;
    // The password and host of an address, not a mailbox.
    return /:\/\/[^\s/]*:$/.test(before) ? undefined : 0.9;
  },
  message: 'Text holds an e-mail address.',
};

const CARD_NETWORK = /^(?:4|5[1-5]|2[2-7]|3[47]|6011|65|64[4-9]|35(?:2[89]|[3-8])|3(?:0[0-5]|[68])|62)/;
const CARD_GROUPS = /^(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})$/;

const PAYMENT_CARD: Rule = {
  ...SHARED,
  id: 'personal-data/payment-card',
  category: 'payment_card',
  severity: 'high',
  score: 0.95,
  patterns: ['\\b\\d(?:[ -]?\\d){12,18}\\b'],
  check: (match, { before }) => {
    const digits = match.replace(/\D/g, '');
    const plausible = CARD_GROUPS.test(match) && CARD_NETWORK.test(digits) && !/^(.)\1+$/.test(digits);
    if (!plausible || !passesLuhn(digits) || /[\d.][.,-]$/.test(before)) return undefined;
    // One in ten numbers passes the check digit by chance: a bare one that is not 15 or 16 long is a weak sign.
    return match.length > digits.length || digits.length === 15 || digits.length === 16 ? 0.95 : 0.5;
  },
  message: 'Text holds a payment card number.',
};

const IBAN: Rule = {
  ...SHARED,
  id: 'personal-data/iban',
  category: 'iban',
  severity: 'high',
  score: 0.97,
  patterns: IBAN_PATTERNS,
  check: (match) => (passesIbanCheck(match.replaceAll(' ', '')) ? 0.97 : undefined),
  message: 'Text holds a bank account number (IBAN).',
};

const US_SSN: Rule = {
  ...SHARED,
  id: 'personal-data/us-ssn',
  category: 'us_ssn',
  severity: 'high',
  score: 0.75,
  patterns: ['\\b\\d{3}-\\d{2}-\\d{4}\\b'],
  check: (match, { before }) => {
    // Never issued: area 000, 666 and 900 up, group 00, serial 0000; and two numbers from advertisements.
    if (/^(?:000|666|9)|-00-|-0000$|^078-05-1120$|^219-09-9999$/.test(match) || /[\d-]$/.test(before)) return undefined;
    return /\b(?:ssn|social security)\b/i.test(before) ? 0.97 : 0.75;
  },
  message: 'Text holds what looks like a US social security number.',
};

const PHONE: Rule = {
  ...SHARED,
  id: 'personal-data/phone',
  category: 'phone',
  severity: 'medium',
  score: 0.7,
  patterns: [
    '\\+\\d{1,3}[ .-]?(?:\\(\\d{1,4}\\)[ .-]?)?\\d{1,5}(?:[ .-]?\\d{2,5}){1,4}\\b',
    '\\(\\d{3}\\) ?\\d{3}[-. ]\\d{4}\\b',
    '\\b(?:1[-. ])?[2-9]\\d{2}[-.]\\d{3}[-.]\\d{4}\\b',
  ],
  check: (match, { before }) => {
    const digits = match.replace(/\D/g, '').length;
    if (digits < 8 || digits > 15 || /[\w.+(-]$/.test(before) || /(.)\1{6}/.test(match.replace(/\D/g, '')))
      return undefined;
    // A sum in arithmetic or a fraction of seconds, such as `+12345.6789`.
    if (/^\+\d+\.\d+$/.test(match) || /[T:]\d\d(?:\.\d+)?$/.test(before)) return undefined;
    return match.startsWith('+') ? 0.75 : 0.7;
  },
  message: 'Text holds a telephone number.',
};

/** Addresses that name no host on the internet, and well-known resolvers. */
const NOBODYS_IPV4 =
  /^(?:0|10|127|22[4-9]|2[3-5]\d)\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.(?:168|0\.[02])\.|^198\.(?:1[89]|51\.100)\.|^203\.0\.113\.|^(?:8\.8\.[84]\.[84]|1\.[01]\.[01]\.1|9\.9\.9\.9)$|\.0$/;

const IPV4: Rule = {
  ...SHARED,
  id: 'personal-data/ipv4',
  category: 'ip_address',
  severity: 'low',
  score: 0.5,
  patterns: ['\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b'],
  check: (match, { before }) => {
    const valid = match.split('.').every((part) => Number(part) <= 255 && !/^0\d/.test(part));
    const versionLike =
      /(?:[\d.-]|v|version|release|§|section|sec\.?|chapter|table|figure)\s?$/i.test(before) || match.length < 9;
    return valid && !versionLike && !NOBODYS_IPV4.test(match) ? 0.5 : undefined;
  },
  message: 'Text holds an IPv4 address.',
};

const IPV6: Rule = {
  ...SHARED,
  id: 'personal-data/ipv6',
  category: 'ip_address',
  severity: 'low',
  score: 0.5,
  ignoreCase: true,
  patterns: [
    '\\b[23][0-9a-f]{3}:(?:[0-9a-f]{1,4}:){6}[0-9a-f]{1,4}\\b',
    '\\b[23][0-9a-f]{3}(?::[0-9a-f]{1,4}){1,6}::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,4})?',
  ],
  // 2001:db8::/32 and 3fff::/20 are for documentation.
  check: (match, { before }) => (/^(?:2001:0?db8|3fff):/i.test(match) || /[:\w]$/.test(before) ? undefined : 0.5),
  message: 'Text holds an IPv6 address.',
};

export const PERSONAL_DATA_RULES: readonly Rule[] = [EMAIL, PAYMENT_CARD, IBAN, US_SSN, PHONE, IPV4, IPV6];
