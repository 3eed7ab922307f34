import { isObject, type JsonPath, type RequestDocument } from '../../kernel/json/index.ts';

/** A string that contains a file, or refers to one. */
export interface FoundFile {
  readonly path: JsonPath;
  /** Decoded on demand; undefined for a reference: an id or URL. */
  readonly decode: () => EncodedFile | undefined;
  /** It declares itself a file. */
  readonly isDataUrl: boolean;
  /** As declared by the data URL or a sibling member, in lower case; undefined if not declared. */
  readonly mediaType?: string | undefined;
  /** It cannot be changed in place: a part of a form. */
  readonly isFixed?: true;
}

/** Members in which the APIs send base64, data URLs and file URLs. */
const CARRIERS = new Set('data url file_data fileData image_url imageUrl b64_json partial_image_b64 result'.split(' '));
/** Members that refer to files. */
const REFERENCES = new Set(['file_id', 'fileId', 'file_url', 'fileUrl', 'file_uri', 'fileUri']);
/** Members beside a file that declare its media type. */
const MEDIA_TYPES = ['mimeType', 'mime_type', 'media_type'] as const;
const DATA_URL = /^\s*data:([^;,]*)/i;

/** Every file of a request, whatever its API, including files in unknown parts. */
export function filesOf({ value, form }: RequestDocument): FoundFile[] {
  if (form === undefined) return filesIn(value);
  return form.parts
    .filter(({ isOpaque }) => isOpaque)
    .map(({ path, file, content }) => {
      const bytes = form.bytes.subarray(content.start, content.end);
      const decode = () =>
        file === undefined
          ? decodeFile(Buffer.from(bytes).toString('latin1'))
          : { bytes, charset: charsetIn(file.type), encode: (text: string) => text };
      return { path, decode, isDataUrl: file === undefined, mediaType: file?.type?.toLowerCase(), isFixed: true };
    });
}

/** Every string of a JSON value that contains or refers to a file. */
export function filesIn(value: unknown): FoundFile[] {
  const found: FoundFile[] = [];
  collect(value, {}, [], found);
  return found;
}

/** `path` is changed during the walk and copied for each file found. */
function collect(value: unknown, holder: object, path: (string | number)[], found: FoundFile[]): void {
  if (typeof value === 'string') {
    const file = fileIn(value, String(path.at(-1)), holder);
    if (file !== undefined) found.push({ path: [...path], ...file });
  } else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const item: unknown = value[at];
      if (typeof item === 'object' || (typeof item === 'string' && mayBeDataUrl(item))) {
        path.push(at);
        collect(item, value, path, found);
        path.pop();
      }
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const item = value[name];
      if (typeof item === 'object' || typeof item === 'string') {
        path.push(name);
        collect(item, value, path, found);
        path.pop();
      }
    }
  }
}

function fileIn(value: string, name: string, holder: object): Omit<FoundFile, 'path'> | undefined {
  const url = mayBeDataUrl(value) ? DATA_URL.exec(value.slice(0, 128)) : null;
  const isDataUrl = url !== null;
  if (isDataUrl || (CARRIERS.has(name) && value !== '')) {
    const mediaType = url?.[1]?.toLowerCase() ?? declaredIn(holder);
    return { isDataUrl, mediaType, decode: () => decodeFile(value, isDataUrl ? undefined : mediaType) };
  }
  return REFERENCES.has(name) ? { isDataUrl, decode: () => undefined } : undefined;
}

/** A quick check that rejects most strings. */
function mayBeDataUrl(value: string): boolean {
  return /^[\sd]/i.test(value);
}

function declaredIn(holder: object): string | undefined {
  const name = MEDIA_TYPES.find((one) => one in holder);
  const declared = name && (holder as Readonly<Record<string, unknown>>)[name];
  return typeof declared === 'string' ? declared.toLowerCase() : undefined;
}

/** The content of a string with a file: base64, or a data URL. */
export interface EncodedFile {
  readonly bytes: Uint8Array;
  readonly charset: string | undefined;
  /** The same string with another text as its file, in UTF-8. */
  readonly encode: (text: string) => string;
}

const DATA_URL_HEAD = /^\s*data:([^,]*),/i;
/** A URL of another scheme: base64 contains no colon. */
const ADDRESS = /^\s*[a-z][a-z0-9+.-]{0,31}:/i;
const CHARSET = /^charset=["']?([\w:.-]{1,40})/i;
/** The base64 flag is the last parameter of a data URL; real heads are shorter than this limit. */
const MAX_PARAMETER_CHARS = 1024;
const PERCENT = 0x25;
/** Padding and a line end. */
const MAX_ENDING = 4;
/** The most concatenated pieces of base64, each with its padding. */
const MAX_PADDED_RUNS = 1024;

/**
 * The file in a string; undefined for a URL or invalid base64.
 * @param mediaType as a sibling member declares it
 */
function decodeFile(value: string, mediaType?: string): EncodedFile | undefined {
  const url = DATA_URL_HEAD.exec(value);
  if (url === null) return ADDRESS.test(value) ? undefined : fromBase64('', value, charsetIn(mediaType));
  const [head, parameters = ''] = url;
  const payload = value.slice(head.length);
  const stated = statedIn(parameters);
  const charset = charsetIn(parameters);
  if (stated.at(-1)?.toLowerCase() === 'base64')
    return fromBase64(head, payload.includes('%') ? unescaped(payload).toString('latin1') : payload, charset);
  return { bytes: unescaped(payload), charset, encode: (text) => head + encodeURIComponent(text) };
}

/** The charset that a media type or data URL declares. */
function charsetIn(mediaType = ''): string | undefined {
  return statedIn(mediaType).flatMap((one) => CHARSET.exec(one)?.[1] ?? [])[0];
}

function statedIn(parameters: string): string[] {
  return parameters
    .slice(-MAX_PARAMETER_CHARS)
    .split(';')
    .map((one) => one.replace(/\s/g, ''));
}

function fromBase64(head: string, payload: string, charset: string | undefined): EncodedFile | undefined {
  const bytes = decodeBase64(payload);
  const encode = (text: string) => head + Buffer.from(text).toString(/[-_]/.test(payload) ? 'base64url' : 'base64');
  return bytes && { bytes, charset, encode };
}

/** Base64 decoded as leniently as decoders do: both alphabets, padding anywhere, other characters skipped; undefined with too much padding. */
export function decodeBase64(payload: string): Buffer | undefined {
  const end = payload.indexOf('=');
  const isPlain = end < 0 || payload.slice(end, end + MAX_ENDING).trimEnd() === payload.slice(end).trimEnd();
  const runs = isPlain ? [payload] : payload.split(/=+/, MAX_PADDED_RUNS + 1);
  if (runs.length > MAX_PADDED_RUNS) return undefined;
  const decoded = runs.map((run) => Buffer.from(run, 'base64'));
  return decoded.length === 1 ? (decoded[0] as Buffer) : Buffer.concat(decoded);
}

/** Percent-decoded bytes; other characters as UTF-8. */
function unescaped(text: string): Buffer {
  const written = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < written.length; at += 1) {
    const code = written[at] === PERCENT ? hexByte(written, at + 1) : -1;
    written[length] = code < 0 ? (written[at] as number) : code;
    length += 1;
    if (code >= 0) at += 2;
  }
  return written.subarray(0, length);
}

/** The byte of two hexadecimal digits; -1 if they are not digits. */
export function hexByte(bytes: Buffer, at: number): number {
  const [high, low] = [hexDigit(bytes[at]), hexDigit(bytes[at + 1])];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}
