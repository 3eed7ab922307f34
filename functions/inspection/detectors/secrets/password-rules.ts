import type { Rule, RuleExamples } from '../../matching/index.ts';
import { fill, seeded } from './example-tokens.ts';
import { characterKindChanges, isPlaceholder } from './randomness.ts';
import { SHARED } from './secret-rule.ts';

/** User names and passwords of manuals. */
const STOCK_PASSWORD =
  /^(?:my|the|your|some|ch|db)?(?:pass(?:word|wd|phrase)?|pwd|pw|secret|user(?:name)?|token|test|admin|root|postgres|guest|changeme|default|foo|bar|abc|xxx|yyy|1{3,4}|[a-z]{1,3})\d?$/i;
const NOBODYS_HOST =
  /^(?:[\w-]+\.)?(?:example\.|test\.com|localhost|127\.|host(?:name)?$|server$|domain\.)|^[^.]+$|\.(?:local|internal|test|svc)(?:\.|$)/i;

/** A variable, a format or a mask in place of a password. */
const FILLED_IN = /[{}$[\]%]{2}|^[$%{[(<*#]/;
const USER_AND_PASSWORD = /^:(?:\/\/|thin:)([^:/@]*)[:/]([^@]*)@\/{0,2}(.*)$/;

/** Whether a password is a placeholder or a word of manuals. */
export function isStockPassword(password: string): boolean {
  return isPlaceholder(password) || STOCK_PASSWORD.test(password) || FILLED_IN.test(password);
}

const PASSWORD_IN_URL: Rule = {
  ...SHARED,
  id: 'secrets/password-in-url',
  category: 'password_in_url',
  score: 0.8,
  ignoreCase: true,
  // From the slashes on, since addresses of any scheme hold passwords; and Oracle's.
  patterns: [
    '://[^\\s:/@"\'`<>()]{0,64}:[^\\s:/@"\'`<>]{3,128}@[^\\s/@"\'`<>:]+',
    ':thin:[a-z0-9_.]{1,64}/[^\\s:/@"\'`<>]{3,128}@[^\\s@"\'`<>:]+',
  ],
  check: (match) => {
    const [, user = '', password = '', host = ''] = USER_AND_PASSWORD.exec(match) ?? [];
    if (isStockPassword(password) || password === user) return undefined;
    // A host of the same network: reported if the password is not a word.
    if (NOBODYS_HOST.test(host)) return /\d/.test(password) && !/^example/i.test(host) ? 0.6 : undefined;
    return 0.8;
  },
  message: 'An address contains a password.',
};

const CONNECTION_STRING: Rule = {
  ...SHARED,
  id: 'secrets/connection-string',
  category: 'connection_string',
  score: 0.7,
  ignoreCase: true,
  patterns: [
    '\\b(?:user(?: ?id|name)?|uid)=[^;&\\n"\'=]{1,64}[;&] ?(?:[^;&\\n"\'=]{1,32}=[^;&\\n"\'=]{0,64}[;&] ?){0,2}(?:password|pwd)=[^;&\\s"\'<>]{4,128}',
  ],
  check: (match) => {
    const password = match.slice(match.lastIndexOf('=', match.length - 4) + 1);
    return isStockPassword(password) || !/\d|[^a-z]/i.test(password) ? undefined : 0.7;
  },
  message: 'Text contains a user name with its password for a database.',
};

const CURL_USER: Rule = {
  ...SHARED,
  id: 'secrets/curl-user',
  category: 'command_line_password',
  score: 0.7,
  patterns: ['\\bcurl\\b[^|]*\\s(?:-u|--user)[ =]{1,3}["\']?[A-Za-z0-9_.@+-]{1,64}:["\']?[^\\s"\'$<{*`]{6,}'],
  check: (match) => {
    const password = match.slice(match.lastIndexOf(':') + 1).replace(/^["']/, '');
    return isStockPassword(password) || !/\d/.test(password) ? undefined : 0.7;
  },
  message: 'A command line contains a user name with its password.',
};

const LOGIN_VALUE = '["\']?[^\\s"\'$<{*`-][^\\s"\'`<{]{5,}';

const LOGIN_COMMAND: Rule = {
  ...SHARED,
  id: 'secrets/login-command',
  category: 'command_line_password',
  score: 0.7,
  ignoreCase: true,
  patterns: [
    `\\bmysql(?:dump|admin|import)?\\s[^|\\n]*-p${LOGIN_VALUE}`,
    `\\bsshpass\\s-p\\s?${LOGIN_VALUE}`,
    `\\b(?:docker|podman|az|oc|cf|registry)\\slogin\\s[^|\\n]*-p\\s${LOGIN_VALUE}`,
    `\\bredis-cli\\s[^|\\n]*-a\\s${LOGIN_VALUE}`,
    // The files .netrc and redis.conf, and SQL.
    `\\blogin\\s{1,3}[^\\s"']{1,64}\\s{1,8}password\\s${LOGIN_VALUE}`,
    '\\b(?:auth|login|credentials)\\s{0,2}=?\\s{0,2}\\(\\s?["\'][^\\s"\']{1,64}["\'],\\s?["\'][^\\s"\'$<{*`]{6,}',
    `\\brequirepass\\s${LOGIN_VALUE}`,
    '\\bidentified(?: with [a-z0-9_]{1,32})? by ["\'][^\\s"\'$<{*`]{6,}',
  ],
  check: (match) => {
    const password = /[^\s"']{1,128}$/.exec(match)?.[0].replace(/^-p/, '') ?? '';
    return isStockPassword(password) || !/\d/.test(password) || characterKindChanges(password) === 0 ? undefined : 0.7;
  },
  message: 'A command or a file of logins contains a password.',
};

/** Passwords recognised by the address, connection string or command around them. */
export const PASSWORD_RULES: readonly Rule[] = [PASSWORD_IN_URL, CONNECTION_STRING, CURL_USER, LOGIN_COMMAND];

export const PASSWORD_EXAMPLES: Readonly<Record<string, RuleExamples>> = /* @__PURE__ */ passwordExamples();

function passwordExamples(): Readonly<Record<string, RuleExamples>> {
  const random = (length: number) => fill(`{w${length}}`, seeded(length * 7919 + 1));
  const joined = (...parts: readonly string[]) => parts.join('');
  return {
    'secrets/password-in-url': {
      positives: [
        joined('postgres://app:', 'tr0ub4dor', '@db.acme.io:5432/main'),
        joined('https://', random(40), ':x-oauth-basic', '@github.com/acme/app'),
        joined('redis://:', random(20), '@cache.acme.io:6379/0'),
        joined('nats://jobs:', 'tr0ub4dor', '@mq.acme.io:4222'),
        joined('jdbc:oracle:thin:app/', 'tr0ub4dor', '@//ora.acme.io:1521/XE'),
      ],
      negatives: [
        { text: 'postgres://user:password@localhost/db', reason: 'a placeholder' },
        { text: joined('postgres://app:', '$', '{DB_PASSWORD}@db.acme.io/main'), reason: 'a variable' },
        { text: 'https://acme.io:8443/path', reason: 'a port' },
        { text: 'mongodb+srv://<user>:<password>@cluster0.mongodb.net', reason: 'to be filled in' },
        { text: 'jdbc:oracle:thin:@ora.acme.io:1521:XE', reason: 'no password' },
        { text: 'ftp://anonymous:anonymous@ftp.acme.io', reason: 'everybody knows it' },
      ],
    },
    'secrets/connection-string': {
      positives: [
        joined('Server=sql.acme.io;User Id=app;Password', '=hunter22;'),
        joined('Driver={ODBC Driver 17};UID=app;Database=main;P', 'WD=blue-Kettle'),
        joined('jdbc:postgresql://db.acme.io/main?user=app&pass', 'word=winter24'),
      ],
      negatives: [
        { text: 'User ID=myUsername;Password=myPassword;', reason: 'words of a manual' },
        { text: 'Server=sql;Uid={0};Pwd={1};', reason: 'a format' },
        { text: joined('Uid=app;Pwd=', '$', '{DB_PASSWORD};'), reason: 'a variable' },
        { text: 'user=anna&page=2&sort=name', reason: 'no password' },
      ],
      alongside: ['secrets/assigned-secret'],
    },
    'secrets/curl-user': {
      positives: [joined('curl -s -u deploy:', 'tr0ub4', 'dor9 https://ci.acme.io/job')],
      negatives: [
        { text: joined('curl -u "', '$', '{USER}:', '$', '{PASS}" https://ci.acme.io'), reason: 'variables' },
        { text: 'curl --user username:password https://ci.acme.io', reason: 'words of a manual' },
      ],
    },
    'secrets/login-command': {
      positives: [
        joined('mysqldump -u root -p', 'tr0ub4dor9 main'),
        joined('sshpass -p ', 'tr0ub4dor9 ssh deploy@host'),
        joined('docker login -u anna -p ', 'tr0ub4dor9 registry.acme.io'),
        joined('machine api.acme.io login anna pass', 'word tr0ub4dor9'),
        joined("CREATE USER app IDENTIFIED BY '", "tr0ub4dor9'"),
        joined('redis-cli -h cache -a ', random(20)),
        joined('requirepass ', random(20)),
      ],
      negatives: [
        { text: 'mysql -u root -p main1 < dump.sql', reason: 'asks for it' },
        { text: joined('sshpass -p "', '$', 'PASS1" ssh host'), reason: 'a variable' },
        { text: 'docker run -p 8080:8080 app', reason: 'a port' },
        { text: 'docker login --password-stdin', reason: 'reads it from elsewhere' },
        { text: 'login anna password password1', reason: 'words of a manual' },
        { text: "identified by '{{ db_password1 }}'", reason: 'a template' },
        { text: 'redis-cli -a foobared ping', reason: 'of the manual' },
      ],
    },
  };
}
