import { base62Checksum, endsWithChecksum } from '../../../kernel/crypto/index.ts';
import type { Rule, RuleExamples } from '../../matching/index.ts';
import { matchesOf } from '../published-examples.ts';
import { fill, seeded } from './example-tokens.ts';
import { isStockPassword } from './password-rules.ts';
import { characterKindChanges, entropy, isPlaceholder, looksRandom } from './randomness.ts';
import { SHARED } from './secret-rule.ts';

const GITHUB_TOKEN: Rule = {
  ...SHARED,
  id: 'secrets/github-token',
  category: 'github_token',
  severity: 'critical',
  score: 0.99,
  patterns: ['\\bgh[pousr]_[A-Za-z0-9]{36}\\b', '\\bghr_[A-Za-z0-9]{76}\\b'],
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
    '---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----[A-Za-z0-9+/=\\s\\\\:,"-]+',
    // PuTTY's, and a PEM file in base64: that of `-----BEGIN ... PRIVATE KEY-----`.
    'Private-Lines: \\d{1,3}\\s+[A-Za-z0-9+/=\\s]+',
    'LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURSBLRVkt|BQUklWQVRFIEtFWS0t|BFQyBQUklWQVRFIEtFWS0t|BPUEVOU1NIIFBSSVZBVEUgS0VZ)[A-Za-z0-9+/=]{40,}',
  ],
  check: (match) => {
    const body = match.replace(/-{4,5}[A-Z0-9 ]+-{4,5}|^Private-Lines: \d+|[^A-Za-z0-9+/]/g, '').slice(0, 4000);
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
  // AWS's manuals.
  documented: matchesOf(/(?:wJalrXUtnFEMI|je7MtGbClwBF)[A-Za-z0-9/+]{16,18}EXAMPLEKEY\b/g),
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
    if (!/^\{.*"alg"/s.test(decodedHeader(match))) return undefined;
    if (/SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c$|x{6}/.test(match)) return undefined;
    return match.endsWith('.') ? 0.55 : 0.8;
  },
  documented: matchesOf(
    /\bey[A-Za-z0-9]{10,200}\.ey[A-Za-z0-9_-]{8,400}\.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c\b/g,
  ),
  message: 'Text contains a signed web token, which lets its holder act as its owner.',
};

/** The first part of a web token as text, or nothing if it is no base64. */
function decodedHeader(token: string): string {
  try {
    return atob(token.slice(0, token.indexOf('.')));
  } catch {
    return '';
  }
}

