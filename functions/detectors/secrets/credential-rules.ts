import type { Rule } from '../../core/inspect/rule.ts';
import { entropy, isMadeUp, isPlaceholder, looksRandom, restlessness } from './randomness.ts';
import { SHARED } from './shared.ts';

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
    const body = match.replace(/-----[A-Z0-9 ]+-----|[^A-Za-z0-9+/]/g, '').slice(0, 4000);
    // Runs of one letter are common in keys: their numbers have leading zeros.
    return body.length >= 40 && entropy(body) >= 3.5 && !/x{6}|example|redacted/i.test(body) ? 0.97 : undefined;
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
  patterns: ['\\bey[A-Za-z0-9]{10,}\\.ey[A-Za-z0-9_-]{8,}\\.(?:[A-Za-z0-9_-]{10,})?'],
  // The token on jwt.io's front page, in every tutorial.
  check: (match) => {
    if (/SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c$|x{6}/.test(match)) return undefined;
    return match.endsWith('.') ? 0.55 : 0.8;
  },
  message: 'Text holds a signed web token, which lets its holder act as somebody.',
};

/** User names and passwords of manuals. */
const STOCK_PASSWORD =
  /^(?:my|the|your|some|ch|db)?(?:pass(?:word|wd|phrase)?|pwd|pw|secret|user(?:name)?|token|test|admin|root|postgres|guest|changeme|default|foo|bar|abc|xxx|yyy|1{3,4}|[a-z]{1,3})\d?$/i;
const NOBODYS_HOST =
  /^(?:[\w-]+\.)?(?:example\.|test\.com|localhost|127\.|host(?:name)?$|server$|domain\.)|^[^.]+$|\.(?:local|internal|test|svc)(?:\.|$)/i;

const PASSWORD_IN_URL: Rule = {
  ...SHARED,
  id: 'secrets/password-in-url',
  category: 'password_in_url',
  score: 0.8,
  ignoreCase: true,
  patterns: [
    '\\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|ftps?|https?|smtps?|mssql|clickhouse|ldaps?|cloudinary)(?:\\+[a-z0-9]+)?://[^\\s:/@"\'<>]{1,64}:[^\\s:/@"\'<>]{3,128}@[^\\s/@"\'<>:]+',
  ],
  check: (match) => {
    const start = match.indexOf('://') + 3;
    const colon = match.indexOf(':', start);
    const at = match.indexOf('@', colon);
    const user = match.slice(start, colon);
    const password = match.slice(colon + 1, at);
    const host = match.slice(at + 1);
    if (isPlaceholder(password) || STOCK_PASSWORD.test(password) || password === user) return undefined;
    if (/[{}$[\]%]{2}|^[$%{[]/.test(password)) return undefined;
    // A host of the same network: told where the password is not a word.
    if (NOBODYS_HOST.test(host)) return /\d/.test(password) && !/^example/i.test(host) ? 0.6 : undefined;
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
  patterns: [
    'authorization["\']?\\s{0,3}[:=]\\s{0,3}["\']?(?:(?:bearer|basic|token|apikey|digest)\\s{1,3}(?:token=)?)?["\']?[a-z0-9._~@+/=-]{16,}={0,2}',
  ],
  check: (match) => {
    const value = (match.split(/[\s"':]/).at(-1) ?? '').replace(/^token=/i, '');
    const readElsewhere = /^ey[A-Z]|^(?:gh[pousr]|sk|svc_sk)[_-]/.test(value);
    const isDrawn = !isPlaceholder(value) && /\d/.test(value) && entropy(value) >= 3;
    return !readElsewhere && isDrawn && restlessness(value) >= 0.15 ? 0.75 : undefined;
  },
  message: 'Text holds credentials from a request header.',
};

const CURL_USER: Rule = {
  ...SHARED,
  id: 'secrets/curl-user',
  category: 'command_line_password',
  score: 0.7,
  patterns: ['\\bcurl\\b[^|]*\\s(?:-u|--user)[ =]["\']?[A-Za-z0-9_.@+-]{1,64}:["\']?[^\\s"\'$<{*`]{6,128}'],
  check: (match) => {
    const password = match.slice(match.lastIndexOf(':') + 1).replace(/^["']/, '');
    return isPlaceholder(password) || STOCK_PASSWORD.test(password) || !/\d/.test(password) ? undefined : 0.7;
  },
  message: 'A command line holds a user name with its password.',
};

/** Names that other rules know. */
const NAMED_ELSEWHERE =
  /^(?:gh[pousr]|npm|svc|sk|rk|pk|whsec|hf|github|r8|gsk|ph[cxs]|ntn|lin|secret|pnu|sm|shp|dckr|fo1|nf|ops|pscale|tfp|figd)/;
/** Apart: as one expression, both take recheck twenty times as long to prove. */
const TEST_TOKEN = /^[a-z0-9]+_(?:test|secret)_/;

const PREFIXED_TOKEN: Rule = {
  ...SHARED,
  id: 'secrets/prefixed-token',
  category: 'prefixed_token',
  severity: 'medium',
  score: 0.65,
  patterns: ['\\b[a-z][a-z0-9]{1,9}_(?:[a-z]{2,8}_){0,2}[A-Za-z0-9]{36,}\\b'],
  // Most vendors now write tokens the way GitHub does, a short name before drawn characters: this one finds those that
  // no rule of their own names.
  check: (match) => {
    const body = match.slice(match.lastIndexOf('_') + 1);
    const isMixed = /\d/.test(body) && /[a-z]/.test(body) && /[A-Z]/.test(body);
    const isNamed = NAMED_ELSEWHERE.test(match) || TEST_TOKEN.test(match);
    return isMixed && !isNamed && !isMadeUp(match) && restlessness(body) >= 0.25 && entropy(body) >= 4
      ? 0.65
      : undefined;
  },
  message: 'Text holds drawn characters behind a short name, as vendors write tokens.',
};

/** Credentials that a form around them gives away, whoever issued them. */
export const CREDENTIAL_RULES: readonly Rule[] = [
  PRIVATE_KEY,
  AWS_SECRET_KEY,
  JWT,
  PASSWORD_IN_URL,
  AUTHORIZATION_HEADER,
  CURL_USER,
  PREFIXED_TOKEN,
];
