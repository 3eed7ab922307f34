import { endsWithChecksum } from '../../core/access/base62-checksum.ts';
import type { Rule } from '../../core/inspect/rule.ts';
import { isPlaceholder, looksRandom } from './randomness.ts';
import { VENDOR_TOKENS, type VendorToken } from './vendor-tokens.ts';

const SHARED = {
  type: 'secret',
  severity: 'high',
  view: 'exact',
  surfaces: ['system', 'user', 'tool', 'output'],
  owasp: 'LLM02:2025',
  atlas: 'AML.T0057',
} as const;

const HEX_ENTROPY = 3;

function vendorRule({
  thing,
  vendor,
  patterns,
  minEntropy = HEX_ENTROPY,
  score = 0.95,
  severity = 'high',
}: VendorToken): Rule {
  return {
    ...SHARED,
    id: `secrets/${thing}`,
    category: thing.replaceAll('-', '_'),
    severity,
    score,
    patterns,
    check: (match) => (looksRandom(match, minEntropy) ? score : undefined),
    message: `Text holds what looks like a live ${vendor}.`,
  };
}

const GITHUB_TOKEN: Rule = {
  ...SHARED,
  id: 'secrets/github-token',
  category: 'github_token',
  severity: 'critical',
  score: 0.99,
  patterns: ['\\bgh[pousr]_[A-Za-z0-9]{36}\\b'],
  check: (match) => checkedTokenScore(match.slice(4)),
  message: 'Text holds a GitHub token.',
};

const NPM_TOKEN: Rule = {
  ...SHARED,
  id: 'secrets/npm-token',
  category: 'npm_token',
  severity: 'critical',
  score: 0.99,
  patterns: ['\\bnpm_[A-Za-z0-9]{36}\\b'],
  check: (match) => checkedTokenScore(match.slice(4)),
  message: 'Text holds an npm token.',
};

/** A right checksum proves it; without one it may be a token that was mistyped, or one made up. */
function checkedTokenScore(body: string): number | undefined {
  if (endsWithChecksum(body)) return 0.99;
  return looksRandom(body, 3.5) ? 0.75 : undefined;
}

const SVC_KEY: Rule = {
  ...SHARED,
  id: 'secrets/svc-key',
  category: 'svc_key',
  severity: 'critical',
  score: 0.99,
  patterns: ['\\bsvc_sk_[0-9A-Za-z]{38}\\b'],
  check: (match) => (endsWithChecksum(match.slice('svc_sk_'.length)) ? 0.99 : undefined),
  message: 'Text holds a key of this gateway.',
};

const PRIVATE_KEY: Rule = {
  ...SHARED,
  id: 'secrets/private-key',
  category: 'private_key',
  severity: 'critical',
  score: 0.97,
  patterns: [
    '-----BEGIN (?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\\s\\\\:,"]+(?:-[A-Za-z0-9+/=\\s\\\\:,"]+)*(?:-----END (?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?',
  ],
  check: (match) => {
    const body = match.replace(/-----[A-Z0-9 ]+-----|[^A-Za-z0-9+/]/g, '');
    return body.length >= 40 && looksRandom(body.slice(0, 4000), 3.5) ? 0.97 : undefined;
  },
  message: 'Text holds a private key.',
};

const AWS_SECRET_KEY: Rule = {
  ...SHARED,
  id: 'secrets/aws-secret-key',
  category: 'aws_secret_key',
  severity: 'critical',
  score: 0.93,
  ignoreCase: true,
  patterns: ['aws[a-z_. -]{0,20}(?:secret|key)[a-z_. -]{0,20}["\']?\\s{0,3}[:=]{1,2}\\s{0,3}["\']?[a-z0-9/+]{40}\\b'],
  check: (match) => (looksRandom(match.slice(-40), 4.2) ? 0.93 : undefined),
  message: 'Text holds what looks like an AWS secret access key.',
};

const JWT: Rule = {
  ...SHARED,
  id: 'secrets/jwt',
  category: 'jwt',
  severity: 'medium',
  score: 0.8,
  patterns: ['\\beyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{20,}'],
  // The token on jwt.io's front page, in every tutorial.
  check: (match) => (/SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c$|x{6}/.test(match) ? undefined : 0.8),
  message: 'Text holds a signed web token, which lets its holder act as somebody.',
};

