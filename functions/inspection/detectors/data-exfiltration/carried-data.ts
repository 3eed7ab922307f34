import { otherHost } from '../../addresses/index.ts';
import { passesIbanCheck, passesLuhn } from '../personal-data/number-checks.ts';
import hosts from './hosts.json' with { type: 'json' };

/** What a part of an address contains besides addressing. */
export type Carried =
  /** A message or private data, encoded so that readers do not see it. */
  | 'hidden'
  /** A card number, a national id, a token. */
  | 'private'
  /** An e-mail address. */
  | 'email'
  /** Several words. */
  | 'words';

/** A part of an address that may carry data. */
export interface AddressPart {
  /** The name of a parameter, '' if it has only a value; undefined for a path segment. */
  readonly name: string | undefined;
  /** Without percent encoding. */
  readonly value: string;
  readonly carried: Carried | undefined;
}

/** An address as far as it matters here. */
export interface CarryingAddress {
  readonly parts: readonly AddressPart[];
  /** A host whose addresses contain words by design: searches, charts, diagrams, badges. */
  readonly isWordy: boolean;
  /** A host that shows its owner every request, for tests and for attacks. */
  readonly isCollector: boolean;
  /** Whether labels of the host contain encoded text. */
  readonly hasHiddenLabels: boolean;
  /** Whether labels of the host contain a private number: `acct-4471.x.example`. */
  readonly hasPrivateLabels: boolean;
}

/** Shorter parts contain too little to score. */
const MIN_UNITS = 8;
/** Characters of a longer part that are read. */
const MAX_UNITS = 512;
const MAX_PARTS = 64;
/** Characters of an address in which another one is searched. */
const MAX_ADDRESS_UNITS = 2_048;
const BASE64 = /^[A-Za-z0-9+/_-]{12,}={0,2}$/;
/** `two+words`, which base64 could contain and hardly ever does. */
const JOINED_WORDS = /^(?:[A-Z]?[a-z]+|\d+)(?:\+(?:[A-Z]?[a-z]+|\d+))+$/;
const BASE32 = /^[a-z2-7]{13,}$/i;
const HEX = /^(?:[0-9a-f]{2}){8,}$/i;
const EMAIL = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.[a-z]{2,24}$/i;
const AN_EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]/i;
const SEVERAL_WORDS = /^[\p{L}\p{M}\p{N}][^\p{Cc}\ufffd ,]*[ ,][^\p{Cc}\ufffd]*$/u;
/** Consecutive ids contain no data. */
const A_WORD = /(?:^|[ ,:;=|])\p{L}{3,}(?:[ ,:;=|.?!]|$)/u;
const UNREADABLE = /[^\P{Cc}\s]|\ufffd/u;
const CARD = /(?:^|\D)((?:[45]\d{3}|2[2-7]\d\d|6(?:011|5\d\d))(?:[ -]?\d{4}){3}|3[47]\d{13})(?!\d)/;
const IBAN = /(?:^|[^A-Z0-9])([A-Z]{2}\d{2}[A-Z0-9]{11,30})(?![A-Z0-9])/;
const ID_OR_TOKEN =
  /(?:^|\D)\d{3}-\d{2}-\d{4}(?!\d)|\b(?:sk|rk)[-_](?:live|proj|ant)[-_]|\bAKIA[0-9A-Z]{16}|\bgh[pousr]_\w{20}|\bxox[abp]-\d|\bglpat-\w|-----BEGIN/;
/** `password: hunter2`, `DB_PASS=hunter2`. */
const NAMED_SECRET =
  /\b(?:password|passwd|passphrase|pwd|ssn|cvv|api[_ -]?key|secret[_ -]?key)["']?\s{0,2}[:=]\s{0,2}["']?[^\s"',;&]{4}|^[A-Z][A-Z0-9_]{2,40}=[^\s=]{4}/im;
/** `{summary}`, `YOUR_TOKEN`, `...`. */
const PLACEHOLDER = /^(?:[[{<$%]{1,3}[\w .-]+[\]}>]{0,2}|\.{2,}|x{3,}|[A-Z]+(?:_[A-Z]+)*|your[-_ ].*)$/;
const WORDY: ReadonlySet<string> = new Set(hosts.wordy);
const COLLECTORS: ReadonlySet<string> = new Set(hosts.collectors);
const OWN_HOST = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|(?:www\.|maps\.)google\.[a-z.]{2,6}|\[::1\])$/;
const PRIVATE_LABEL =
  /(?:^|[-.])(?:acct|account|card|ssn|pass|password|pwd|pin|iban|balance|dob|phone|tel|salary|secret)[-.]?[a-z]{0,2}\d{3}/i;
const decoder = new TextDecoder('utf-8');

/**
 * Reads an address as a browser loads it, and the first one in it: proxies, translators and badges fetch what they are given, so that its parts
 * count by its own host. Returns undefined for one that leads to no other host.
 */
