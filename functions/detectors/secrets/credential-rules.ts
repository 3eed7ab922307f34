import type { Rule, RuleExamples } from '../../core/inspect/rule.ts';
import { base62Checksum, endsWithChecksum } from '../../core/keys/api-key-format.ts';
import { fill, seeded } from './example-tokens.ts';
import { entropy, isMadeUp, isPlaceholder, looksRandom, restlessness } from './randomness.ts';
import { SHARED } from './secret-rule.ts';

const GITHUB_TOKEN: Rule = {
  ...SHARED,
  id: 'secrets/github-token',
  category: 'github_token',
  severity: 'critical',
  score: 0.99,
  patterns: ['\\bgh[pousr]_[A-Za-z0-9]{36}\\b'],
  check: (match) => checkedTokenScore(match.slice(4)),
  message: 'Text contains a GitHub token.',
};

const NPM_TOKEN: Rule = {
  ...SHARED,
  id: 'secrets/npm-token',
  category: 'npm_token',
  severity: 'critical',
  score: 0.99,
  patterns: ['\\bnpm_[A-Za-z0-9]{36}\\b'],
  check: (match) => checkedTokenScore(match.slice(4)),
  message: 'Text contains an npm token.',
};

/** A correct checksum proves it; without one it may be a mistyped or an invented token. */
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
  message: 'Text contains a key of this gateway.',
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
    const body = match.replace(/-----[A-Z0-9 ]+-----|[^A-Za-z0-9+/]/g, '').slice(0, 4000);
    // Runs of one letter are common in keys: their numbers have leading zeros.
    return body.length >= 40 && entropy(body) >= 3.5 && !/x{6}|example|redacted/i.test(body) ? 0.97 : undefined;
  },
  message: 'Text contains a private key.',
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
  message: 'Text contains what looks like an AWS secret access key.',
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
  message: 'Text contains a signed web token, which lets its holder act as its owner.',
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
    // A host of the same network: reported if the password is not a word.
    if (NOBODYS_HOST.test(host)) return /\d/.test(password) && !/^example/i.test(host) ? 0.6 : undefined;
    return 0.8;
  },
  message: 'An address contains a password.',
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
  message: 'Text contains credentials from a request header.',
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
  message: 'A command line contains a user name with its password.',
};

/** Names that other rules cover. */
const NAMED_ELSEWHERE =
  /^(?:gh[pousr]|npm|svc|sk|rk|pk|whsec|hf|github|r8|gsk|ph[cxs]|ntn|lin|secret|pnu|sm|shp|dckr|fo1|nf|ops|pscale|tfp|figd)/;
/** Separate: as one expression, recheck takes twenty times as long to prove both. */
const TEST_TOKEN = /^[a-z0-9]+_(?:test|secret)_/;

const PREFIXED_TOKEN: Rule = {
  ...SHARED,
  id: 'secrets/prefixed-token',
  category: 'prefixed_token',
  severity: 'medium',
  score: 0.65,
  patterns: ['\\b[a-z][a-z0-9]{1,9}_(?:[a-z]{2,8}_){0,2}[A-Za-z0-9]{36,}\\b'],
  // Most vendors now write tokens as GitHub does, a short name before random characters: this rule finds those that
  // have no separate rule.
  check: (match) => {
    const body = match.slice(match.lastIndexOf('_') + 1);
    const isMixed = /\d/.test(body) && /[a-z]/.test(body) && /[A-Z]/.test(body);
    const isNamed = NAMED_ELSEWHERE.test(match) || TEST_TOKEN.test(match);
    return isMixed && !isNamed && !isMadeUp(match) && restlessness(body) >= 0.25 && entropy(body) >= 4
      ? 0.65
      : undefined;
  },
  message: "Text contains random characters after a short prefix, as in vendors' tokens.",
};

/** Tokens with a checksum, and credentials recognised by the form around them. */
export const CREDENTIAL_RULES: readonly Rule[] = [
  GITHUB_TOKEN,
  NPM_TOKEN,
  SVC_KEY,
  PRIVATE_KEY,
  AWS_SECRET_KEY,
  JWT,
  PASSWORD_IN_URL,
  AUTHORIZATION_HEADER,
  CURL_USER,
  PREFIXED_TOKEN,
];

