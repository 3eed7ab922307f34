import type { RuleExamples } from '../../core/inspect/rule.ts';
import { base62Checksum } from '../../core/keys/api-key-format.ts';
import { fill, seeded, VENDOR_TEMPLATES } from './secret-templates.examples.ts';

const random = (length: number, letter = 'w') => fill(`{${letter}${length}}`, seeded(length * 7919 + letter.length));
const joined = (...parts: readonly string[]) => parts.join('');
const withChecksum = (body: string) => body + base62Checksum(body);

/** A token of each form, with what it must not be mistaken for: the same with its end crossed out. */
function vendorExamples([thing, templates]: readonly [string, readonly string[]]): [string, RuleExamples] {
  const tokens = templates.map((template) => fill(template, seeded(template.length * 7919)));
  return [
    `secrets/${thing}`,
    {
      positives: tokens.map((token) => `use ${token} here`),
      negatives: tokens.map((token) => ({ text: `use ${crossedOut(token)} here`, reason: 'a placeholder' })),
    },
  ];
}

function crossedOut(token: string): string {
  return token.slice(0, -14) + token.slice(-14).replace(/[A-Za-z0-9]/g, 'x');
}

const PRIVATE_KEY_BODY = Array.from({ length: 12 }, (_, line) => random(64 - (line === 11 ? 17 : 0))).join('\n');

const AZURE_SECRET = fill('{w3}8Q~{w34}', seeded(13));

export const SECRET_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  ...Object.fromEntries(Object.entries(VENDOR_TEMPLATES).map(vendorExamples)),
  'secrets/azure-client-secret': {
    positives: [
      `use ${AZURE_SECRET} here`,
      `"${AZURE_SECRET}"`,
      AZURE_SECRET,
      `${AZURE_SECRET.replace(/^./, '~')} is it`,
    ],
    negatives: [
      { text: `use ${crossedOut(AZURE_SECRET)} here`, reason: 'a placeholder' },
      { text: `build-${AZURE_SECRET}`, reason: 'the end of something longer' },
      { text: `x${AZURE_SECRET}`, reason: 'four characters before the mark' },
    ],
  },
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
  'secrets/assigned-secret': {
    positives: [
      `API_KEY="${random(32)}"`,
      `password: ${joined('K9#v', 'tQ2!', 'mZ7x')}`,
      `my password is ${joined('Tr0ub', '4dor&3')}`,
      `datadogToken = "${random(40, 'l')}"`,
      `HEROKU_KEY=${fill('{h8}-{h4}-{h4}-{h4}-{h12}', seeded(11))}`,
      `<clientSecret>${random(30)}</clientSecret>`,
    ],
    negatives: [
      { text: 'password = os.environ["DB_PASSWORD"]', reason: 'reads it from elsewhere' },
      { text: 'api_key: your_api_key_here_12', reason: 'a placeholder' },
      { text: 'client_secret = config.clientSecret1', reason: 'code' },
      { text: `public_key = "${random(43)}"`, reason: 'public' },
      { text: `secretId: "${random(24)}"`, reason: 'names a secret' },
      { text: `nextPageToken: "${random(40)}"`, reason: 'leads to a page' },
      { text: 'token: openai::types::ChatCompletionRequest9', reason: 'a type' },
      { text: 'the token is RequestHandlerFactoryBean', reason: 'a name' },
      { text: 'my password is too short', reason: 'a sentence' },
    ],
  },
};