export function readCarryingAddress(written: string): CarryingAddress | undefined {
  const address = written.slice(0, MAX_ADDRESS_UNITS);
  const outer = readOne(address);
  const shown = unescapePercent(address);
  const at = shown.slice(1).search(/https?:\/\//i) + 1;
  const inner = outer === undefined || at === 0 ? undefined : readOne(shown.slice(at));
  if (outer === undefined || inner === undefined) return outer;
  return {
    parts: [...(outer.isWordy ? [] : outer.parts), ...inner.parts],
    isWordy: outer.isWordy && inner.isWordy,
    isCollector: outer.isCollector || inner.isCollector,
    hasHiddenLabels: outer.hasHiddenLabels || inner.hasHiddenLabels,
    hasPrivateLabels: outer.hasPrivateLabels || inner.hasPrivateLabels,
  };
}

function readOne(written: string): CarryingAddress | undefined {
  const url = otherHost(written);
  if (url === undefined) return undefined;
  // The part after `#` is not sent.
  const { hostname: host, pathname } = url;
  const query = url.search.slice(1).replaceAll('&amp;', '&');
  const segments = pathname.split('/', MAX_PARTS).slice(1);
  const pairs = query === '' ? [] : query.split('&', MAX_PARTS).map((pair) => pair.split(/=(.*)/s));
  // The parser returns lower case, in which encoded text is lost.
  const [, asWritten = ''] = /^[^/\\]*[/\\]+(?:[^/\\?#]*@)?([^/\\?#:]*)/.exec(written) ?? [];
  const labels = (asWritten.toLowerCase() === host ? asWritten : host).split('.').slice(0, -2);
  return {
    parts: [
      ...segments.map((value) => readPart(undefined, value)),
      ...pairs.map(([name = '', value = '']) => (value === '' ? readPart('', name) : readPart(name, value))),
    ],
    isWordy: isIn(WORDY, host) || OWN_HOST.test(host),
    isCollector: isIn(COLLECTORS, host),
    hasHiddenLabels: [...labels, labels.join('')].some((label) => isHidden(label) || isPlainInBase32(label)),
    hasPrivateLabels: PRIVATE_LABEL.test(labels.join('.')),
  };
}

/** Whether a text contains a card number, a national id, a password or a token. */
export function isPrivate(text: string): boolean {
  const [, card] = CARD.exec(text) ?? [];
  if (card !== undefined && passesLuhn(card)) return true;
  const [, iban] = IBAN.exec(text) ?? [];
  return (iban !== undefined && passesIbanCheck(iban)) || ID_OR_TOKEN.test(text) || NAMED_SECRET.test(text);
}

/** Whether a host, or a domain above it, is in a list. */
function isIn(list: ReadonlySet<string>, host: string): boolean {
  const labels = host.split('.');
  return [2, 3].some((count) => list.has(labels.slice(-count).join('.')));
}

function readPart(name: string | undefined, written: string): AddressPart {
  const value = unescapePercent(written.slice(0, MAX_UNITS));
  return { name, value: PLACEHOLDER.test(value) ? '' : value, carried: carriedBy(value) };
}

function carriedBy(value: string): Carried | undefined {
  if (value.length < MIN_UNITS) return undefined;
  if (value.includes('://')) return undefined;
  if (isPrivate(value)) return 'private';
  if (EMAIL.test(value.replace(/\.(?:png|gif|jpe?g|svg|webp|html?)$/i, ''))) return 'email';
  if (isMessage(value)) return 'words';
  return isHidden(value.replace(/\.\w{2,4}$/, '')) ? 'hidden' : undefined;
}

function isHidden(part: string): boolean {
  return (
    (HEX.test(part) && isTelling(decode(part, 'hex'))) ||
    (BASE64.test(part) && isTelling(decode(part, 'base64'))) ||
    (BASE32.test(part) && isTelling(decode(part, 'base32')))
  );
}

/** Labels have no room for messages: any text of a readable length counts. */
function isPlainInBase32(label: string): boolean {
  return [HEX.test(label) && decode(label, 'hex'), BASE32.test(label) && decode(label, 'base32')].some(
    (text) => text !== false && /^[\x20-\x7e]{8,}$/.test(text),
  );
}

function isTelling(decoded: string): boolean {
  if (decoded.length < MIN_UNITS || UNREADABLE.test(decoded) || decoded.includes('://')) return false;
  return isMessage(decoded) || AN_EMAIL.test(decoded) || isPrivate(decoded);
}

function isMessage(text: string): boolean {
  return EMAIL.test(text) || (SEVERAL_WORDS.test(text) && A_WORD.test(text));
}

/** Twice, since an address within an address is encoded twice. */
function unescapePercent(part: string): string {
  if (!/[%+]/.test(part)) return part;
  try {
    const once = decodeURIComponent(part.replaceAll('+', BASE64.test(part) && !JOINED_WORDS.test(part) ? '+' : ' '));
    return /%[0-9a-f]{2}/i.test(once) ? decodeURIComponent(once) : once;
  } catch {
    return part;
  }
}

function decode(text: string, encoding: 'hex' | 'base32' | 'base64'): string {
  if (encoding === 'base32') return decoder.decode(base32Bytes(text.toLowerCase()));
  const bytes =
    encoding === 'hex'
      ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
      : Uint8Array.from(atob(toStandardBase64(text)), (character) => character.charCodeAt(0));
  return decoder.decode(bytes);
}

const BASE32_DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';

function base32Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let bits = 0;
  for (let at = 0, filled = 0, width = 0; at < text.length; at++) {
    bits = ((bits << 5) | BASE32_DIGITS.indexOf(text.charAt(at))) & 0xfff;
    width += 5;
    if (width < 8) continue;
    width -= 8;
    bytes[filled++] = (bits >> width) & 0xff;
  }
  return bytes;
}

function toStandardBase64(text: string): string {
  const standard = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  return standard.slice(0, standard.length - (standard.length % 4 === 1 ? 1 : 0));
}
