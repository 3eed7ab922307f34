import type { Rule, RuleExamples } from '../../core/inspect/rule.ts';
import { withoutEnding } from '../match-context.ts';
import { fill, seeded } from './example-tokens.ts';
import { entropy, isKnownPublic, isMadeUp, isPlaceholder, restlessness } from './randomness.ts';
import { SHARED } from './secret-rule.ts';

/**
 * Services whose keys have no prefix: random characters assigned to one of these names are taken for a key.
 * Alternatives of a pattern in lower case. Everyday words are left out: `linear_token` is found by its `token`.
 */
const VENDOR_NAMES = [
  'adafruit|adobe|airtable|algolia|alibaba|aliyun|artifactory|asana|atlassian|auth0|beamer|bintray|bitbucket',
  'bittrex|cloudflare|codecov|coinbase|confluence|confluent|contentful|cohere|datadog|discord|droneci',
  'dropbox|etsy|facebook|fastly|finicity|finnhub|flickr|freshbooks|gitter|gocardless|heroku|hubspot|intercom',
  'jfrog|jira|kraken|kucoin|launchdarkly|linkedin|looker|lob|mailchimp|mailgun|mapbox|mattermost|maxmind',
  'meraki|message[_-]?bird|mistral|netlify|new[_-]?relic|nytimes|okta|openai|pagerduty|plaid|privateai',
  'pusher|rapidapi|segment|sendbird|sendgrid|sentry|shopify|snyk|sonar|squarespace|sumologic',
  'sumo[_.-]?(?:access|api|token|key)|travis|trello|twilio|twitch|twitter|vercel|yandex|zendesk|deepgram',
  'assemblyai|azure|wandb|cloudinary|razorpay|paypal|braintree|zoom',
].join('|');

const SECRET_NAME =
  '(?:api[_ -]?key|(?:auth|access|secret|private|signing|master|encryption|account|storage|shared|license|session|service)[_ -]?key|secret|token|passw(?:or)?d|passwd|passphrase|pwd|credentials?)';
const PASSWORD_NAME = /passw|pwd|passphrase/i;
/** Endings of names that are about a secret but do not hold it, and words before public names. */
const ABOUT_A_SECRET =
  /(?:id|ids|name|length|size|file|path|url|uri|type|version|count|index|arn|vault|hash|limit|usage)$/i;
const PUBLIC_THING =
  /(?:public|csrf|xsrf|authenticity|page|continuation|cursor|sync|pagination|primary|foreign|sort|idempotency|cache|design|nft|erc20|max)[_ -]?$/i;
/** Formats with separate rules. */
const READ_ELSEWHERE =
  /^(?:gh[pousr]_|github_pat_|npm_|sk[-_]|rk_|svc_sk_|AKIA|ASIA|AIza|ey[A-Z]|xox|xapp-|whsec_|hf_|gl[a-z]{2,5}-|pypi-|dckr_|SG\.|https?:)|^[A-Za-z0-9+/]{86}==$/;
/** Code and file names, not values: a member access, a variable, words joined by dashes. */
const CODE =
  /[.](?:[a-z_]{3,}|get|env)|^[$%@&*!:]|[$%]$|^(?:process|os|env|config|self|this|req|secrets?|vars?|arn|urn|file|new)\b|^[a-z]+(?:[_.:-][a-z]+)+\d?$|^\w+(?:::\w+)+$|\/\/|(?:^|\/)(?:\w+\/){2}/i;
/** Secrets of payment pages, meant for the payer's browser. */
const SHOWN_TO_CLIENTS = /^(?:pi|seti|src|cs)_\w*secret_/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]+$/i;