/** The user and password of the basic scheme (RFC 7617), if the text is base64 of them. */
function basicCredentials(text: string): string | undefined {
  try {
    const decoded = atob(text);
    return /^[!-9;-~]+:[ -~]+$/.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

const AUTHORIZATION_HEADER: Rule = {
  ...SHARED,
  id: 'secrets/authorization-header',
  category: 'authorization_header',
  score: 0.75,
  ignoreCase: true,
  patterns: [
    'authorization["\']?\\s{0,3}[:=]\\s{0,3}["\']?(?:(?:bearer|basic|token|apikey|key|ssws|digest)\\s{1,3}(?:token=)?)?["\']?[a-z0-9._~@+/=-]{12,}={0,2}',
    // Docker's and npm's files.
    '\\b_?auth["\']?\\s{0,3}[:=]\\s{0,3}["\']?[a-z0-9+/]{12,}={0,2}',
  ],
  check: (match) => {
    const value = (match.split(/[\s"':]|^_?auth=/i).at(-1) ?? '').replace(/^token=/i, '');
    const credentials = basicCredentials(value);
    if (credentials !== undefined)
      return isStockPassword(credentials.slice(credentials.indexOf(':') + 1)) ? undefined : 0.75;
    if (!/^authorization/i.test(match) || value.length < 16) return undefined;
    const readElsewhere = /^ey[A-Z]|^(?:gh[pousr]|sk|svc_sk)[_-]/.test(value);
    return !readElsewhere && isDrawn(value) ? 0.75 : undefined;
  },
  message: 'Text contains credentials from a request header.',
};

function isDrawn(value: string): boolean {
  return !isPlaceholder(value) && /\d/.test(value) && entropy(value) >= 3 && characterKindChanges(value) >= 0.15;
}

const SESSION_COOKIE: Rule = {
  ...SHARED,
  id: 'secrets/session-cookie',
  category: 'session_cookie',
  severity: 'medium',
  score: 0.6,
  ignoreCase: true,
  patterns: [
    '\\bcookie["\']?\\s{0,3}[:=]\\s{0,3}["\']?(?:[^\\n"\']*[; ])?[a-z0-9_.-]{0,30}(?:sess|sid|auth|token|jwt)[a-z0-9_.-]{0,20}=[a-z0-9%._~+/-]{20,}',
  ],
  check: (match) => {
    const [name = '', value = ''] = (/[^\s;"':]{1,400}$/.exec(match)?.[0] ?? '').split('=');
    return /[cx]srf/i.test(name) || !isDrawn(value) ? undefined : 0.6;
  },
  message: 'Text contains the cookie of a session, which lets its holder act as its owner.',
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
    return isMixed &&
      !isNamed &&
      !isPlaceholder(match) &&
      !/^[0-9a-f]+$/i.test(body) &&
      characterKindChanges(body) >= 0.25 &&
      entropy(body) >= 4
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
  AUTHORIZATION_HEADER,
  SESSION_COOKIE,
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
        joined('Encryption: none\nPrivate-Li', `nes: 12\n${keyBody}\nPrivate-MAC: ${random(40, 'h')}`),
        joined('---- BEGIN SSH2 PRIV', `ATE KEY ----\n${keyBody}`),
        joined('tls.key: LS0tLS1CRUdJTi', `BSU0EgUFJJVkFURSBLRVkt${random(200)}`),
      ],
      negatives: [
        {
          text: joined('-----BEGIN PRIV', 'ATE KEY-----\n...\n-----END PRIV', 'ATE KEY-----'),
          reason: 'the key is left out',
        },
        { text: joined('-----BEGIN PUB', 'LIC KEY-----\n', keyBody), reason: 'a public key' },
        { text: `Public-Lines: 12\n${keyBody}`, reason: 'the public half' },
        { text: `certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0t${random(200)}`, reason: 'a certificate' },
      ],
    },
    'secrets/aws-secret-key': {
      positives: [`aws_secret_access_key = ${random(40)}`],
      negatives: [{ text: `aws_secret_access_key = ${'EXAMPLEKEY'.repeat(4)}`, reason: 'a placeholder' }],
    },
    'secrets/jwt': {
      positives: [
        joined('ey', 'J', btoa('{"alg":"HS256"}').slice(3).replace('=', ''), '.ey', 'J', random(40), '.', random(43)),
      ],
      negatives: [
        { text: joined('ey', 'J', random(20)), reason: 'one part only' },
        { text: joined('ey', 'J', random(20), '.ey', 'J', random(40), '.', random(43)), reason: 'no header in it' },
      ],
    },
    'secrets/authorization-header': {
      positives: [
        `Authorization: Bearer ${random(40)}`,
        `Authorization: SSWS ${random(40)}`,
        `authorization: basic ${btoa(joined('deploy:', 'kettleblue'))}`,
        `{"auths":{"https://index.docker.io/v1/":{"auth":"${btoa(joined('anna:', 'hunter22x'))}"}}}`,
      ],
      negatives: [
        { text: 'Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE', reason: 'a placeholder' },
        { text: `Authorization: Basic ${btoa('username:password')}`, reason: 'words of a manual' },
        { text: '"auth": "oauth2clientcredentials"', reason: 'a kind of login' },
        { text: `auth: ${random(24)}`, reason: 'no user and password in base64' },
      ],
    },
    'secrets/session-cookie': {
      positives: [
        `Cookie: lang=de; session=${random(40)}`,
        `Set-Cookie: JSESSIONID=${random(32, 'u')}; HttpOnly`,
        `curl -b x -H 'cookie: connect.sid=s%3A${random(32)}'`,
      ],
      negatives: [
        { text: `Set-Cookie: csrftoken=${random(32)}; Path=/`, reason: 'protects forms' },
        { text: 'Cookie: sessionid=your-session-id-goes-here-now', reason: 'a placeholder' },
        { text: `Cookie: theme=dark; consent=${random(32)}`, reason: 'no session' },
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
