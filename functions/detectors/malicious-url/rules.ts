import type { Rule } from '../../core/inspect/rule.ts';
import { withoutEnding } from '../match-context.ts';
import { type Address, disguisedIp, readAddress } from './address.ts';
import { isInertPage } from './inert-page.ts';
import { isLookalike, maybeLookalike } from './lookalike-host.ts';
import { BRANDS } from './names.ts';
import { phishingSigns } from './phishing-signs.ts';

/**
 * Scores stay below what blocks by default: an address is looked at, not visited, and people ask about suspicious ones.
 */
const SHARED = {
  type: 'malicious_url',
  view: 'exact',
  ignoreCase: true,
  surfaces: ['user', 'tool', 'output'],
  owasp: 'LLM05:2025',
  atlas: 'AML.T0052',
} as const;

const START = '\\bhttps?:[/\\\\]{2}';
const HOST = '[^\\s/?#\\\\<>"\'`(){}|^\\[\\]]';
const REST = '[^\\s<>"\'`(){}|^\\[\\]]';

/** Nothing that tells stands further back in an address. */
const MOST_UNITS = 1000;

/** What a check makes of an address; punctuation that ends a sentence is left out. */
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
  patterns: [`${START}${REST}{4,}`],
  check: judging((address) => {
    const signs = phishingSigns(address);
    if (signs < 2.25) return undefined;
    return signs < 3 ? 0.5 : signs < 4 ? 0.6 : signs < 5 ? 0.7 : 0.8;
  }),
  message: 'An address has several marks of a phishing page.',
};

const judgeHost = judging((address) => (isLookalike(address) ? 0.82 : undefined));

const LOOKALIKE_HOST: Rule = {
  ...SHARED,
  id: 'malicious-url/lookalike-host',
  category: 'lookalike_host',
  severity: 'high',
  score: 0.82,
  patterns: [`${START}${HOST}{4,}`],
  check: (match, context) => (maybeLookalike(match) ? judgeHost(match, context) : undefined),
  message: 'The host of an address imitates a well-known name.',
};

const USER_INFO: Rule = {
  ...SHARED,
  id: 'malicious-url/name-before-host',
  category: 'user_info',
  severity: 'high',
  score: 0.84,
  patterns: [`${START}(?:www\\.)?[a-z0-9-]+(?:\\.[a-z0-9-]+)+(?:[:%&=]${HOST}*)?@${HOST}{3,}`],
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
    `${START}(?:${HOST}+@)?(?:0x[0-9a-f]{1,8}|\\d{1,11})(?:\\.(?:0x[0-9a-f]{1,8}|\\d{1,11})){0,3}(?:[:/?#]${REST}*)?`,
  ],
  check: judging(({ host }) => (disguisedIp(host) === undefined ? undefined : 0.75)),
  message: 'The host of an address is an IP address written so that nobody recognises it.',
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
  check: (_, { before }) => (/:\/\/\S*$/.test(before) ? 0.8 : 0.6),
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
  message: 'A link runs a script or shows a page of its own where it is followed.',
};

const DEFANGED: Rule = {
  ...SHARED,
  id: 'malicious-url/defanged',
  category: 'defanged',
  severity: 'low',
  score: 0.3,
  patterns: [`\\bhxxps?(?:\\[:\\]|:)//${REST}{3,}`, '[a-z0-9]\\[\\.\\][a-z]{2,24}\\b'],
  message: 'An address was made harmless by its writer, as analysts do with malicious ones.',
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
