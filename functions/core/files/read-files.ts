import type { JsonPath } from '../base/edits.ts';
import { toParam } from '../base/first-fault.ts';
import { isObject } from '../base/json.ts';
import { finish, runInSlices, type Scheduler, type Steps } from '../base/steps.ts';
import { MAX_DECODED_UNITS } from '../inspect/decoding/payloads.ts';
import { isReadAlone } from '../inspect/requests/names.ts';
import {
  type RequestText,
  type RequestTexts,
  type Skipped,
  SURFACES,
  turnsAgo,
} from '../inspect/requests/request-text.ts';
import { decodeSteps, PARTLY_READ } from './decode-text.ts';
import type { EncodedFile, FoundFile } from './find-files.ts';

/** Bytes of all files of a request that are decoded: more than any body that Lambda takes holds. */
const MAX_BYTES = 16 * 1024 * 1024;
/** A PDF may have other bytes before its head. */
const PDF_HEAD = /%PDF-/;
const PDF_HEAD_BYTES = 1024;
const SPACE = /\s/;
/** Looking at so many texts takes a millisecond or so. */
const STEP_TEXTS = 1000;

/** A file, and what could be read of it. */
interface ReadFile {
  readonly path: JsonPath;
  readonly isDataUrl: boolean;
  readonly text: string | undefined;
  /** The string that carries the file, with another text in it; undefined where the file cannot be rewritten. */
  readonly rewrite?: ((text: string) => string) | undefined;
  /** Why some or all of it could not be read. */
  readonly unread?: string | undefined;
  readonly pdf?: Uint8Array;
}

/** Why a PDF is not read without a reader. */
const NO_READER: DocumentText = { text: '', unread: 'PDF not read here' };

/**
 * The texts of a request with those of its files behind them, and what could not be read.
 * @param body as it was parsed
 */
export async function readFiles(
  body: unknown,
  own: RequestTexts,
  found: readonly FoundFile[],
  reader: DocumentReader | undefined,
  scheduler: Scheduler,
): Promise<RequestTexts> {
  const files = await runInSlices(decodeAll(found, own), scheduler);
  const pdfs = files.flatMap(({ pdf }) => (pdf === undefined ? [] : [pdf]));
  const documents = pdfs.length === 0 ? [] : await reader?.read(pdfs);
  return withFiles(body, own, withDocuments(files, documents ?? []));
}

/** The same without those of PDFs. */
export function readTextFiles(body: unknown, own: RequestTexts, found: readonly FoundFile[]): RequestTexts {
  return withFiles(body, own, withDocuments(finish(decodeAll(found, own)), []));
}

/** Whether something of a request was left unread that the gateway itself reads. */
export function lacksReader({ skipped }: RequestTexts): boolean {
  return skipped.some(({ what }) => what.endsWith(`(${NO_READER.unread})`));
}

function withFiles(body: unknown, { texts, skipped }: RequestTexts, files: readonly ReadFile[]): RequestTexts {
  if (files.length === 0) return { texts, skipped };
  const placeOf = places(body);
  const read = files.flatMap(({ path, text, rewrite }): RequestText[] =>
    text === undefined || text === ''
      ? []
      : [{ path, text, author: 'tool', surface: SURFACES.tool, isContent: true, ...placeOf(path), file: { rewrite } }],
  );
  return { texts: [...texts, ...read], skipped: unreadOf(skipped, files) };
}

function* decodeAll(found: readonly FoundFile[], { texts, skipped }: RequestTexts): Steps<ReadFile[]> {
  if (found.length === 0) return [];
  const known = new Map<string, string>();
  for (const [at, one] of texts.entries()) {
    if (at % STEP_TEXTS === STEP_TEXTS - 1) yield;
    if (one.name !== 'member' && isReadAlone(one)) known.set(keyOf(one.path), one.text);
  }
  const listed = new Set(skipped.map(({ path }) => keyOf(path)));
  const files: ReadFile[] = [];
  let left = MAX_BYTES;
  for (const file of found) {
    yield;
    const inspected = known.get(keyOf(file.path));
    const isMedium = file.path.some((_, at) => listed.has(keyOf(file.path.slice(0, at + 1))));
    // The inspection decodes other texts by itself, but not where they are long or cut into lines.
    const isDecoded = inspected !== undefined && inspected.length <= MAX_DECODED_UNITS && !SPACE.test(inspected);
    if (isDecoded && !isMedium) continue;
    const content = file.decode();
    yield;
    left -= content?.bytes.length ?? 0;
    const { path, isDataUrl } = file;
    if (content === undefined) files.push({ path, isDataUrl, text: undefined });
    else if (left < 0) files.push({ path, isDataUrl, text: undefined, unread: 'over 16 MiB of files' });
    else files.push(yield* toReadFile(file, content, inspected !== undefined, isMedium));
  }
  return files;
}

