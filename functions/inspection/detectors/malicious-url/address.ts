/** Parts of a web address that the rules of this family read. In lower case, otherwise as sent. */
export interface Address {
  /** The part before an `@`, empty if there is none. */
  readonly userInfo: string;
  /** As written: an IP address in any form, letters of any script. */
  readonly host: string;
  readonly labels: readonly string[];
  /** Labels of the registered part (`example.co.uk`), and those before it. */
  readonly registered: readonly string[];
  readonly subDomain: readonly string[];
  /** Path, query and fragment. */
  readonly rest: string;
}

const SECOND_LEVEL = /^(?:co|com|net|org|gov|gob|edu|ac|go|ne|or|gv|in|nom|web|uk|us|eu)$/;

/** Parses an address that a pattern matched, with what opens it; undefined if it has no host. */
export function readAddress(text: string): Address | undefined {
  // Any number of slashes or backslashes follows a scheme, and two replace it.
  const [, authority = '', rest = ''] = /(?:[a-z]{2,8}:[/\\]+|[/\\]{2,})([^/?#\\]*)(.*)$/is.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const host = unescapedHost(authority.slice(at + 1).replace(/:\d*$/, '')).toLowerCase();
  if (host === '') return undefined;
  const labels = host.replace(/\.$/, '').split('.').map(decodePunycode);
  const suffix =
    labels.length > 2 && SECOND_LEVEL.test(labels.at(-2) ?? '') && (labels.at(-1)?.length ?? 0) <= 3 ? 2 : 1;
  return {
    userInfo: authority.slice(0, Math.max(0, at)).toLowerCase(),
    host,
    labels,
    registered: labels.slice(-(suffix + 1)),
    subDomain: labels.slice(0, -(suffix + 1)),
    rest: rest.toLowerCase(),
  };
}

/** A host without percent encoding; unchanged if a template's variable is in it. */
function unescapedHost(host: string): string {
  return /%(?![\da-f]{2})/i.test(host)
    ? host
    : host.replace(/%([2-7][\da-f])/gi, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)));
}

/** The dotted form of an IPv4 address written as one number, in hexadecimal or in octal; otherwise undefined. */
export function disguisedIp(host: string): string | undefined {
  const parts = host.split('.');
  if (parts.length > 4 || !parts.every((part) => /^(?:0x[0-9a-f]{1,8}|\d{1,10})$/.test(part))) return undefined;
  const isPlain = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part));
  if (isPlain || (parts.length < 4 && !parts.some((part) => /^0x|^\d{7,}$|^0\d/.test(part)))) return undefined;
  return parts.map((part) => Number(/^0\d/.test(part) ? `0o${part.slice(1)}` : part)).join('.');
}

const BASE = 36;
const SKEW = 38;
const DAMP = 700;
const T_MAX = 26;

/** A label of a domain name in its Unicode letters (RFC 3492); unchanged if it is no valid `xn--` label. */
export function decodePunycode(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const encoded = label.slice(4);
  const basic = Math.max(0, encoded.lastIndexOf('-'));
  const output = [...encoded.slice(0, basic)];
  let [code, index, bias] = [128, 0, 72];
  for (let at = basic > 0 ? basic + 1 : 0; at < encoded.length; ) {
    const before = index;
    for (let weight = 1, step = BASE; ; step += BASE) {
      const digit = digitOf(encoded.charCodeAt(at++));
      if (digit === undefined || index > 0xff_ffff) return label;
      index += digit * weight;
      const threshold = step <= bias ? 1 : Math.min(T_MAX, step - bias);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    bias = adapt(index - before, output.length + 1, before === 0);
    code += Math.floor(index / (output.length + 1));
    index %= output.length + 1;
    if (code > 0x10_ffff) return label;
    output.splice(index++, 0, String.fromCodePoint(code));
  }
  return output.join('');
}

function digitOf(unit: number): number | undefined {
  if (unit >= 48 && unit <= 57) return unit - 22;
  return unit >= 97 && unit <= 122 ? unit - 97 : undefined;
}

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / points);
  let bias = 0;
  for (; rest > ((BASE - 1) * T_MAX) / 2; bias += BASE) rest = Math.floor(rest / (BASE - 1));
  return bias + Math.floor(((BASE - 1 + 1) * rest) / (rest + SKEW));
}
