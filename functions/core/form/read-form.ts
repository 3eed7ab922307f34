import type { JsonPath } from '../json/json-splice.ts';
import type { Form, FormPart } from './form.ts';
import { formFault } from './form-fault.ts';
import { readPartHead } from './read-part-head.ts';

const MAX_PARTS = 256;
const MAX_HEAD_BYTES = 16 * 1024;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** The field that holds audio as data URLs: https://platform.openai.com/docs/api-reference/audio/createTranscription */
const AUDIO_FIELD = 'known_speaker_references[]';
const AUDIO_URL = /^(data:audio\/[\w.+-]+(?:;[\w=.+-]+)*;base64,)[A-Za-z0-9+/]*={0,2}$/;
const CR = 0x0d;
const DASH = 0x2d;

/**
 * Reads a form, strictly: what is inspected must be what the provider reads, so nothing is taken that two readers might split
 * or name differently. Names that end in `[]` may come again; every other name comes once. Takes linear time.
 * @throws GatewayError `invalid_value` that names the part, where one is to blame
 */
export function readForm(bytes: Uint8Array, boundary: string): Form {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  if (!body.subarray(0, delimiter.length).equals(delimiter)) throw formFault('does not begin with its boundary');
  const parts: FormPart[] = [];
  const names = new Names();
  for (let at = 0; ; ) {
    const behind = at + delimiter.length;
    if (body[behind] === DASH && body[behind + 1] === DASH) {
      const rest = body.subarray(behind + 2).toString('latin1');
      if (rest !== '' && rest !== '\r\n') throw formFault('goes on behind its end');
      return { bytes, boundary, parts };
    }
    if (!isLineEnd(body, behind)) throw formFault('has a line that begins like its boundary and is none');
    if (parts.length === MAX_PARTS) throw formFault(`has more than ${MAX_PARTS} parts`);
    const part = readPart(body, delimiter, at, names);
    parts.push(part);
    at = part.whole.end;
  }
}

function readPart(body: Buffer, delimiter: Buffer, at: number, names: Names): FormPart {
  const headStart = at + delimiter.length + 2;
  const length = body.subarray(headStart, headStart + MAX_HEAD_BYTES).indexOf('\r\n\r\n');
  if (length < 0) throw formFault('has a part whose head has no end');
  const { name, file, unsent, length: told } = readPartHead(body.subarray(headStart, headStart + length), headStart);
  const start = headStart + length + 4;
  const end = contentEnd(body, delimiter, start, name);
  if (told !== undefined && told !== end - start) throw formFault('is not as long as its head says', name);
  const path = names.take(name, file !== undefined);
  const said = file === undefined ? decode(body.subarray(start, end), name) : '';
  const url = name === AUDIO_FIELD ? AUDIO_URL.exec(said)?.[1] : undefined;
  const text = url === undefined ? said : `${url}(${said.length - url.length} characters)`;
  const isOpaque = file !== undefined || url !== undefined;
  return { name, whole: { start: at, end: end + 2 }, content: { start, end }, unsent, file, text, isOpaque, path };
}

/** Where the line end before the next delimiter is. */
function contentEnd(body: Buffer, delimiter: Buffer, start: number, name: string): number {
  // One that a lone CR or LF stands before is a delimiter to some readers: to none here, and so to nobody.
  const afterLf = body.indexOf(Buffer.concat([Buffer.from('\n'), delimiter]), start - 1);
  if (afterLf < 0) throw formFault('ends before its end: it is cut short', name);
  const end = afterLf - 1;
  const afterCr = body.subarray(start, end).includes(Buffer.concat([Buffer.from('\r'), delimiter]));
  if (end < start || body[end] !== CR || afterCr) throw formFault('holds a line that begins like the boundary', name);
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

/** The names of a form's parts so far, and where their values go. */
class Names {
  private readonly counts = new Map<string, { count: number; isList: boolean }>();

  /** @throws GatewayError for one that may not come again */
  take(name: string, isFile: boolean): JsonPath {
    const isList = name.endsWith('[]') && !isFile && name.length > 2;
    const key = isList ? name.slice(0, -2) : name;
    const known = this.counts.get(key);
    if (known !== undefined && !(isList && known.isList)) throw formFault('comes twice', name);
    const count = known?.count ?? 0;
    this.counts.set(key, { count: count + 1, isList });
    return isList ? [key, count] : [key];
  }
}
