/** What a part of an address carries beside addressing. */
export type Carried =
  /** Words or an e-mail address, written so that a reader does not see them. */
  | 'hidden'
  /** Words or an e-mail address. */
  | 'words';

/** Shorter parts say too little to be judged. */
const MIN_UNITS = 8;
/** Of a longer part only so much is looked at. */
const MAX_UNITS = 512;
const BASE64 = /^[A-Za-z0-9+/_-]{12,}={0,2}$/;
const HEX = /^(?:[0-9a-f]{2}){8,}$/i;
const EMAIL = /^[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]{2,63}$/;
const SEVERAL_WORDS = /^[\p{L}\p{M}\p{N}][^\p{Cc}\ufffd ,]*[ ,][^\p{Cc}\ufffd]*$/u;
/** Ids that are written one after the other hold none. */
const A_WORD = /(?:^|[ ,:])\p{L}{3,}(?:[ ,:.?!]|$)/u;
const decoder = new TextDecoder('utf-8');

/** What a path segment or the value of a parameter carries, as it stands in the address; undefined for an ordinary one. */
export function carriedBy(part: string): Carried | undefined {
  if (part.length < MIN_UNITS) return undefined;
  const shown = unescapePercent(part.slice(0, MAX_UNITS));
  if (isMessage(shown)) return 'words';
  if (HEX.test(shown) && isMessage(decode(shown, 'hex'))) return 'hidden';
  if (BASE64.test(shown) && isMessage(decode(shown, 'base64'))) return 'hidden';
  return undefined;
}

/** A part of an address that may carry something. */
export interface AddressPart {
  /** Of a parameter its name, '' where it is all value; undefined for a segment of the path. */
  readonly name: string | undefined;
  readonly value: string;
}

/** Path segments and parameters of an address. */
export function partsOf(address: string): AddressPart[] {
  // What follows `#` is not sent.
  const [place = '', query = ''] = address
    .replace(/^https?:\/\//i, '')
    .replace(/#.*/s, '')
    .split(/\?(.*)/s);
  const segments = place.split('/').slice(1);
  const pairs = query === '' ? [] : query.split('&').map((pair) => pair.split(/=(.*)/s));
  return [
    ...segments.map((value) => ({ name: undefined, value })),
    ...pairs.map(([name = '', value = '']) => (value === '' ? { name: '', value: name } : { name, value })),
  ];
}

function isMessage(text: string): boolean {
  return (
    text.length >= MIN_UNITS &&
    !text.includes('://') &&
    (EMAIL.test(text) || (SEVERAL_WORDS.test(text) && A_WORD.test(text)))
  );
}

function unescapePercent(part: string): string {
  if (!/[%+]/.test(part)) return part;
  try {
    return decodeURIComponent(part.replaceAll('+', BASE64.test(part) ? '+' : ' '));
  } catch {
    return part;
  }
}

function decode(text: string, encoding: 'hex' | 'base64'): string {
  const bytes =
    encoding === 'hex'
      ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
      : Uint8Array.from(atob(toStandardBase64(text)), (character) => character.charCodeAt(0));
  return decoder.decode(bytes);
}

function toStandardBase64(text: string): string {
  const standard = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  return standard.slice(0, standard.length - (standard.length % 4 === 1 ? 1 : 0));
}
