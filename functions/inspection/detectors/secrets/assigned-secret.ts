import type { Rule, RuleExamples } from '../../matching/index.ts';
import { withoutEnding } from '../match-context.ts';
import { fill, seeded } from './example-tokens.ts';
import { characterKindChanges, entropy, isKnownPublic, isMadeUp, isSequence } from './randomness.ts';
import { SHARED, TYPED_SCORE } from './secret-rule.ts';

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
  '(?:(?:[_.-]|\\b(?:db|smtp|mail|user|ssh|require))pass|psk|api[_ -]?key|(?:auth|access|secret|private|signing|master|encryption|account|storage|shared|license|session|service)[_ -]?key|[_-]key|secret|token|passw(?:or)?d|passwd|passphrase|passcode|pwd|credentials?)';
const PASSWORD_NAME = /pass(?:$|w|phrase|code)|pwd|psk|pw$/i;
/** Endings of names that are about a secret but do not hold it, and words before public names. */
const ABOUT_A_SECRET =
  /(?:id|ids|name|length|size|file|path|url|uri|type|version|count|index|arn|vault|hash|limit|usage|izer)$/i;
const PUBLIC_THING =
  /(?:public|csrf|xsrf|authenticity|page|continuation|cursor|sync|pagination|primary|foreign|sort|idempotency|cache|partition|row|object|hash|routing|unique|lookup|translation|host|known|node|design|nft|erc20|max)[_ -]?$/i;
/** Formats with separate rules. */
const READ_ELSEWHERE =
  /^(?:gh[pousr]_|github_pat_|npm_|sk[-_]|rk_|svc_sk_|AKIA|ASIA|AIza|ey[A-Z]|xox|xapp-|whsec_|hf_|gl[a-z]{2,5}-|pypi-|dckr_|SG\.|https?:)|^[A-Za-z0-9+/]{86}==$/;
