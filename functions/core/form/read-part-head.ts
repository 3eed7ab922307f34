import type { ByteRange, FormFile } from './form.ts';
import { formFault } from './form-fault.ts';

/** What the head of a part says. */
export interface PartHead {
  readonly name: string;
  readonly file: FormFile | undefined;
  /** Lines that say more than a provider needs. */
  readonly unsent: readonly ByteRange[];
  /** How many bytes it says that it has; undefined where it does not say. */
  readonly length: number | undefined;
}

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\0\r\n]*)$/;
const PARAMETER = /[ \t]*;[ \t]*([A-Za-z]+\*?)=(?:"([^"\0]*)"|([^\s";,\\]+))/y;
/** What is read here is sent on, but for a length, which a redaction changes; a file's type is inspected with its names. */
const SENT = new Set(['content-disposition', 'content-type', 'content-transfer-encoding']);
const TYPE_OF_FIELD = /^(?:text\/plain|application\/json)(?:;[ \t]*charset="?(?:utf-8|utf8|us-ascii)"?)?$/i;
const CHARSET = /charset[ \t]*=[ \t]*"?([^\s";]+)/i;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MAX_NAME_CHARS = 256;

/** The characters that browsers escape in names: https://html.spec.whatwg.org/#multipart-form-data */
const ESCAPED: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/**
 * Reads the head of a part, which begins at `start` of the body. Whatever two readers might take differently is refused: folded
 * lines, repeated headers and parameters, a backslash that may escape the quote behind it, encodings of the content.
 * @throws GatewayError `invalid_value`
 */
export function readPartHead(bytes: Uint8Array, start: number): PartHead {
  const text = decode(bytes);
  const headers = new Map<string, { value: string; at: number; line: ByteRange }>();
  let at = 0;
  for (const line of text.split('\r\n')) {
    const [, name, written] = HEADER.exec(line) ?? [];
    const value = written?.trimStart();
    if (name === undefined || value === undefined) throw formFault('has a part whose header is none');
    if (headers.has(name.toLowerCase())) throw formFault(`has a part with two headers '${name.slice(0, 64)}'`);
    headers.set(name.toLowerCase(), {
      value,
      at: at + line.length - value.length,
      line: { start: at, end: at + line.length + 2 },
    });
    at += line.length + 2;
  }
  const disposition = headers.get('content-disposition');
  if (disposition === undefined) throw formFault("has a part without 'Content-Disposition'");
  // The line end behind the last line is not in the text.
  const toByte = (offset: number) => start + Buffer.byteLength(`${text}\r\n`.slice(0, offset));
  const { name, names } = readDisposition(disposition.value, (offset) => toByte(disposition.at + offset));
  const type = headers.get('content-type')?.value.trim();
  const encoding = headers.get('content-transfer-encoding')?.value.trim().toLowerCase() ?? 'binary';
  if (!['7bit', '8bit', 'binary'].includes(encoding)) throw formFault('is encoded: send it as it is', name);
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

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw formFault('has a part whose head is not UTF-8');
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
  if (name.length > MAX_NAME_CHARS || name.includes('\\')) throw formFault('has a part whose name is none');
  found.delete('name');
  return { name, names: Object.fromEntries(found) };
}

/** RFC 5987, which .NET's client uses besides the plain name. */
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
