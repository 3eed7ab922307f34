import type { Rule, RuleExamples } from '../../matching/index.ts';
import { ADDRESS_START } from '../address-start.ts';
import { withoutEnding } from '../match-context.ts';
import { type Address, disguisedIp, readAddress } from './address.ts';
import { BRANDS, isLookalike, maybeLookalike } from './brand-names.ts';
import { phishingSigns } from './phishing-signs.ts';

/** Parts of a page that run, load, send or request something. */
const ACTIVE =
  /<(?:script|iframe|frame|object|embed|applet|svg|math|form|input|button|meta|link|base|img|video|audio|a)\b|\bon[a-z]{3,24}\s{0,4}=|javascript:|vbscript:|\b(?:document|window|location)\s{0,2}[.[=]|\b(?:eval|fetch|atob)\(/i;
/** A longer match may be cut before its decisive part. */
const MOST_PAGE_UNITS = 8000;

/** Whether a `data:text/html` address holds a page of text and nothing active; false if it cannot be read. */
function isInertPage(address: string): boolean {
  if (address.length > MOST_PAGE_UNITS) return false;
  const comma = address.indexOf(',');
  const page = readPage(address.slice(comma + 1), address.slice(0, comma).toLowerCase().endsWith(';base64'));
  return page !== undefined && !ACTIVE.test(page);
}

function readPage(data: string, isBase64: boolean): string | undefined {
  try {
    const text = decodeURIComponent(data);
    return isBase64 ? atob(text) : text;
  } catch {
    return undefined;
  }
}

/**
 * Scores stay below the default block threshold: an address is read, not visited, and people ask about suspicious ones.
 */
const SHARED = {
  type: 'malicious_url',
  view: 'exact',
  ignoreCase: true,
  surfaces: ['user', 'tool', 'output'],
  owasp: 'LLM05:2025',
  atlas: 'AML.T0052',
} as const;

const HOST = '[^\\s/?#\\\\<>"\'`(){}|^\\[\\]]';
const REST = '[^\\s<>"\'`(){}|^\\[\\]]';

/** Further back in an address nothing is decisive. */
const MOST_UNITS = 1000;

/** The result of a check of an address; punctuation that ends a sentence is left out. */
function judging(judge: (address: Address) => number | undefined): NonNullable<Rule['check']> {
  return (match) => {
    const address = readAddress(withoutEnding(match.slice(0, MOST_UNITS), '.,;:!?*_~'));
    return address === undefined ? undefined : judge(address);
  };
}

const PHISHING_PAGE: Rule = {
  ...SHARED,
  id: 'malicious-url/phishing-page',
  category: 'phishing',
  severity: 'high',
  score: 0.8,
  patterns: [`${ADDRESS_START}${REST}{4,}`],
  check: judging((address) => {
    const signs = phishingSigns(address);
    if (signs < 2.25) return undefined;
    return signs < 3 ? 0.5 : signs < 4 ? 0.6 : signs < 5 ? 0.7 : 0.8;
  }),
  message: 'An address has several signs of a phishing page.',
};

const judgeHost = judging((address) => (isLookalike(address) ? 0.82 : undefined));

const LOOKALIKE_HOST: Rule = {
  ...SHARED,
  id: 'malicious-url/lookalike-host',
  category: 'lookalike_host',
  severity: 'high',
  score: 0.82,
  patterns: [`${ADDRESS_START}${HOST}{4,}`],
  check: (match, context) => (maybeLookalike(match) ? judgeHost(match, context) : undefined),
  message: 'The host of an address imitates a well-known name.',
};

const USER_INFO: Rule = {
  ...SHARED,
  id: 'malicious-url/name-before-host',
  category: 'user_info',
  severity: 'high',
  score: 0.84,
  patterns: [`${ADDRESS_START}(?:www\\.)?[a-z0-9-]+(?:\\.[a-z0-9-]+)+(?:[:%&=]${HOST}*)?@${HOST}{3,}`],
  check: judging(({ userInfo, registered }) => {
    const [name = ''] = userInfo.split(/[:%&=]/, 1);
    const isHost = /^www\.|\.(?:com|net|org|gov|edu|co\.\w\w|com\.\w\w)$/.test(name);
    const isBrand = name.split(/[.-]/).some((part) => BRANDS.has(part));
    return (isHost || isBrand) && !name.endsWith(registered.join('.')) ? 0.84 : undefined;
  }),
  message: 'An address shows one host before an @ and leads to another.',
};

const NUMBER_HOST: Rule = {
  ...SHARED,
  id: 'malicious-url/number-host',
  category: 'number_host',
  severity: 'medium',
  score: 0.75,
  patterns: [
    `${ADDRESS_START}(?:${HOST}+@)?(?:0x[0-9a-f]{1,8}|\\d{1,11})(?:\\.(?:0x[0-9a-f]{1,8}|\\d{1,11})){0,3}(?:[:/?#\\w@-]${REST}*)?`,
  ],
  check: judging(({ host }) => (disguisedIp(host) === undefined ? undefined : 0.75)),
  message: 'The host of an address is an IP address in a disguised form.',
};

const DISGUISED_PROGRAM: Rule = {
  ...SHARED,
  id: 'malicious-url/disguised-program',
  category: 'disguised_program',
  severity: 'high',
  score: 0.7,
  patterns: [
    '\\w\\.(?:pdf|docx?|xlsx?|pptx?|rtf|odt|jpe?g|png|gif|txt|csv|mp[34]|avi)(?:%20| |_){0,20}\\.(?:exe|scr|bat|cmd|com|pif|jse?|vb[se]|wsf|hta|lnk|ps1|jar|msi|apk|iso)\\b',
  ],
  check: (_, { before }) => (/\b(?:https?|wss?|ftp):[/\\]\S*$/i.test(before) ? 0.8 : 0.6),
  message: 'A program has the name of a document or picture.',
};

const SCRIPT_LINK: Rule = {
  ...SHARED,
  id: 'malicious-url/script-link',
  category: 'script_link',
  severity: 'medium',
  score: 0.65,
  patterns: [
    '\\b(?:javascript|vbscript):[^\\s"\'<>]{0,60}(?:alert|eval|document|window|fetch|location|atob|unescape|import|string\\.fromcharcode)\\b',
    '\\bdata:text/html(?:;charset=[\\w-]{3,12})?(?:;base64)?,[^\\s"\'<>)]{12,}',
  ],
  check: (match) => (/^data:/i.test(match) && isInertPage(match) ? undefined : 0.65),
  message: 'A link runs a script or contains a page that it shows.',
};

const DEFANGED: Rule = {
  ...SHARED,
  id: 'malicious-url/defanged',
  category: 'defanged',
  severity: 'low',
  score: 0.3,
  patterns: [`\\bhxxps?(?:\\[:\\]|:)//${REST}{3,}`, '[a-z0-9]\\[\\.\\][a-z]{2,24}\\b'],
  message: 'An address was defanged by its writer, as analysts do with malicious ones.',
};

export const MALICIOUS_URL_RULES: readonly Rule[] = [
  PHISHING_PAGE,
  LOOKALIKE_HOST,
  USER_INFO,
  NUMBER_HOST,
  DISGUISED_PROGRAM,
  SCRIPT_LINK,
  DEFANGED,
];

/** Hosts that end in `.tld` and the like, which cannot be registered. */
export const MALICIOUS_URL_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'malicious-url/phishing-page': {
    positives: [
      'Please sign in at http://paypal.com.user-7f3d.tld/webapps/login',
      'https://icloud-verify.xyz/login',
      'https://bakery.tld/wp-includes/pomo/dhl/index.php?email=anna@mail.tld',
      'See https://microsoft-login.azurewebsites.net/.',
      'See https:\\\\icloud-verify.xyz\\login',
      '<a href="/\\icloud-verify.xyz/login">Sign in</a>',
    ],
    negatives: [
      { text: 'https://www.paypal.com/signin', reason: 'its own host' },
      { text: 'https://accounts.google.com/signin/v2/identifier', reason: 'everybody knows it' },
      { text: 'https://shop.tld/account/login.php', reason: 'any shop' },
      { text: 'https://news.tld/2023/paypal-account-security-update/', reason: 'a headline' },
      { text: 'https://bakery.tld/wp-content/uploads/2020/menu.pdf', reason: 'an uploaded file' },
      { text: 'https://auth.acme.tld/login?redirect=/account', reason: 'an honest sub-domain' },
      { text: 'https://facebook.github.io/react/', reason: 'a project page' },
      { text: 'https://www.cs.college.ac.uk/research/security/', reason: 'a department of a university' },
      { text: 'https://%NAME%.%REGION%-%PROJECT%.service.tld/v1/accounts/login', reason: 'a template' },
    ],
  },
  'malicious-url/lookalike-host': {
    positives: [
      'https://paypa1.tld/',
      'https://rnicrosoft.tld/',
      'https://pаypal.tld/',
      'https://xn--pypal-4ve.tld/',
      'http:/paypa1.tld',
      '[x](//%70aypa1.tld/)',
    ],
    negatives: [
      { text: 'https://münchen.tld/', reason: 'a city' },
      { text: 'https://пример.tld/', reason: 'one script' },
      { text: 'https://paypal.com/', reason: 'the name itself' },
      { text: 'https://xn--mnchen-3ya.tld/', reason: 'a city' },
    ],
  },
  'malicious-url/name-before-host': {
    positives: ['https://www.mybank.com@evil.tld/x', 'http://paypal.com:login@203.0.113.9/'],
    negatives: [
      { text: 'https://anna.li@bitbucket.org/acme/app.git', reason: 'a user of a code host' },
      { text: 'https://medium.tld/@anna.com', reason: 'a path' },
      { text: 'mail anna@mybank.com', reason: 'a mailbox' },
    ],
  },
  'malicious-url/number-host': {
    positives: [
      'http:\\\\3232235777/admin',
      'http://3232235777/admin',
      'http://0x7f.0.0.1/',
      'http://0300.0250.01.01/x',
    ],
    negatives: [
      { text: 'http://203.0.113.9/index', reason: 'as it is usually written' },
      { text: 'http://1and1.tld/', reason: 'a name' },
      { text: 'http://2048.tld/', reason: 'a name' },
      { text: 'https://0123456789abcdef@o450.ingest.sentry.io/2', reason: 'a key before a name' },
    ],
  },
  'malicious-url/disguised-program': {
    positives: ['Open invoice_2024.pdf.exe now', 'https://files.tld/photo.jpg.scr'],
    negatives: [
      { text: 'report.pdf and setup.exe', reason: 'two files' },
      { text: 'messages.en.json.js', reason: 'code' },
      { text: 'archive.tar.gz', reason: 'an archive' },
    ],
  },
  'malicious-url/script-link': {
    positives: [
      'javascript:eval(atob(x))',
      'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
      'data:text/html,%3Cform%20action=https://evil.tld%3E',
    ],
    negatives: [
      { text: 'data:text/html;base64,PHA+VGhlIG11c2V1bSBvcGVucyBhdCBuaW5lLjwvcD4=', reason: 'a page of text' },
      { text: 'data:text/html,%3Ch1%3EHello%20there%3C/h1%3E', reason: 'a page of text' },
      { text: '<a href="javascript:void(0)">', reason: 'does nothing' },
      { text: 'Learn JavaScript: the document object model', reason: 'a title' },
      { text: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg', reason: 'a picture' },
    ],
  },
  'malicious-url/defanged': {
    positives: ['hxxps://evil.tld/x', 'beacon to evil[.]tld'],
    negatives: [{ text: 'an array a[.5]', reason: 'code' }],
  },
};
