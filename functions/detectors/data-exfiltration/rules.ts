import type { Rule } from '../../core/inspect/rule.ts';
import { carriedBy, partsOf } from './carried-text.ts';

const SHARED = { type: 'data_exfiltration', owasp: 'LLM05:2025', atlas: 'AML.T0057' } as const;

/** Parameters that size, format or version an image, or sign its address. */
const ORDINARY_PARAMETERS: ReadonlySet<string> = new Set(
  'w h s q v t ts dpr fit crop size sz width height quality format fm auto ext resize scale type mode bg color c rect ver version rev raw style logo label theme branch event sanitize cache updated ixlib ixid expires signature sig se sp sv sr key-pair-id policy token alt seed chl cht chs repo repos package pkg'.split(
    ' ',
  ),
);
/** Parameters by which clouds sign an address. */
const SIGNING_PARAMETER = /^x-(?:amz|goog)-\w+$/i;
const MIN_CARRIED_UNITS = 12;

const TELLING_PARAMETER =
  /^(?:data|d|exfil|leak|secret|secrets|info|payload|content|msg|message|chat|history|conversation|context|prompt|q|query|text|email|user|password|summary|answer)$/i;

/** Parameters that a person's words belong in: a search, a caption. */
const LABELLING_PARAMETER = /^(?:label|text|title|alt|caption|name|logo)$/i;
const SEARCHING_PARAMETER = /^(?:q|query|search|s|keywords?|k|p|src|tmsrc|ctz)$/i;
const TELLING_IN_LINK = /^(?:data|exfil|leak|secrets?|payload|history|conversation|context|prompt|password)$/i;

function isWordy(parameter: string): boolean {
  return LABELLING_PARAMETER.test(parameter) || SEARCHING_PARAMETER.test(parameter);
}

