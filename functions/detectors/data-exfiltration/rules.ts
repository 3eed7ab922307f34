import type { Rule } from '../../core/inspect/rule.ts';
import { carriedByLinkScore, carriedDataScore } from './carried-data.ts';

const SHARED = { type: 'data_exfiltration', owasp: 'LLM05:2025', atlas: 'AML.T0057' } as const;

/** Sites whose own links carry ids that decode to readable text. */
const MANY_PARAMETERS = /(?:^|\.)(?:google\.com|github\.com|gitlab\.com|microsoft\.com|zoom\.us|youtube\.com)$/i;

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
  check: (match, { before }) => (before.endsWith('!') ? undefined : carriedByLinkScore(match)),
  message: 'A link in the answer carries data to another host when it is followed.',
};

const REFERENCE: Rule = {
  ...SHARED,
  id: 'data-exfiltration/reference-address',
  category: 'image_address',
  severity: 'high',
  score: 0.7,
  view: 'exact',
  ignoreCase: true,
  patterns: ['(?:^|\\n)\\s{0,3}\\[[^\\]\\n]{1,60}\\]:\\s{0,4}<?https?://[^\\s<>]+'],
  surfaces: ['output'],
  // Whether an image or a link refers to it stands elsewhere in the text.
  check: (match) => {
    const host = /https?:\/\/([^/?#\s]*)/i.exec(match)?.[1] ?? '';
    if (MANY_PARAMETERS.test(host)) return undefined;
    const score = carriedDataScore(match);
    return score !== undefined && score > 0.6 ? 0.7 : carriedByLinkScore(match);
  },
  message: 'An address that an image or link of the answer refers to carries data to another host.',
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
  MARKDOWN_LINK,
  REFERENCE,
  SEND_AWAY,
];
