import { GatewayError } from '../errors/index.ts';
import type { JsonPath } from './edits.ts';

const MAX_PARTS = 256;
const MAX_HEAD_BYTES = 16 * 1024;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** The field that holds audio as data URLs: https://platform.openai.com/docs/api-reference/audio/createTranscription */
const AUDIO_FIELD = 'known_speaker_references[]';
const AUDIO_URL = /^(data:audio\/[\w.+-]+(?:;[\w=.+-]+)*;base64,)[A-Za-z0-9+/]*={0,2}$/;
const CR = 0x0d;
const DASH = 0x2d;

/**
 * Parses a form strictly, in linear time: the provider must read what was inspected, so a form that two parsers could split or name
 * differently is rejected. Only names that end in `[]` may repeat.
 * @throws GatewayError `invalid_value` that names the part at fault, if there is one
 */
export function readForm(bytes: Uint8Array, boundary: string): Form {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  if (!body.subarray(0, delimiter.length).equals(delimiter)) throw formFault('does not start with its boundary');
  const parts: FormPart[] = [];
  const names = new Names();
  for (let at = 0; ; ) {
    const behind = at + delimiter.length;
    if (body[behind] === DASH && body[behind + 1] === DASH) {
      const rest = body.subarray(behind + 2).toString('latin1');
      if (rest !== '' && rest !== '\r\n') throw formFault('has data after its closing boundary');
      return { bytes, boundary, parts };
    }
    if (!isLineEnd(body, behind)) throw formFault('has a line that starts like its boundary but is not one');
    if (parts.length === MAX_PARTS) throw formFault(`has more than ${MAX_PARTS} parts`);
    const part = readPart(body, delimiter, at, names);
    parts.push(part);
    at = part.whole.end;
  }
}

function readPart(body: Buffer, delimiter: Buffer, at: number, names: Names): FormPart {
  const headStart = at + delimiter.length + 2;
  const length = body.subarray(headStart, headStart + MAX_HEAD_BYTES).indexOf('\r\n\r\n');
  if (length < 0) throw formFault('has a part whose headers have no end');
  const {
    name,
    file,
    unsent,
    length: declared,
  } = readPartHead(body.subarray(headStart, headStart + length), headStart);
  const start = headStart + length + 4;
  const end = contentEnd(body, delimiter, start, name);
  if (declared !== undefined && declared !== end - start) throw formFault('does not have its declared length', name);
  const path = names.take(name);
  const said = file === undefined ? decode(body.subarray(start, end), name) : '';
  const url = name === AUDIO_FIELD ? AUDIO_URL.exec(said)?.[1] : undefined;
  const text = url === undefined ? said : `${url}(${said.length - url.length} characters)`;
  const isOpaque = file !== undefined || url !== undefined;
  return { name, whole: { start: at, end: end + 2 }, content: { start, end }, unsent, file, text, isOpaque, path };
}

/** The offset of the line end before the next delimiter. */
function contentEnd(body: Buffer, delimiter: Buffer, start: number, name: string): number {
  // Some parsers accept a delimiter after a lone CR or LF, so such a form is rejected.
  const afterLf = body.indexOf(Buffer.concat([Buffer.from('\n'), delimiter]), start - 1);
  if (afterLf < 0) throw formFault('is truncated', name);
  const end = afterLf - 1;
  const afterCr = body.subarray(start, end).includes(Buffer.concat([Buffer.from('\r'), delimiter]));
  if (end < start || body[end] !== CR || afterCr)
    throw formFault('contains a line that starts like the boundary', name);
  return end;
}

function isLineEnd(body: Buffer, at: number): boolean {
  return body[at] === CR && body[at + 1] === 0x0a;
}

function decode(bytes: Buffer, name: string): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw formFault('is not valid UTF-8', name);
  }
}

/** The names of a form's parts so far, and the paths of their values. */
class Names {
  private readonly counts = new Map<string, { count: number; isList: boolean }>();
  private readonly kinds = new Map<string, 'text' | 'list' | 'members'>();

  /** @throws GatewayError for a name that may not repeat, or that sets how the others are read */
  take(name: string): JsonPath {
    // RFC 7578, section 4.6: the charset of all fields.
    if (name.toLowerCase() === '_charset_') throw formFault('is not allowed: fields are UTF-8', name);
    const isList = name.endsWith('[]') && name.length > 2;
    const key = isList ? name.slice(0, -2) : name;
    const known = this.counts.get(key);
    if (known !== undefined && !(isList && known.isList)) throw formFault('is repeated', name);
    this.refuseBoth(key, isList, name);
    const count = known?.count ?? 0;
    this.counts.set(key, { count: count + 1, isList });
    return isList ? [key, count] : [key];
  }