/** Code and file names, not values: a member access, a variable, words joined by dashes. */
const CODE =
  /[.](?:[a-z_]{3,}|get|env)|^[$%@&*!:]|[$%]$|^(?:process|os|env|config|self|this|req|secrets?|vars?|arn|urn|file|new)\b|^[a-z]+(?:[_.:-][a-z]+)+\d?$|^\w+(?:::\w+)+$|\/\/|(?:^|\/)(?:\w+\/){2}|^[\w.:!?-]+[([]/i;
/** Consonants in a row that hardly any word has. */
const UNSPOKEN = /[bcdfghjklmnpqrstvwxz]{5}/i;
/** A value to be filled in. */
const TEMPLATE = /[$#]\{[\w.:-]{2,}\}|\$\(|\{\{[\w.-]{2,}\}\}|\{[a-z_]{3,}\}|%\(\w+\)[sd]|^[<%]|^\[.*\]$/i;
/** Secrets of payment pages, meant for the payer's browser. */
const SHOWN_TO_CLIENTS = /^(?:pi|seti|src|cs)_\w*secret_/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]+$/i;
/** Hexadecimal digits with letters of one case. */
const ONE_CASE = /^(?:\d*[a-f][0-9a-f]*|\d*[A-F][0-9A-F]*)$/;

const BARE_VALUE = '[a-z0-9/+_.!@#$%^&*~=|:?-]{8,}';
/** The mark of a string with what languages write before it: `b"`, `@"`, `\"`. */
const OPENING = '(?:[a-z@$&]{0,2}|new string\\()\\\\?["\'`]';
const QUOTED_VALUE = `${OPENING}[^"'\`\\s\\\\]{8,}`;
/** A bracket after it makes a bare value a call. */
const VALUE = `(?:${BARE_VALUE}[([]?|${QUOTED_VALUE})`;
/** The end of a quoted name, or a type after it. */
const CLOSING = '\\\\?["\'`\\])[]{0,2}(?::? ?&?(?:str|string|char)\\b)?';
const OPERATOR = '(?::=|=>|={1,3}|!={1,2}|:|>|\\sis:?\\s)';
const ASSIGNMENT = [
  `${CLOSING}\\s{0,3}${OPERATOR}\\s{0,3}${VALUE}`,
  // Arguments, attributes beside a name's, entries beside a name's: only in quotes, or after their word.
  `["'\`]?(?:\\.equals)?\\s{0,2}[,(]?\\s{0,3}["'][^"'\`\\s]{8,}`,
  `["']?\\s{1,12}value\\s?[:=]\\s?${VALUE}`,
].join('|');
/** Between the name and the value. */
const BETWEEN =
  /\\?["'`\])[]{0,2}(?:(?::? ?&?(?:str|string|char)\b)?\s{0,3}(?::=|=>|={1,3}|!={1,2}|:|>|\sis:?\s)\s{0,3}(?:(?:[a-z@$&]{0,2}|new string\()\\?["'`])?|\s{1,12}value\s?[:=]\s?["'`]?|(?:\.equals)?\s{0,3}[,(]?\s{0,3}["'])/i;
const LAST_WORD = /\s["'`]?(\S{1,200})$/;

export const ASSIGNED_SECRET: Rule = {
  ...SHARED,
  id: 'secrets/assigned-secret',
  category: 'assigned_secret',
  severity: 'medium',
  score: 0.6,
  ignoreCase: true,
  patterns: [
    `${SECRET_NAME}[a-z0-9_-]{0,20}(?:${ASSIGNMENT})`,
    `\\b(?:[a-z0-9]{1,20}_)?(?:${VENDOR_NAMES})[a-z0-9_.-]{0,24}(?:${ASSIGNMENT})`,
    // A log's \`PASS: name\` is no password.
    `\\b(?:pass|pw)(?:["']?\\s{0,3}[=:]\\s{0,3}${QUOTED_VALUE}|=${BARE_VALUE}[([]?)`,
    // Arguments of commands and entries of files, and sentences.
    `(?:--(?:[a-z]{1,12}-){0,3}|\\b(?:env|setx|setenv) [a-z0-9_]{0,30})${SECRET_NAME}[a-z0-9_-]{0,20} ${BARE_VALUE}`,
    `\\bpass(?:word|code|phrase) (?:for|of|to|on) (?:[a-z0-9_.@'-]{1,24} ){1,4}is:? ["'\`]?${BARE_VALUE}`,
  ],
  check: (match, { before }) => {
    const text = match.slice(0, 400);
    const isLast = / is:? |^--|^(?:env|setx|setenv) /i.test(text) && LAST_WORD.exec(text);
    const found = isLast || BETWEEN.exec(text);
    if (!found) return undefined;
    const name = text.slice(0, found.index);
    const value = isLast ? (isLast[1] ?? '') : text.slice(found.index + found[0].length);
    if (value.length === 40 && /aws[\w.-]*$/i.test(before + name)) return undefined;
    if (ABOUT_A_SECRET.test(name) || PUBLIC_THING.test(before) || PUBLIC_THING.test(name)) return undefined;
    // Abbreviated by the writer.
    if (value.endsWith('..')) return undefined;
    return secretScore(withoutEnding(value, '.,;:!?'), PASSWORD_NAME.test(name));
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

function secretScore(value: string, isPassword: boolean): number | undefined {
  if (READ_ELSEWHERE.test(value) || SHOWN_TO_CLIENTS.test(value) || CODE.test(value) || TEMPLATE.test(value))
    return undefined;
  if (isPassword) return isChosenPassword(value) ? 0.6 : undefined;
  const [token = ''] = value.split(NEXT_PARAMETER, 1);
  // Generators use no signs or many: one or two are a typing error, or no token.
  const signs = new Set(token.match(SIGNS)).size;
  if (isKnownPublic(token) || isMadeUp(token) || !isDrawn(token) || signs === 1 || signs === 2) return undefined;
  return isSequence(token) ? TYPED_SCORE : 0.6;
}

const STOCK_WORD =
  /^(?:pass(?:word|wd)?|secret|admin|root|user|test|default|none|null|true|false|undefined)[\W_]?\d{0,1}$/i;
const SIGNS = /[!#$&()*<>?@[\]^{}]/g;
const NEXT_PARAMETER = /&[a-z_]{1,20}=/i;

/** Letters, digits and signs together, as in chosen passwords: `tr0ub4dor&3`. */
function isChosenPassword(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  if (isMadeUp(value) || STOCK_WORD.test(value) || UUID.test(value) || isNameOfOne(value)) return false;
  if (!/\d/.test(value)) return kinds >= 2 && new Set(value.match(SIGNS)).size >= 3;
  return kinds >= (value.length >= 12 || isRestless(value) ? 2 : 3);
}

/** `newPassword1`, `secret_2_label`: letters with at most one number, about a password. */
function isNameOfOne(value: string): boolean {
  const parts = value.split(/\d{1,4}/);
  return parts.length <= 2 && parts.every((part) => /^[a-z_-]*$/i.test(part)) && /passw|pwd|secret/i.test(value);
}

/** Digits between the letters, not only after them. */
function isRestless(value: string): boolean {
  return characterKindChanges(value) >= 0.25 && !isSequence(value);
}

/** Characters as a generator makes them: hexadecimal digits, or letters and digits that alternate often. */
function isDrawn(value: string): boolean {
  if (UUID.test(value)) return true;
  if (value.length < 12 || /^\d+$/.test(value)) return false;
  if (HEX.test(value)) return value.length >= 16 && /\d/.test(value) && ONE_CASE.test(value) && entropy(value) >= 2.6;
  if (entropy(value) < 3.2) return false;
  const hasDigit = /\d/.test(value);
  if (characterKindChanges(value) >= 0.18) return hasDigit || value.length >= 24;
  return hasDigit && value.length >= 20 && UNSPOKEN.test(value) && !isSequence(value);
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
        `define('DB_PASSWORD', '${joined('k3j9', 'x2mq')}');`,
        `<add key="ApiKey" value="${random(32)}" />`,
        `- name: SMTP_PASS\n  value: ${joined('Tr0ub', '4dor&3')}`,
        `password => "${joined('(9;', 'kettle,', '){blue')}"`,
        `acme_key: '${random(32, 'l')}'`,
        `twitter_token: ${joined('qzvkt7', 'wrnghdl', 'mxpbo3a')}`,
        `# deploy --api-key ${random(32)}`,
        `https://api.acme.io/v1?access_token=${random(32)}&page=2`,
        `const DB_PASSWORD: &str = b"${joined('k3j9', 'x2mq')}";`,
        joined('{\\"password\\": \\"', 'k3j9', 'x2mq\\"}'),
        `The password for the admin account is ${joined('Tr0ub', '4dor&3')}`,
        `ENV DB_PASSWORD ${joined('k3j9', 'x2mq')}`,
        `{"user": "anna", "pass": "${joined('k3j9', 'x2mq')}"}`,
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
        { text: 'password = get_password("db_main_1")', reason: 'a call' },
        { text: 'password: "{{ vault_db_password1 }}"', reason: 'a template' },
        { text: joined('password: "', '$', '{DB_PASSWORD_1}"'), reason: 'a variable' },
        { text: 'setPassword("newPassword1")', reason: 'names itself a password' },
        { text: 'PASS: test_login_2 (0.03s)', reason: 'a log of tests' },
        { text: 'The password for guests is at least 8 characters', reason: 'a rule for passwords' },
        { text: 'token: stylesheetloaderworkbook2', reason: 'words' },
        { text: 'tokenizer = "gpt2-medium-355M-x1"', reason: 'no token' },
        { text: `cache_key: "${random(32, 'l')}"`, reason: 'opens no door' },
        {
          text: `meraki_api_key: ${joined('aB3f', '9C2d')}${random(32, 'h')}`,
          reason: 'hexadecimal digits in two cases',
        },
        { text: `acme_api_key: "${random(16)}?${random(15)}"`, reason: 'no character of a token' },
        { text: '--password-file /run/secrets/db1', reason: 'a file' },
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
