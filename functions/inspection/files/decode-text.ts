import { finish, type Steps } from '../../kernel/tasks/index.ts';
import { endOfMedium } from './media-formats.ts';

/** The text of a file. */
export interface DecodedText {
  readonly text: string;
  /** The bytes are valid UTF-8 and all of the text: it can be written back without changing any other byte. */
  readonly isUtf8: boolean;
  /** Why a part of the file was not read. */
  readonly unread?: string;
}

/** The text of a file in a format, as a reader of the format shows it. */
export interface Resolved {
  readonly text: string;
  /** Why a part of it was not read. */
  readonly unread?: string;
}

/** Reads a part of a file: an attachment, or an encoded value. */
export type PartReader = (bytes: Uint8Array, declared: Declared) => Steps<DecodedText | undefined>;

/** What the sender declares about a file. */
export interface Declared {
  readonly charset?: string | undefined;
  /** In lower case. */
  readonly mediaType?: string | undefined;
}

/** Text has almost no control characters; at least one in nine compressed or encrypted bytes is one. */
const MAX_CONTROL_SHARE = 0.05;
/** The least share of ASCII in Western text; below it, bytes are not Latin-1. */
const MIN_ASCII_SHARE = 0.7;
/** Text in a script of the Basic Multilingual Plane has a zero in every second byte of its spaces and ASCII letters. */
const SAMPLE_BYTES = 1024;
const UTF16_ZERO_SHARE = 0.3;
const UTF32_SHARE = 0.95;
/** The most broken characters in text, control characters not counted; random bytes have more. */
const MAX_BROKEN_SHARE = 0.3;
/** Shorter text among other bytes is ignored. */
const MIN_TEXT_UNITS = 4;
/** A text that leaves out a larger share is reported as partly read. */
const MAX_ODD_SHARE = 0.3;
/** These bytes take about a millisecond. */
const STEP_BYTES = 64 * 1024;
export const PARTLY_READ = 'not all of it is text';

/** Random bytes contain a run of this many ASCII characters, at most one other between two, once in some thousand. */
const MIN_RUN_BYTES = 16;
const [TAB, LINE_END, SPACE, DELETE] = [0x09, 0x0a, 0x20, 0x7f] as const;
const MORE_THAN_ASCII = /[\u0080-\uffff]/;
const NOT_ASCII = /[^\x21-\x7e]+/g;
const TEXT_TYPE = /^text\/|json|xml|yaml|csv|javascript/;
const UTF_32 = /^(?:utf-?32|ucs-?4)(?:le|(be))?$/i;
const OTHER_ASCII = /^(?:utf-16|iso-2022)/;

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BYTE_ORDER_MARK = 0xfeff;
const REPLACEMENT = 0xfffd;
const LATIN1 = new TextDecoder('latin1');

/** A charset and its decoder; invalid bytes become U+FFFD. */
interface Charset {
  /** ASCII bytes may encode other letters. */
  readonly hasOtherAscii: boolean;
  readonly decode: (bytes: Uint8Array) => Steps<string>;
}

/** The text in the bytes, whatever their media type; undefined if there is none. */
export function decodeText(bytes: Uint8Array, declared: Declared = {}): DecodedText | undefined {
  return finish(decodeSteps(bytes, declared));
}

/**
 * The same in steps. The text includes each way in which a provider may decode the bytes: by byte order mark, by the declared charset,
 * and as UTF-8 without invalid bytes.
 */