  /** Some servers read `model[x]` as a member of `model`, in place of its text. */
  private refuseBoth(key: string, isList: boolean, name: string): void {
    const [base = ''] = key.split('[', 1);
    const hasMembers = base !== '' && base !== key;
    const [field, kind] = hasMembers ? ([base, 'members'] as const) : ([key, isList ? 'list' : 'text'] as const);
    const known = this.kinds.get(field);
    if (known !== undefined && known !== kind) throw formFault('is repeated', name);
    this.kinds.set(field, kind);
  }
}

/** RFC 2046, section 5.1.1. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{1,70}$/;
const TYPE_PARAMETER = /^[ \t]*([0-9A-Za-z_-]+)=(?:"([^"\\]*)"|([^\s";]+))[ \t]*$/;

/**
 * The boundary that a `Content-Type` of `multipart/form-data` names.
 * @throws GatewayError `unsupported_media_type`, or `invalid_value` if it names none, or several
 */
export function readBoundary(contentType: string | null): string {
  const [type = '', ...parameters] = (contentType ?? '').split(';');
  if (type.trim().toLowerCase() !== 'multipart/form-data') {
    const message =
      "The request body must be a form with a file: send 'Content-Type: multipart/form-data; boundary=…'.";
    throw new GatewayError('unsupported_media_type', message);
  }
  const found = parameters.flatMap((parameter) => {
    const [, name = '', quoted, bare] = TYPE_PARAMETER.exec(parameter) ?? [];
    return name.toLowerCase() === 'boundary' ? [quoted ?? bare ?? ''] : [];
  });
  const [boundary] = found;
  if (boundary === undefined || found.length > 1 || !BOUNDARY.test(boundary) || boundary.endsWith(' ')) {
    throw formFault("needs one 'boundary' in its Content-Type, of 1 to 70 characters that RFC 2046 allows");
  }
  return boundary;
}

/** The headers of a part. */
interface PartHead {
  readonly name: string;
  readonly file: FormFile | undefined;
  /** Header lines that a provider does not need. */
  readonly unsent: readonly ByteRange[];
  /** The declared `Content-Length`; undefined if absent. */
  readonly length: number | undefined;
}

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\0\r\n]*)$/;
const PARAMETER = /[ \t]*;[ \t]*([A-Za-z]+\*?)=(?:"([^"\0]*)"|([^\s";,\\]+))/y;
/** Headers that are forwarded. The length is not: a redaction changes it. */
const SENT = new Set(['content-disposition', 'content-type', 'content-transfer-encoding']);
const TYPE_OF_FIELD = /^(?:text\/plain|application\/json)(?:;[ \t]*charset="?(?:utf-8|utf8|us-ascii)"?)?$/i;
const CHARSET = /charset[ \t]*=[ \t]*"?([^\s";]+)/i;
const MAX_NAME_CHARS = 256;

/** The characters that browsers escape in names: https://html.spec.whatwg.org/#multipart-form-data */
const ESCAPED: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/**
 * Parses the headers of a part, which begin at `start` of the body. Rejects what two parsers could read differently: folded lines,
 * repeated headers and parameters, a backslash before a quote, encoded content.
 * @throws GatewayError `invalid_value`
 */
function readPartHead(bytes: Uint8Array, start: number): PartHead {
  const text = decodeHead(bytes);
  const headers = new Map<string, { value: string; at: number; line: ByteRange }>();
  let at = 0;
  for (const line of text.split('\r\n')) {
    const [, name, written] = HEADER.exec(line) ?? [];
    const value = written?.trimStart();
    if (name === undefined || value === undefined) throw formFault('has a part with a malformed header');
    if (headers.has(name.toLowerCase())) throw formFault(`has a part that repeats the header '${name.slice(0, 64)}'`);
    headers.set(name.toLowerCase(), {
      value,
      at: at + line.length - value.length,
      line: { start: at, end: at + line.length + 2 },
    });
    at += line.length + 2;
  }
  const disposition = headers.get('content-disposition');
  if (disposition === undefined) throw formFault("has a part without 'Content-Disposition'");
  // The text does not include the line end of the last line.
  const toByte = (offset: number) => start + Buffer.byteLength(`${text}\r\n`.slice(0, offset));
  const { name, names } = readDisposition(disposition.value, (offset) => toByte(disposition.at + offset));
  const type = headers.get('content-type')?.value.trim();
  const encoding = headers.get('content-transfer-encoding')?.value.trim().toLowerCase() ?? 'binary';
  if (!['7bit', '8bit', 'binary'].includes(encoding))
    throw formFault('is encoded: send it without Content-Transfer-Encoding', name);
  const charset = CHARSET.exec(type ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  const isFile = Object.keys(names).length > 0;
  if (!isFile && !['utf-8', 'utf8', 'us-ascii'].includes(charset)) throw formFault('must be UTF-8', name);
  const length = headers.get('content-length')?.value.trim();
  const isSent = (header: string, value: string) =>
    SENT.has(header) && (header !== 'content-type' || isFile || TYPE_OF_FIELD.test(value.trim()));
  const unsent = [...headers].filter(([header, { value }]) => !isSent(header, value));
  return {
    name,
    unsent: unsent.map(([, { line }]) => ({ start: toByte(line.start), end: toByte(line.end) })),
    file: isFile ? { names, type } : undefined,
    length: length === undefined ? undefined : Number(length),
  };
}

function decodeHead(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw formFault('has a part whose headers are not UTF-8');
  }
}