/** The address in a match that ends with it, without what closes it. */
function addressIn(match: string): string {
  return match.slice(match.search(/https?:/i)).replace(/[)"'>\s].*$/s, '');
}

/** How likely an address that is fetched by showing it carries data out: by what its path and its parameters say. */
function carriedDataScore(match: string): number | undefined {
  let longest = 0;
  let named = false;
  let words = false;
  const parts = partsOf(addressIn(match));
  // A badge shows the message that it is given.
  const isBadge = parts.some(({ name }) => name === 'label');
  for (const { name, value } of parts) {
    const carried = carriedBy(value);
    if (carried === 'hidden') return 0.87;
    // Words in a path name a file, and in some parameters what an image shows.
    if (name === undefined || LABELLING_PARAMETER.test(name) || (isBadge && name === 'message')) continue;
    words ||= carried === 'words';
    if (ORDINARY_PARAMETERS.has(name.toLowerCase()) || SIGNING_PARAMETER.test(name)) continue;
    longest = Math.max(longest, value.length);
    named ||= TELLING_PARAMETER.test(name === '' ? value : name);
  }
  if (longest >= MIN_CARRIED_UNITS) return named || longest >= 40 ? 0.87 : 0.6;
  return words ? 0.6 : named ? 0.55 : undefined;
}

const MARKDOWN_IMAGE: Rule = {
  ...SHARED,
  id: 'data-exfiltration/markdown-image',
  category: 'image_address',
  severity: 'high',
  score: 0.87,
  view: 'exact',
  ignoreCase: true,
  patterns: ['!\\[[^\\]\\n]*\\]\\(\\s{0,4}<?https?://[^\\s()<>]+(?:>?\\s{0,4}\\))?'],
  surfaces: ['output'],
  check: carriedDataScore,
  message: 'An image address in the answer carries data to another host as soon as it is shown.',
};

const HTML_IMAGE: Rule = {
  ...SHARED,
  id: 'data-exfiltration/html-image',
  category: 'image_address',
  severity: 'high',
  score: 0.87,
  view: 'exact',
  ignoreCase: true,
  patterns: ['<img\\b[^<>]*\\bsrc\\s{0,4}=\\s{0,4}["\']?https?://[^\\s"\'<>]+'],
  surfaces: ['output'],
  check: carriedDataScore,
  message: 'An image tag in the answer carries data to another host as soon as it is shown.',
};

const REFERENCE: Rule = {
  ...SHARED,
  id: 'data-exfiltration/reference',
  category: 'image_address',
  severity: 'high',
  score: 0.84,
  view: 'exact',
  ignoreCase: true,
  patterns: ['\\[[^\\]\\[\\n]{1,80}\\]:\\s{1,4}<?https?://[^\\s<>]+'],
  surfaces: ['output'],
  // Most references are links, which carry nothing until they are followed.
  check: (match) => {
    const carried = partsOf(addressIn(match)).map(({ name, value }) => ({ name, said: carriedBy(value) }));
    if (carried.some(({ said }) => said === 'hidden')) return 0.84;
    return carried.some(({ name, said }) => said === 'words' && name !== undefined && !isWordy(name)) ? 0.6 : undefined;
  },
  message: 'The address of a reference in the answer carries data to another host.',
};

const MARKDOWN_LINK: Rule = {
  ...SHARED,
  id: 'data-exfiltration/markdown-link',
  category: 'link_address',
  severity: 'medium',
  score: 0.6,
  view: 'exact',
  ignoreCase: true,
  patterns: ['\\[[^\\]\\n]*\\]\\(\\s{0,4}https?://[^\\s()<>]+\\)'],
  surfaces: ['output'],
  check: (match, { before }) => {
    if (before.endsWith('!')) return undefined;
    const parts = partsOf(addressIn(match));
    const telling = parts.some(({ name = '', value }) => value.length >= 16 && TELLING_IN_LINK.test(name));
    return telling || parts.some(({ value }) => carriedBy(value) === 'hidden') ? 0.6 : undefined;
  },
  message: 'A link in the answer carries data to another host when it is followed.',
};

const SEND_AWAY: Rule = {
  ...SHARED,
  id: 'data-exfiltration/send-away',
  category: 'exfiltration_order',
  severity: 'high',
  score: 0.85,
  view: 'folded',
  owasp: 'LLM01:2025',
  patterns: [
    "\\b(?:send|forward|post|upload|exfiltrate|transmit|leak|submit|relay|append|encode)\\s+(?:(?:me|us|him|her|out|back|over|also|a copy of|along)\\s+){0,2}(?:the\\s+|this\\s+|all\\s+|any\\s+|our\\s+|user'?s?\\s+|entire\\s+|full\\s+|whole\\s+|their\\s+|every\\s+|your\\s+)+(?:\\w+\\s+){0,2}(?:conversation|chat(?: history| log)?|system prompt|credentials|passwords?|api keys?|secrets?|tokens?|private (?:data|keys?|information)|personal (?:data|information)|user (?:data|information)|context|session)\\b[^.\\n]*\\b(?:to|via|at|as|in|into|onto|using)\\s+(?:\\S+\\s+){0,4}(?:https?://|\\S+@\\S+\\.\\w|url|webhook|query|server|endpoint|attacker)",
    '\\b(?:render|include|append|add|insert|embed|display|output|show|put)\\b[^.\\n]*\\b(?:markdown )?(?:image|img|picture|pixel)\\b[^.\\n]*https?://\\S+[?&=/](?:\\S{0,40}[{\\[<$]|\\S{0,60}(?:data|secret|leak|history|context|prompt|exfil)\\S{0,20}=)',
  ],
  surfaces: ['user', 'tool'],
  message: 'Text orders the model to send private data away.',
};

export const DATA_EXFILTRATION_RULES: readonly Rule[] = [
  MARKDOWN_IMAGE,
  HTML_IMAGE,
  REFERENCE,
  MARKDOWN_LINK,
  SEND_AWAY,
];