const ASSIGNMENT = '["\'`\\])]{0,2}\\s{0,3}(?::=|=>|={1,2}|:|>|\\sis\\s)\\s{0,3}["\'`]?[a-z0-9/+_.!@#$%^&*~=|:?-]{8,}';
const PARTS = /^([^:=>\n]*?)["'`\])]{0,2}\s{0,3}(?::=|=>|={1,2}|:|>|\sis\s)\s{0,3}["'`]?(\S+)$/is;

export const ASSIGNED_SECRET: Rule = {
  ...SHARED,
  id: 'secrets/assigned-secret',
  category: 'assigned_secret',
  severity: 'medium',
  score: 0.6,
  ignoreCase: true,
  patterns: [
    `${SECRET_NAME}[a-z0-9_-]{0,20}${ASSIGNMENT}`,
    `\\b(?:[a-z0-9]{1,20}_)?(?:${VENDOR_NAMES})[a-z0-9_.-]{0,24}${ASSIGNMENT}`,
  ],
  check: (match, { before }) => {
    const [, name = '', value = ''] = PARTS.exec(match.slice(0, 400)) ?? [];
    if (value.length === 40 && /aws[\w.-]*$/i.test(before + name)) return undefined;
    if (ABOUT_A_SECRET.test(name) || PUBLIC_THING.test(before) || PUBLIC_THING.test(name)) return undefined;
    // Abbreviated by the writer.
    if (value.endsWith('..')) return undefined;
    return isSecretValue(withoutEnding(value, '.,;:!?'), PASSWORD_NAME.test(name)) ? 0.6 : undefined;
  },
  message: 'A password, key or token is written beside its name.',
};

/** The word for `password`, in lower case as far as the script has it. */
const PASSWORD_WORDS = [
  'contraseña|clave de acceso|senha|palavra-passe|mot de passe|passwort|kennwort|wachtwoord|parol[ae]|hasło|heslo|jelszó|lösenord',
  'adgangskode|passord|salasana|lozinka|geslo|şifre|mật khẩu|kata sandi|κωδικός(?: πρόσβασης)?|пароль|парола|סיסמה|كلمة (?:المرور|السر)',
  '密码|密碼|口令|パスワード|비밀번호|รหัสผ่าน|पासवर्ड',
].join('|');
const VALUE_AT_END = /[!-~]{8,64}$/;

/** A chosen password after the word for it, in other languages than English. */
export const NAMED_PASSWORD: Rule = {
  ...SHARED,
  // Not the system prompt: a doubtful finding in it would flag each request.
  surfaces: ['user', 'tool', 'output'],
  id: 'secrets/named-password',
  category: 'named_password',
  severity: 'medium',
  score: 0.6,
  ignoreCase: true,
  patterns: [
    `(?:${PASSWORD_WORDS})\\s{0,3}(?:[=:：]|is|ist|est|es|é|è|to|je|är|er|on|це|это|είναι|은|는|は)?\\s{0,3}["'«“\`]?[a-z0-9/+_.!@#$%^&*~=|?-]{8,64}`,
  ],
  check: (match) => {
    const value = withoutEnding(VALUE_AT_END.exec(match)?.[0] ?? '', '.,;:!?');
    return CODE.test(value) || READ_ELSEWHERE.test(value) || !isChosenPassword(value) ? undefined : 0.6;
  },
  message: 'A password is written beside the word for it.',
};

function isSecretValue(value: string, isPassword: boolean): boolean {
  if (READ_ELSEWHERE.test(value) || SHOWN_TO_CLIENTS.test(value) || CODE.test(value) || isKnownPublic(value))
    return false;
  if (isPassword) return isChosenPassword(value);
  return !isPlaceholder(value) && isDrawn(value);
}

/** Letters, digits and signs together, as in chosen passwords: `tr0ub4dor&3`. */
function isChosenPassword(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const dull =
    /^(?:pass(?:word|wd)?|secret|admin|root|user|test|default|none|null|true|false|undefined)[\W_]?\d{0,1}$/i.test(
      value,
    );
  return !isMadeUp(value) && !dull && !UUID.test(value) && /\d/.test(value) && kinds >= (value.length >= 12 ? 2 : 3);
}

/** Characters as a generator makes them: hexadecimal digits, or letters and digits that alternate often. */
function isDrawn(value: string): boolean {
  if (UUID.test(value)) return true;
  if (value.length < 12 || /^\d+$/.test(value)) return false;
  if (HEX.test(value)) return value.length >= 16 && /\d/.test(value) && /[a-f]/i.test(value) && entropy(value) >= 2.6;
  return restlessness(value) >= 0.18 && entropy(value) >= 3.2 && (/\d/.test(value) || value.length >= 24);
}

export const ASSIGNED_SECRET_EXAMPLES: Readonly<Record<string, RuleExamples>> =
  /* @__PURE__ */ assignedSecretExamples();

function assignedSecretExamples(): Readonly<Record<string, RuleExamples>> {
  const random = (length: number, letter = 'w') => fill(`{${letter}${length}}`, seeded(length * 7919 + letter.length));
  const joined = (...parts: readonly string[]) => parts.join('');
  return {
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
    'secrets/named-password': {
      positives: [
        `usuário atendimento e senha ${joined('UKDJ-', 'HcO7!', '120')}`,
        `Das Passwort ist ${joined('K9#v', 'tQ2!', 'mZ7x')}, bitte ändern.`,
        `Le mot de passe : ${joined('Tr0ub', '4dor&3')}`,
        `パスワードは${joined('K9#v', 'tQ2!', 'mZ7x')}です`,
        `пароль: ${joined('K9#v', 'tQ2!', 'mZ7x')}`,
      ],
      negatives: [
        { text: 'La contraseña es obligatoria para entrar.', reason: 'a sentence' },
        { text: 'Das Passwort 12345678 ist zu einfach.', reason: 'digits alone' },
        { text: 'senha: os.environ["DB_PASSWORD"]', reason: 'reads it from elsewhere' },
        { text: 'Le mot de passe doit avoir 12 caractères.', reason: 'a rule for passwords' },
      ],
    },
  };
}
