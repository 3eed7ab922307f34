import type { Rule } from '../../core/inspect/rule.ts';

const SHARED = { type: 'data_exfiltration', owasp: 'LLM05:2025', atlas: 'AML.T0057' } as const;

/** Parameters that size, format or version an image, or sign its address. */
const ORDINARY_PARAMETERS: ReadonlySet<string> = new Set(
  'w h s q v t ts dpr fit crop size sz width height quality format fm auto ext resize scale type mode bg color c rect ver version rev raw style logo label theme branch event sanitize cache updated ixlib ixid expires signature sig se sp sv sr key-pair-id policy token alt seed chl cht chs'.split(
    ' ',
  ),
);
/** Parameters by which clouds sign an address. */
const SIGNING_PARAMETER = /^x-(?:amz|goog)-\w+$/i;
/** A parameter named for what it carries out, with enough in it. */
const CARRYING_PARAMETER =
  /^(?:data|exfil|leak|secrets?|payload|history|conversation|context|prompt|password)=[^&]{16}/i;
const MIN_CARRIED_UNITS = 12;

/** How likely an address that is fetched by showing it carries data out: by what its query says. */
function carriedDataScore(address: string): number | undefined {
  const query = address.slice(address.indexOf('?') + 1).replace(/[)"'>\s].*$/s, '');
  let longest = 0;
  let named = false;
  for (const pair of query.split('&')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    if (ORDINARY_PARAMETERS.has(name.toLowerCase()) || SIGNING_PARAMETER.test(name)) continue;
    longest = Math.max(longest, value === '' ? name.length : value.length);
    named ||=
      /^(?:data|d|exfil|leak|secret|secrets|info|payload|content|msg|message|chat|history|conversation|context|prompt|q|query|text|email|user|password|p|summary|answer)$/i.test(
        name,
      );
  }
  if (longest >= MIN_CARRIED_UNITS) return named || longest >= 40 ? 0.87 : 0.6;
  return named ? 0.55 : undefined;
}

const MARKDOWN_IMAGE: Rule = {
  ...SHARED,
  id: 'data-exfiltration/markdown-image',
  category: 'image_address',
  severity: 'high',
  score: 0.87,
  view: 'exact',
  ignoreCase: true,
  patterns: ['!\\[[^\\]\\n]*\\]\\(\\s{0,4}<?https?://[^\\s()<>?]+\\?[^\\s()<>]+(?:>?\\s{0,4}\\))?'],
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
  patterns: ['<img\\b[^<>]*\\bsrc\\s{0,4}=\\s{0,4}["\']?https?://[^\\s"\'<>?]+\\?[^\\s"\'<>]+'],
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
  patterns: ['\\[[^\\]\\n]*\\]\\(\\s{0,4}https?://[^\\s()<>?]+\\?[^\\s()<>]+\\)'],
  surfaces: ['output'],
  check: (match, { before }) => {
    if (before.endsWith('!')) return undefined;
    const query = match.slice(match.indexOf('?') + 1, -1);
    return query.split('&').some((pair) => CARRYING_PARAMETER.test(pair)) ? 0.6 : undefined;
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

export const DATA_EXFILTRATION_RULES: readonly Rule[] = [MARKDOWN_IMAGE, HTML_IMAGE, MARKDOWN_LINK, SEND_AWAY];