const PASSWORD_IN_URL: Rule = {
  ...SHARED,
  id: 'secrets/password-in-url',
  category: 'password_in_url',
  score: 0.8,
  ignoreCase: true,
  patterns: [
    '\\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|ftps?|https?|smtps?|mssql|clickhouse|ldaps?)(?:\\+[a-z0-9]+)?://[^\\s:/@"\'<>]{1,64}:[^\\s:/@"\'<>]{3,128}@[^\\s/@"\'<>:]+',
  ],
  check: (match) => {
    const [, user = '', password = '', host = ''] = /^[^:]*:\/\/([^:]*):([^@]*)@(.*)$/.exec(match) ?? [];
    if (
      isPlaceholder(password) ||
      /^(?:pass(?:word|wd)?|pwd|secret|user(?:name)?|token|test|admin|root|postgres|guest)$/i.test(password)
    )
      return undefined;
    if (
      password === user ||
      /[{}$[\]%]{2}|^[$%{[]/.test(password) ||
      /^(?:example\.|localhost$|127\.|host$)/i.test(host)
    )
      return undefined;
    return 0.8;
  },
  message: 'An address holds a password.',
};

const AUTHORIZATION_HEADER: Rule = {
  ...SHARED,
  id: 'secrets/authorization-header',
  category: 'authorization_header',
  score: 0.75,
  ignoreCase: true,
  patterns: ['authorization["\']?\\s{0,3}[:=]\\s{0,3}["\']?(?:bearer|basic|token)\\s{1,3}[a-z0-9._~+/-]{20,}={0,2}'],
  check: (match) => {
    const value = match.split(/\s/).at(-1) ?? '';
    return /^eyJ|^(?:gh[pousr]|sk|svc_sk)[_-]/.test(value) || !looksRandom(value, 3.5) || !/\d/.test(value)
      ? undefined
      : 0.75;
  },
  message: 'Text holds credentials from a request header.',
};

const LOOKS_LIKE_CODE = /[.](?:[a-z_]{3}|get|env)|^[$%]|[$%]$|^(?:process|os|env|config|self|this|req)\b/i;
const WORDS_JOINED = /^[a-z]+(?:[_-][a-z]+)+\d?$/i;

const ASSIGNED_SECRET: Rule = {
  ...SHARED,
  id: 'secrets/assigned-secret',
  category: 'assigned_secret',
  severity: 'medium',
  score: 0.6,
  ignoreCase: true,
  patterns: [
    '(?:api[_ -]?key|api[_ -]?secret|secret[_ -]?key|client[_ -]?secret|access[_ -]?token|auth[_ -]?token|private[_ -]?key|secret|passw(?:or)?d|pwd|encryption[_ -]?key)["\'`]?\\s{0,3}(?::=|=>|=|:)\\s{0,3}["\'`]?[a-z0-9/+_.!@#$%^&*~-]{12,128}',
  ],
  check: (match) => {
    const value = match.split(/[\s"'`:=>]/).at(-1) ?? '';
    const mixed = /\d/.test(value) && /[a-z]/i.test(value) && value.length >= 12;
    const known = /^(?:gh[pousr]_|npm_|sk-|sk_|rk_|svc_sk_|AKIA|AIza|eyJ|xox|whsec_|hf_|glpat-)/.test(value);
    const code = LOOKS_LIKE_CODE.test(value) || WORDS_JOINED.test(value);
    return mixed && !known && !code && looksRandom(value, 3.3) ? 0.6 : undefined;
  },
  message: 'A password, key or token is written out beside its name.',
};

export const SECRET_RULES: readonly Rule[] = [
  ...VENDOR_TOKENS.map(vendorRule),
  GITHUB_TOKEN,
  NPM_TOKEN,
  SVC_KEY,
  PRIVATE_KEY,
  AWS_SECRET_KEY,
  JWT,
  PASSWORD_IN_URL,
  AUTHORIZATION_HEADER,
  ASSIGNED_SECRET,
];