function* toReadFile(file: FoundFile, content: EncodedFile, isText: boolean, isMedium: boolean): Steps<ReadFile> {
  const { path, isDataUrl, isFixed, mediaType } = file;
  const { bytes, charset, encode } = content;
  const decoded = yield* decodeSteps(bytes, { charset, mediaType });
  const isPdf = PDF_HEAD.test(Buffer.from(bytes.subarray(0, PDF_HEAD_BYTES)).toString('latin1'));
  // Ids and signatures look like base64 too; a PDF is read by its reader.
  const isFile = !isPdf && (isMedium || isDataUrl || mediaType !== undefined);
  const { text, isUtf8 = false, unread } = !isFile && decoded?.unread === PARTLY_READ ? {} : (decoded ?? {});
  const rewrite = isUtf8 && !isFixed && !isText && !isPdf ? encode : undefined;
  return { path, isDataUrl, text, rewrite, unread, ...(isPdf && { pdf: bytes }) };
}

/**
 * A PDF that is readable text as well is read both ways: which of them a provider reads is its own affair.
 * @param documents what was read of the PDFs, in their order
 */
function withDocuments(files: readonly ReadFile[], documents: readonly DocumentText[]): ReadFile[] {
  let next = 0;
  return files.map((file) => {
    if (file.pdf === undefined) return file;
    const { text, unread } = documents[next++] ?? NO_READER;
    const all = [text, file.text ?? ''].filter((part) => part !== '').join('\n\n');
    return { ...file, text: all === '' && unread !== undefined ? undefined : all, unread: unread ?? file.unread };
  });
}

/** What is left unread of the media that a request lists, and data URLs in places that no API has for them. */
function unreadOf(listed: readonly Skipped[], files: readonly ReadFile[]): Skipped[] {
  const inside = new Map(listed.map(({ path }): [string, ReadFile[]] => [keyOf(path), []]));
  const unlisted = files.filter((file) => {
    const holders = file.path.map((_, at) => inside.get(keyOf(file.path.slice(0, at + 1))));
    for (const holder of holders) holder?.push(file);
    return file.isDataUrl && holders.every((holder) => holder === undefined);
  });
  const left = listed.flatMap(({ path, what }) => unreadIn(path, what, inside.get(keyOf(path)) ?? []));
  return [...left, ...unlisted.flatMap((file) => unreadIn(file.path, 'file', [file]))];
}

/** A medium is read where each of the files that it carries or names is. */
function unreadIn(path: JsonPath, what: string, files: readonly ReadFile[]): Skipped[] {
  const unread = files.filter((file) => file.text === undefined || file.unread !== undefined);
  if (files.length > 0 && unread.length === 0) return [];
  // Of a recording or an image that is no whole one, some ASCII is no reason that tells anything.
  const reason = unread.find((file) => file.unread !== undefined && file.unread !== PARTLY_READ)?.unread;
  return [{ path, what: reason === undefined ? what : `${what} (${reason})` }];
}

function keyOf(path: JsonPath): string {
  return path.join('\n');
}

/** As `coverage.skipped` lists it: `messages[1].content[1]: image`. */
export function describeSkipped({ path, what }: Skipped): string {
  return `${toParam(path)}: ${what}`;
}

/** Where in a conversation something is. */
function places(body: unknown): (path: JsonPath) => Pick<RequestText, 'message' | 'turnsAgo'> {
  const ages = new Map<string, number[]>();
  return ([list, at]) => {
    const items = isObject(body) && typeof list === 'string' ? body[list] : undefined;
    if (!Array.isArray(items) || typeof at !== 'number') return { message: null, turnsAgo: 0 };
    let known = ages.get(list as string);
    if (known === undefined) {
      known = turnsAgo(items.map(roleOf));
      ages.set(list as string, known);
    }
    return { message: at, turnsAgo: known[at] ?? 0 };
  };
}

/** A call or reasoning among Responses items has no role, and is the model's. */
function roleOf(item: unknown): string {
  const { role, type } = Object(item) as { role?: unknown; type?: unknown };
  const isOfModel = role === 'assistant' || role === 'model' || /(?:_call|reasoning)$/.test(String(type));
  return isOfModel ? 'assistant' : 'user';
}

/** What could be read of a document. */
export interface DocumentText {
  readonly text: string;
  /** Why some or all of it could not be read: `encrypted`, `over 1,000 pages`; undefined where all was. */
  readonly unread?: string;
}

/** Reads the text of documents that are no text themselves. */
export interface DocumentReader {
  /**
   * The text of PDFs, in their order. Never rejects: what cannot be read in time, or at all, says so in its result.
   */
  read(pdfs: readonly Uint8Array[]): Promise<readonly DocumentText[]>;
}
