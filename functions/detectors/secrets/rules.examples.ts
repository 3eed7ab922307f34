import { base62Checksum } from '../../core/access/base62-checksum.ts';
import type { RuleExamples } from '../../core/inspect/rule.ts';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const BASE32 = `${UPPER}234567`;
const BASE62 = DIGITS + UPPER + LOWER;
const BASE36 = DIGITS + UPPER;
const HEX = `${DIGITS}abcdef`;

/** Characters without a pattern, the same at each run: made here, so that no scanner finds a token in this file. */
function random(length: number, alphabet = BASE62): string {
  let state = length * 7919 + alphabet.length;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet.charAt(Math.floor((state / 2_147_483_648) * alphabet.length));
  }).join('');
}

const joined = (...parts: readonly string[]) => parts.join('');
const withChecksum = (body: string) => body + base62Checksum(body);

/** Each vendor rule with its tokens; the same with an obvious placeholder is no finding. */
const VENDOR_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'aws-access-key': [joined('AK', 'IA', random(16, BASE32))],
  'github-fine-grained-token': [joined('github', '_pat_', random(22), '_', random(59))],
  'gitlab-token': [joined('gl', 'pat-', random(20))],
  'openai-key': [joined('sk', '-proj-', random(74)), joined('sk', '-', random(20), 'T3Blbk', 'FJ', random(20))],
  'anthropic-key': [joined('sk', '-ant-api03-', random(93), 'AA')],
  'openrouter-key': [joined('sk', '-or-v1-', random(64, HEX))],
  'slack-token': [joined('xo', 'xb-', random(12, DIGITS), '-', random(13, DIGITS), '-', random(24))],
  'slack-webhook': [
    joined('https://hooks.slack', '.com/services/T', random(8, BASE36), '/B', random(10, BASE36), '/', random(24)),
  ],
  'discord-webhook': [joined('https://discord', '.com/api/webhooks/', random(18, DIGITS), '/', random(68))],
  'stripe-live-key': [joined('sk', '_live_', random(24))],
  'stripe-test-key': [joined('sk', '_test_', random(24))],
  'stripe-webhook-secret': [joined('wh', 'sec_', random(32))],
  'google-api-key': [joined('AI', 'za', random(35))],
  'google-oauth-secret': [joined('GOC', 'SPX-', random(28))],
  'google-oauth-token': [joined('ya', '29.', random(60))],
  'pypi-token': [joined('pypi-', 'AgEIcHlwaS5vcmc', random(60))],
  'rubygems-key': [joined('ruby', 'gems_', random(48, HEX))],
  'docker-token': [joined('dckr', '_pat_', random(27))],
  'sendgrid-key': [joined('S', 'G.', random(22), '.', random(43))],
  'mailchimp-key': [joined(random(32, HEX), '-us', '12')],
  'mailgun-key': [joined('key', '-', random(32, HEX))],
  'twilio-key': [joined('S', 'K', random(32, HEX))],
  'huggingface-token': [joined('h', 'f_', random(34, UPPER + LOWER))],
  'digitalocean-token': [joined('dop', '_v1_', random(64, HEX))],
  'shopify-token': [joined('shp', 'at_', random(32, HEX))],
  'databricks-token': [joined('da', 'pi', random(32, HEX))],
  'telegram-token': [joined(random(10, '123456789'), ':A', 'A', random(33))],
  'azure-storage-key': [joined('Account', 'Key=', random(86), '==')],
  'atlassian-token': [joined('ATA', 'TT3', random(180))],
  'linear-key': [joined('lin', '_api_', random(40))],
  'notion-token': [joined('nt', 'n_', random(11, DIGITS), random(35))],
  'groq-key': [joined('gs', 'k_', random(52))],
  'xai-key': [joined('xa', 'i-', random(80))],
  'perplexity-key': [joined('pp', 'lx-', random(48))],
  'replicate-token': [joined('r', '8_', random(37))],
  'vault-token': [joined('hv', 's.', random(90))],
  'terraform-token': [joined(random(14), '.atlas', 'v1.', random(67))],
  'doppler-token': [joined('dp', '.pt.', random(43))],
  'grafana-token': [joined('gl', 'sa_', random(32), '_', random(8, HEX))],
  'newrelic-key': [joined('NR', 'AK-', random(27, BASE36))],
  'postman-key': [joined('PM', 'AK-', random(24, HEX), '-', random(34, HEX))],
  'sentry-token': [joined('sntry', 'u_', random(64, HEX))],
  'supabase-key': [joined('sb', 'p_', random(40, HEX))],
  'square-token': [joined('sq0', 'atp-', random(22))],
  'airtable-token': [joined('pa', 't', random(14), '.', random(64, HEX))],
  'planetscale-token': [joined('pscale', '_tkn_', random(43))],
  'dynatrace-token': [joined('dt0', 'c01.', random(24, BASE36), '.', random(64, BASE36))],
  'age-secret-key': [joined('AGE-SECRET', '-KEY-1', random(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'))],
};

const PRIVATE_KEY_BODY = Array.from({ length: 12 }, (_, line) => random(64 - (line === 11 ? 17 : 0))).join('\n');

export const SECRET_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  ...Object.fromEntries(
    Object.entries(VENDOR_EXAMPLES).map(([thing, tokens]) => [
      `secrets/${thing}`,
      {
        positives: tokens.map((token) => `use ${token} here`),
        negatives: tokens.map((token) => ({
          text: `use ${token.slice(0, -20)}${'x'.repeat(20)} here`,
          reason: 'a placeholder',
        })),
      },
    ]),
  ),
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
      joined('-----BEGIN RSA PRIV', 'ATE KEY-----\n', PRIVATE_KEY_BODY, '\n-----END RSA PRIV', 'ATE KEY-----'),
      joined(
        '"-----BEGIN PRIV',
        'ATE KEY-----\\n',
        PRIVATE_KEY_BODY.replaceAll('\n', '\\n'),
        '\\n-----END PRIV',
        'ATE KEY-----"',
      ),
    ],
    negatives: [
      {
        text: joined('-----BEGIN PRIV', 'ATE KEY-----\n...\n-----END PRIV', 'ATE KEY-----'),
        reason: 'the key is left out',
      },
      { text: joined('-----BEGIN PUB', 'LIC KEY-----\n', PRIVATE_KEY_BODY), reason: 'a public key' },
    ],
  },
  'secrets/aws-secret-key': {
    positives: [`aws_secret_access_key = ${random(40, `${BASE62}/+`)}`],
    negatives: [{ text: `aws_secret_access_key = ${'EXAMPLEKEY'.repeat(4)}`, reason: 'a placeholder' }],
  },
  'secrets/jwt': {
    positives: [joined('ey', 'J', btoa('{"alg":"HS256"}').slice(3, -2), '.ey', 'J', random(40), '.', random(43))],
    negatives: [{ text: joined('ey', 'J', random(20)), reason: 'one part only' }],
  },
  'secrets/password-in-url': {
    positives: [joined('postgres://app:', 'tr0ub4dor', '@db.acme.io:5432/main')],
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
  'secrets/assigned-secret': {
    positives: [`API_KEY="${random(32)}"`, `password: ${joined('K9#v', 'tQ2!', 'mZ7x')}`],
    negatives: [
      { text: 'password = os.environ["DB_PASSWORD"]', reason: 'reads it from elsewhere' },
      { text: 'api_key: your_api_key_here_12', reason: 'a placeholder' },
      { text: 'client_secret = config.clientSecret1', reason: 'code' },
    ],
  },
};
