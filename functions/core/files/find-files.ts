import type { JsonPath } from '../base/edits.ts';
import { isObject } from '../base/json.ts';
import type { RequestDocument } from '../base/request-document.ts';

/** A string that carries a file, or names one that is elsewhere. */
export interface FoundFile {
  readonly path: JsonPath;
  /** Decoded when it is asked for; undefined where nothing came with the request: an id or an address. */
  readonly decode: () => EncodedFile | undefined;
  /** Says itself that it is a file. */
  readonly isDataUrl: boolean;
  /** As a data URL or a member beside it declares it, in lower case; undefined where nothing does. */
  readonly mediaType?: string | undefined;
  /** Cannot be changed where it is: a part of a form. */
  readonly isFixed?: true;
}

/** Members in which the APIs carry base64, data URLs and addresses of files. */
const CARRIERS = new Set('data url file_data fileData image_url imageUrl b64_json partial_image_b64 result'.split(' '));
/** Members that name files. */
const REFERENCES = new Set(['file_id', 'fileId', 'file_url', 'fileUrl', 'file_uri', 'fileUri']);
/** Members beside a file that declare its media type. */
const MEDIA_TYPES = ['mimeType', 'mime_type', 'media_type'] as const;
const DATA_URL = /^\s*data:([^;,]*)/i;

/** Every file of a request, whatever its API: one that an unknown part carries too. */
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

/** Every string of a JSON value that carries or names a file. */
export function filesIn(value: unknown): FoundFile[] {
  const found: FoundFile[] = [];
  collect(value, {}, [], found);
  return found;
}

/** `path` is changed on the way and copied only for what is found. */
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

/** Most strings begin otherwise. */
function mayBeDataUrl(value: string): boolean {
  return /^[\sd]/i.test(value);
}

function declaredIn(holder: object): string | undefined {
  const name = MEDIA_TYPES.find((one) => one in holder);
  const declared = name && (holder as Readonly<Record<string, unknown>>)[name];
  return typeof declared === 'string' ? declared.toLowerCase() : undefined;
}

/** What a string holds that carries a file: base64, or a data URL. */
export interface EncodedFile {
  readonly bytes: Uint8Array;
  readonly charset: string | undefined;
  /** The same string for a file of another text, in UTF-8. */
  readonly encode: (text: string) => string;
}

const DATA_URL_HEAD = /^\s*data:([^,]*),/i;
/** An address of anything else: base64 holds no colon. */
const ADDRESS = /^\s*[a-z][a-z0-9+.-]{0,31}:/i;
const CHARSET = /^charset=["']?([\w:.-]{1,40})/i;
/** The flag for base64 is the last of a data URL's parameters; longer ones are nobody's. */
const MAX_PARAMETER_CHARS = 1024;
const PERCENT = 0x25;
/** Padding and a line end. */
const MAX_ENDING = 4;
/** Nobody concatenates more pieces of base64, each with its padding. */
const MAX_PADDED_RUNS = 1024;

/**
 * The file that a string carries; undefined where it carries none: an address, or base64 that is not.
 * @param mediaType as a member beside it declares it
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

/** The charset that a media type or the head of a data URL names. */
function charsetIn(mediaType = ''): string | undefined {
  return statedIn(mediaType).flatMap((one) => CHARSET.exec(one)?.[1] ?? [])[0];
}

function statedIn(parameters: string): string[] {
  return parameters
    .slice(-MAX_PARAMETER_CHARS)
    .split(';')
    .map((one) => one.replace(/\s/g, ''));
}

/** As lenient decoders read it: both alphabets, line ends and other letters passed over, padding anywhere. */
function fromBase64(head: string, payload: string, charset: string | undefined): EncodedFile | undefined {
  const end = payload.indexOf('=');
  const isPlain = end < 0 || payload.slice(end, end + MAX_ENDING).trimEnd() === payload.slice(end).trimEnd();
  const runs = isPlain ? [payload] : payload.split(/=+/, MAX_PADDED_RUNS + 1);
  if (runs.length > MAX_PADDED_RUNS) return undefined;
  const decoded = runs.map((run) => Buffer.from(run, 'base64'));
  const encode = (text: string) => head + Buffer.from(text).toString(/[-_]/.test(payload) ? 'base64url' : 'base64');
  return { bytes: decoded.length === 1 ? (decoded[0] as Buffer) : Buffer.concat(decoded), charset, encode };
}

/** Percent-encoded bytes; what is not encoded stands for itself, in UTF-8. */
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

/** The byte that two hexadecimal digits name; -1 where they are none. */
function hexByte(bytes: Buffer, at: number): number {
  const [high, low] = [hexDigit(bytes[at]), hexDigit(bytes[at + 1])];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}