export const CREDENTIAL_EXAMPLES: Readonly<Record<string, RuleExamples>> = /* @__PURE__ */ credentialExamples();

function credentialExamples(): Readonly<Record<string, RuleExamples>> {
  const random = (length: number, letter = 'w') => fill(`{${letter}${length}}`, seeded(length * 7919 + letter.length));
  const joined = (...parts: readonly string[]) => parts.join('');
  const withChecksum = (body: string) => body + base62Checksum(body);
  const keyBody = Array.from({ length: 12 }, (_, line) => random(64 - (line === 11 ? 17 : 0))).join('\n');
  return {
    'secrets/github-token': {
      positives: [`token ${joined('gh', 'p_', withChecksum(random(30)))}`, joined('gh', 's_', random(36))],
      negatives: [{ text: joined('gh', 'p_', 'x'.repeat(36)), reason: 'a placeholder' }],
    },
    'secrets/npm-token': {
      positives: [joined('np', 'm_', withChecksum(random(30)))],
      negatives: [{ text: joined('np', 'm_', 'aBcDeF'.repeat(6)), reason: 'a pattern, not chance' }],
    },
    'secrets/svc-key': {
      positives: [joined('svc', '_sk_', withChecksum(random(32)))],
      negatives: [{ text: joined('svc', '_sk_', random(38)), reason: 'the checksum is wrong' }],
    },
    'secrets/private-key': {
      positives: [
        joined('-----BEGIN RSA PRIV', 'ATE KEY-----\n', keyBody, '\n-----END RSA PRIV', 'ATE KEY-----'),
        joined(
          '"-----BEGIN PRIV',
          'ATE KEY-----\\n',
          keyBody.replaceAll('\n', '\\n'),
          '\\n-----END PRIV',
          'ATE KEY-----"',
        ),
      ],
      negatives: [
        {
          text: joined('-----BEGIN PRIV', 'ATE KEY-----\n...\n-----END PRIV', 'ATE KEY-----'),
          reason: 'the key is left out',
        },
        { text: joined('-----BEGIN PUB', 'LIC KEY-----\n', keyBody), reason: 'a public key' },
      ],
    },
    'secrets/aws-secret-key': {
      positives: [`aws_secret_access_key = ${random(40)}`],
      negatives: [{ text: `aws_secret_access_key = ${'EXAMPLEKEY'.repeat(4)}`, reason: 'a placeholder' }],
    },
    'secrets/jwt': {
      positives: [joined('ey', 'J', btoa('{"alg":"HS256"}').slice(3, -2), '.ey', 'J', random(40), '.', random(43))],
      negatives: [{ text: joined('ey', 'J', random(20)), reason: 'one part only' }],
    },
    'secrets/password-in-url': {
      positives: [
        joined('postgres://app:', 'tr0ub4dor', '@db.acme.io:5432/main'),
        joined('https://', random(40), ':x-oauth-basic', '@github.com/acme/app'),
      ],
      negatives: [
        { text: 'postgres://user:password@localhost/db', reason: 'a placeholder' },
        { text: joined('postgres://app:', '$', '{DB_PASSWORD}@db.acme.io/main'), reason: 'a variable' },
        { text: 'https://acme.io:8443/path', reason: 'a port' },
      ],
    },
    'secrets/authorization-header': {
      positives: [`Authorization: Bearer ${random(40)}`],
      negatives: [{ text: 'Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE', reason: 'a placeholder' }],
    },
    'secrets/curl-user': {
      positives: [joined('curl -s -u deploy:', 'tr0ub4', 'dor9 https://ci.acme.io/job')],
      negatives: [
        { text: joined('curl -u "', '$', '{USER}:', '$', '{PASS}" https://ci.acme.io'), reason: 'variables' },
        { text: 'curl --user username:password https://ci.acme.io', reason: 'words of a manual' },
      ],
    },
    'secrets/prefixed-token': {
      positives: [joined('acme', '_pat_', random(40))],
      negatives: [
        { text: `feat_test_${random(38)}`, reason: 'an id of a test' },
        { text: 'get_connection_for_the_authenticated_userInTheCurrentSessionOfTheApplication', reason: 'a name' },
        { text: `chunk_${random(40, 'h')}`, reason: 'a hash: no upper case' },
      ],
    },
  };
}
