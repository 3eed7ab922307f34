/** Parameters that size, format or version an image, or sign its address. */
const ORDINARY_PARAMETER =
  /^(?:w|h|s|q|v|t|ts|dpr|fit|crop|size|sz|width|height|quality|format|fm|auto|ext|resize|scale|type|mode|bg|color|c|rect|ver|version|rev|raw|style|logo|label|theme|branch|event|sanitize|cache|updated|ixlib|ixid|x-amz-\w+|x-goog-\w+|expires|signature|sig|se|sp|sv|sr|key-pair-id|policy|token|alt|seed|chl|cht|chs)$/i;
const NAMED =
  /^(?:data|d|exfil|leak|secret|secrets|info|payload|content|msg|message|chat|history|conversation|context|prompt|q|query|text|email|user|password|p|summary|answer)$/i;
const MIN_CARRIED_UNITS = 12;
/** Characters that a hidden text must have decoded to before it counts. */
const FEWEST_READABLE = 6;

/** How likely an address that is fetched by showing it carries data out: by what its path and query say. */
export function carriedDataScore(text: string): number | undefined {
  const address = addressIn(text);
  if (hidesText(address)) return 0.87;
  let longest = 0;
  let named = false;
  for (const [name, value] of parametersOf(address)) {
    if (/[\w.-](?:@|%40)[\w-]+\.[a-z]/i.test(value)) named = true;
    const words = value.split(/%20|\+|%2b|%0a/i).length;
    if (ORDINARY_PARAMETER.test(name) && (words < 3 || /^(?:label|alt|logo|chl|c)$/i.test(name))) continue;
    longest = Math.max(longest, value === '' ? name.length : value.length);
    named ||= NAMED.test(name);
  }
  if (longest >= MIN_CARRIED_UNITS) return named || longest >= 40 ? 0.87 : 0.6;
  return named ? 0.55 : undefined;
}

/** The same for an address that somebody must follow: only what hides a text, or says that it carries private data. */
export function carriedByLinkScore(text: string): number | undefined {
  const address = addressIn(text);
  if (hidesText(address)) return 0.75;
  const isNamed = parametersOf(address).some(
    ([name, value]) =>
      /^(?:data|exfil|leak|secrets?|payload|history|conversation|context|prompt|password)$/i.test(name) &&
      value.length >= 16,
  );
  return isNamed ? 0.6 : undefined;
}

function addressIn(text: string): string {
  return /https?:\/\/[^\s()<>"']*/i.exec(text)?.[0] ?? '';
}

function parametersOf(address: string): [string, string][] {
  const query = address.includes('?') ? address.slice(address.indexOf('?') + 1) : '';
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      return [name, value];
    });
}

/** Whether a part of the path or query is a readable text in base64 or hexadecimal. */
function hidesText(address: string): boolean {
  const parts = address.replace(/^https?:\/\/[^/]*/i, '').split(/[/?&=#.:,;]/);
  return parts.some((part) => part.length >= 10 && isReadable(decode(part)));
}

function decode(part: string): string {
  if (/^(?:[0-9a-f]{2}){8,}$/i.test(part)) {
    return part.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
  }
  if (!/^[A-Za-z0-9_+-]{10,}(?:%3d|=){0,2}$/i.test(part)) return '';
  try {
    return atob(part.replace(/%3d/gi, '').replace(/-/g, '+').replace(/_/g, '/'));
  } catch {
    return '';
  }
}

/** Words with spaces, or what names a person or an amount; random bytes are hardly ever all printable. */
function isReadable(text: string): boolean {
  return (
    text.length >= FEWEST_READABLE && /^[\x20-\x7e\n]+$/.test(text) && /[a-z]{2}/i.test(text) && /[ @:=_]/.test(text)
  );
}