export function* decodeSteps(bytes: Uint8Array, { charset, mediaType = '' }: Declared): Steps<DecodedText | undefined> {
  const named = charset === undefined ? undefined : charsetOf(charset);
  const unread = charset !== undefined && named === undefined ? `charset ${charset}` : undefined;
  const wide = wideOf(bytes);
  const strict = wide === undefined ? attempt(bytes) : undefined;
  yield;
  if (strict !== undefined && !(yield* hasControls(strict))) {
    const other = named?.hasOtherAscii ? yield* readable(yield* named.decode(bytes)) : undefined;
    const text = other === undefined || other === strict ? strict : `${strict}\n\n${other}`;
    return { text, isUtf8: text === strict, ...(unread !== undefined && { unread }) };
  }
  const end = wide === undefined && strict === undefined ? yield* endOfMedium(bytes) : 0;
  if (end > 0) return partOf(yield* runsIn(TEXT_TYPE.test(mediaType) ? bytes : bytes.subarray(end)));
  const texts: string[] = [];
  for (const one of [wide, named]) {
    const text = one && (yield* readable(yield* one.decode(bytes)));
    if (text !== undefined && !texts.includes(text)) texts.push(text);
  }
  const plain = yield* withoutOdd(bytes);
  if (texts.length === 0 && !plain?.hasMore && (yield* isMostlyAscii(bytes))) {
    const western = yield* readable(LATIN1.decode(bytes));
    if (western !== undefined) texts.push(western);
  }
  const isShown =
    wide !== undefined && plain !== undefined && texts.some((text) => asciiOf(text) === asciiOf(plain.text));
  const isPart = texts.length === 0 && plain?.isPart === true;
  if (plain !== undefined && !isShown && !texts.includes(plain.text)) texts.push(plain.text);
  if (texts.length === 0) return partOf(yield* runsIn(bytes), unread);
  const reason = unread ?? (isPart ? PARTLY_READ : undefined);
  return { text: texts.join('\n\n'), isUtf8: false, ...(reason !== undefined && { unread: reason }) };
}

function partOf(runs: string, unread = PARTLY_READ): DecodedText | undefined {
  return runs === '' ? undefined : { text: runs, isUtf8: false, unread };
}

/** Runs of ASCII in binary data, as `strings` prints them, with at most one other byte between two letters. */
function* runsIn(bytes: Uint8Array): Steps<string> {
  const runs = Buffer.alloc(bytes.length + 2);
  let [start, end, between] = [0, 0, 0];
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at % STEP_BYTES === 0) yield;
    const byte = bytes[at] ?? 0;
    const isShown = (byte >= SPACE && byte < DELETE) || byte === TAB;
    between = isShown ? 0 : byte === 0 ? between : between + 1;
    if (isShown) {
      runs[end] = byte;
      end += 1;
    } else if ((between > 1 || at === bytes.length) && end > start) {
      if (end - start < MIN_RUN_BYTES) end = start;
      else {
        runs[end] = LINE_END;
        end += 1;
      }
      start = end;
    }
  }
  return runs.toString('latin1', 0, end).trimEnd();
}

/**
 * Bytes as UTF-8, without control characters and invalid bytes; undefined if these are most of them.
 * `hasMore`: it contains more than ASCII. `isPart`: much is left out.
 */
function* withoutOdd(bytes: Uint8Array): Steps<{ text: string; hasMore: boolean; isPart: boolean } | undefined> {
  const decoder = new TextDecoder('utf-8');
  let text = '';
  let hasMore = false;
  let [odd, broken] = [0, 0];
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    const piece = decoder.decode(bytes.subarray(at, at + STEP_BYTES), { stream: at + STEP_BYTES < bytes.length });
    const { shown, controls, broken: more } = withoutControls(piece);
    odd += controls + more;
    broken += more;
    hasMore ||= MORE_THAN_ASCII.test(shown);
    text += shown;
    yield;
  }
  if (text.trim().length < MIN_TEXT_UNITS || broken > (text.length + broken) * MAX_BROKEN_SHARE) return undefined;
  return { text, hasMore, isPart: odd > (text.length + odd) * MAX_ODD_SHARE };
}

/** A decoded text without control and broken characters; undefined if there are too many. */
function* readable(text: string): Steps<string | undefined> {
  let shown = '';
  for (let at = 0; at < text.length; at += STEP_BYTES) {
    shown += withoutControls(text.slice(at, at + STEP_BYTES)).shown;
    yield;
  }
  return text.length - shown.length > text.length * MAX_CONTROL_SHARE ? undefined : shown;
}

/** A piece of text without control and broken characters, and their number; zeros are not counted. */
function withoutControls(piece: string): { shown: string; controls: number; broken: number } {
  if (!hasControl(piece) && !piece.includes('\ufffd')) return { shown: piece, controls: 0, broken: 0 };
  const units = new Uint16Array(piece.length);
  let [length, controls, broken] = [0, 0, 0];
  for (let at = 0; at < piece.length; at += 1) {
    const code = piece.charCodeAt(at);
    if (code === REPLACEMENT) broken += 1;
    else if (isControl(code)) controls += code === 0 ? 0 : 1;
    else units[length++] = code;
  }
  return { shown: Buffer.from(units.buffer, 0, length * 2).toString('utf16le'), controls, broken };
}