function readDisposition(value: string, toByte: (offset: number) => number) {
  const kind = /^form-data/i.exec(value)?.[0];
  if (kind === undefined) throw formFault("has a part whose 'Content-Disposition' is not 'form-data'");
  const found = new Map<string, ByteRange & { text: string }>();
  PARAMETER.lastIndex = kind.length;
  while (PARAMETER.lastIndex < value.trimEnd().length) {
    const match = PARAMETER.exec(value);
    const [whole = '', parameter = '', quoted, bare] = match ?? [];
    const name = parameter.toLowerCase();
    if (match === null || !['name', 'filename', 'filename*'].includes(name)) throw unclear();
    if (found.has(name) || quoted?.endsWith('\\')) throw unclear();
    const end = match.index + whole.length;
    const written = whole.length - (whole.indexOf('=') + 1);
    const text = name === 'filename*' ? extended(quoted ?? bare ?? '') : unescaped(quoted ?? bare ?? '');
    found.set(name, { text, start: toByte(end - written), end: toByte(end) });
    PARAMETER.lastIndex = end;
  }
  const name = found.get('name')?.text;
  if (name === undefined || name === '') throw formFault('has a part without a name');
  if (name.length > MAX_NAME_CHARS || name.includes('\\')) throw formFault('has a part with an invalid name');
  found.delete('name');
  return { name, names: Object.fromEntries(found) };
}

/** RFC 5987; .NET's client sends it besides the plain name. */
function extended(value: string): string {
  const [, encoded] = /^utf-8''(.*)$/is.exec(value) ?? [];
  if (encoded === undefined) throw unclear();
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw unclear();
  }
}

function unescaped(value: string): string {
  return value.replace(/%(?:22|0D|0A)/gi, (code) => ESCAPED[code.toUpperCase()] as string);
}

function unclear() {
  return formFault("has a part whose 'Content-Disposition' is not clear");
}

/** Bytes from `start` up to `end` of a form. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file of a form, without its bytes. */
interface FormFile {
  /** The decoded `filename`, `filename*` or both, with their ranges in the body. */
  readonly names: Readonly<Record<string, ByteRange & { readonly text: string }>>;
  /** The type that the part declares. */
  readonly type: string | undefined;
}

/** A part of a form, and its place in the body. */
export interface FormPart {
  readonly name: string;
  /** From its delimiter to the next one: the range that is removed with it. */
  readonly whole: ByteRange;
  readonly content: ByteRange;
  /** Header lines that are neither inspected nor forwarded. */
  readonly unsent: readonly ByteRange[];
  /** undefined for a field. */
  readonly file: FormFile | undefined;
  /** A field's value, a data URL without its data; empty for a file. */
  readonly text: string;
  /** Whether `text` leaves out file content: a file, or a data URL. */
  readonly isOpaque: boolean;
  /** The path of its value in the equivalent JSON. */
  readonly path: JsonPath;
}

/** A body of `multipart/form-data` (RFC 7578). */
export interface Form {
  readonly bytes: Uint8Array;
  readonly boundary: string;
  /** In order. */
  readonly parts: readonly FormPart[];
}

/** The 400 of a malformed or ambiguous form; it names the part at fault, if there is one. */
function formFault(what: string, name?: string): GatewayError {
  if (name === undefined) return new GatewayError('invalid_value', `The multipart body ${what}.`);
  const param = name.length <= 120 ? name : `${name.slice(0, 120)}…`;
  return new GatewayError('invalid_value', `The part '${param}' of the multipart body ${what}.`, { param });
}
