import { decodePunycode } from './punycode.ts';

/** What a web address says, as far as the rules of this family ask. Everything in lower case, as sent otherwise. */
export interface Address {
  /** What stands before an `@`, empty where nothing does. */
  readonly userInfo: string;
  /** As written: an IP address in whatever form, letters of any script. */
  readonly host: string;
  readonly labels: readonly string[];
  /** The labels of the part that somebody registers (`example.co.uk`), and those in front of it. */
  readonly registered: readonly string[];
  readonly subDomain: readonly string[];
  /** Path, query and fragment. */
  readonly rest: string;
}

const SECOND_LEVEL = /^(?:co|com|net|org|gov|gob|edu|ac|go|ne|or|gv|in|nom|web|uk|us|eu)$/;

/** Reads an address that a pattern has matched; undefined where it has no host. */
export function readAddress(text: string): Address | undefined {
  const [, authority = '', rest = ''] = /^[a-z]{2,8}:[/\\]{2}([^/?#\\]*)(.*)$/is.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const host = authority
    .slice(at + 1)
    .replace(/:\d*$/, '')
    .toLowerCase();
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

/** The dotted form of an IPv4 address that is written as one number, in hexadecimal or in octal; else undefined. */
export function disguisedIp(host: string): string | undefined {
  const parts = host.split('.');
  if (parts.length > 4 || !parts.every((part) => /^(?:0x[0-9a-f]{1,8}|\d{1,10})$/.test(part))) return undefined;
  const isPlain = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part));
  if (isPlain || (parts.length < 4 && !parts.some((part) => /^0x|^\d{7,}$|^0\d/.test(part)))) return undefined;
  return parts.map((part) => Number(/^0\d/.test(part) ? `0o${part.slice(1)}` : part)).join('.');
}