/** Control characters except those of text files: tab to carriage return, and escape. */
function isControl(code: number): boolean {
  return (code < SPACE && (code < 0x08 || code > 0x0d) && code !== 0x1b) || code === DELETE;
}

/** In valid UTF-8, U+FFFD is a character that was written. */
function* hasControls(text: string): Steps<boolean> {
  for (let at = 0; at < text.length; at += STEP_BYTES) {
    if (hasControl(text.slice(at, at + STEP_BYTES))) return true;
    yield;
  }
  return false;
}

function hasControl(piece: string): boolean {
  for (let at = 0; at < piece.length; at += 1) if (isControl(piece.charCodeAt(at))) return true;
  return false;
}

function asciiOf(text: string): string {
  return text.replace(NOT_ASCII, '');
}

function* isMostlyAscii(bytes: Uint8Array): Steps<boolean> {
  let ascii = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] as number) < 0x80) ascii += 1;
    if (at % STEP_BYTES === 0) yield;
  }
  return ascii >= bytes.length * MIN_ASCII_SHARE;
}

/** UTF-16 or UTF-32, detected by the byte order mark or the zero bytes of letters. */
function wideOf(bytes: Uint8Array): Charset | undefined {
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'be' : undefined;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  for (const order of ['le', 'be'] as const) if (isUtf32(sample, order)) return utf32(order);
  if (marked !== undefined) return charsetOf(`utf-16${marked}`);
  const zeros: [number, number] = [0, 0];
  for (let at = 0; at < sample.length; at += 1) if (sample[at] === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros.map((count) => count / (sample.length / 2)) as [number, number];
  if (odd >= UTF16_ZERO_SHARE && even < MAX_CONTROL_SHARE) return charsetOf('utf-16le');
  return even >= UTF16_ZERO_SHARE && odd < MAX_CONTROL_SHARE ? charsetOf('utf-16be') : undefined;
}

function isUtf32(sample: Uint8Array, order: 'le' | 'be'): boolean {
  const [high, plane] = order === 'le' ? [3, 2] : [0, 1];
  const most = Math.floor(sample.length / 4);
  let points = 0;
  for (let at = 0; at + 4 <= sample.length; at += 4) {
    const isZero = sample[at] === 0 && sample[at + 1] === 0 && sample[at + 2] === 0 && sample[at + 3] === 0;
    if (!isZero && sample[at + high] === 0 && (sample[at + plane] as number) <= 0x10) points += 1;
  }
  return most > 0 && points >= most * UTF32_SHARE;
}

export type Decoder = InstanceType<typeof TextDecoder>;

/** The decoder of a charset in the Encoding Standard (https://encoding.spec.whatwg.org/#names-and-labels); undefined for others. */
export function decoderOf(label: string): Decoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** Whether ASCII bytes may encode other letters. */
export function hasOtherAscii({ encoding }: Decoder): boolean {
  return OTHER_ASCII.test(encoding);
}

function charsetOf(label: string): Charset | undefined {
  const wide = UTF_32.exec(label);
  if (wide !== null) return utf32(wide[1] === undefined ? 'le' : 'be');
  const decoder = decoderOf(label);
  return (
    decoder && {
      hasOtherAscii: hasOtherAscii(decoder),
      *decode(bytes) {
        const text = decoder.decode(bytes);
        yield;
        return text;
      },
    }
  );
}

function utf32(order: 'le' | 'be'): Charset {
  return { hasOtherAscii: true, decode: (bytes) => decodeUtf32(bytes, order) };
}

function* decodeUtf32(bytes: Uint8Array, order: 'le' | 'be'): Steps<string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    const points: number[] = [];
    const end = Math.min(at + STEP_BYTES, bytes.length - 3);
    for (let next = at; next < end; next += 4) {
      const point = view.getUint32(next, order === 'le');
      if (next > 0 || point !== BYTE_ORDER_MARK) points.push(isScalar(point) ? point : REPLACEMENT);
    }
    text += String.fromCodePoint(...points);
    yield;
  }
  return text;
}

function isScalar(point: number): boolean {
  return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
}

function attempt(bytes: Uint8Array): string | undefined {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
