import { toParam } from '../../kernel/errors/index.ts';
import { isObject, type JsonPath } from '../../kernel/json/index.ts';
import { type RequestText, type RequestTexts, type Skipped, SURFACE_OF, turnsAgo } from '../../kernel/model/index.ts';
import { finish, runInSlices, type Scheduler, type Steps } from '../../kernel/tasks/index.ts';
import { isInspectedAlone } from '../across-texts/index.ts';
import { MAX_DECODED_UNITS } from '../decoding/index.ts';
import { PARTLY_READ } from './decode-text.ts';
import { ARCHIVE, formatsOf, oldFormatOf } from './document-formats.ts';
import type { EncodedFile, FoundFile } from './find-files.ts';
import { readSteps } from './resolve-text.ts';

/** The limit of decoded bytes of all files: more than a body in Lambda can contain. */
const MAX_BYTES = 16 * 1024 * 1024;
const SPACE = /\s/;
/** Checking these texts takes about a millisecond. */
const STEP_TEXTS = 1000;

/** A file and its text. */
interface ReadFile {
  readonly path: JsonPath;
  readonly isDataUrl: boolean;
  readonly text: string | undefined;
  /** The string of the file with another text; undefined if the file cannot be rewritten. */
  readonly rewrite?: ((text: string) => string) | undefined;
  /** Why it was not read completely. */
  readonly unread?: string | undefined;
  readonly document?: BinaryDocument | undefined;
}

/** The result without a reader of documents. */
const NO_READER: DocumentText = { text: '', unread: 'documents not read here' };

/**
 * The texts of a request, followed by those of its files, and what could not be read.
 * @param body the parsed body
 */
export async function readFiles(
  body: unknown,
  own: RequestTexts,
  found: readonly FoundFile[],
  reader: DocumentReader | undefined,
  scheduler: Scheduler,
): Promise<RequestTexts> {
  const files = await runInSlices(decodeAll(found, own), scheduler);
  const documents = files.flatMap(({ document }) => document ?? []);
  const texts = documents.length === 0 ? [] : await reader?.read(documents);
  return withFiles(body, own, withDocuments(files, texts ?? []));
}

/** The same without PDFs and office documents. */
export function readTextFiles(body: unknown, own: RequestTexts, found: readonly FoundFile[]): RequestTexts {
  return withFiles(body, own, withDocuments(finish(decodeAll(found, own)), []));
}

/** Whether text that the gateway itself can read was left unread. */
export function lacksReader({ skipped }: Pick<RequestTexts, 'skipped'>): boolean {
  return skipped.some(({ what }) => what.endsWith(`(${NO_READER.unread})`));
}

function withFiles(body: unknown, { texts, skipped }: RequestTexts, files: readonly ReadFile[]): RequestTexts {
  if (files.length === 0) return { texts, skipped };
  const placeOf = places(body);
  const read = files.flatMap(({ path, text, rewrite }): RequestText[] =>
    text === undefined || text === ''
      ? []
      : [
          {
            path,
            text,
            author: 'tool',
            surface: SURFACE_OF.tool,
            isContent: true,
            ...placeOf(path),
            file: { rewrite },
          },
        ],
  );
  return { texts: [...texts, ...read], skipped: unreadOf(skipped, files) };
}

function* decodeAll(found: readonly FoundFile[], { texts, skipped }: RequestTexts): Steps<ReadFile[]> {
  if (found.length === 0) return [];
  const known = new Map<string, string>();
  for (const [at, one] of texts.entries()) {
    if (at % STEP_TEXTS === STEP_TEXTS - 1) yield;
    if (one.name !== 'member' && isInspectedAlone(one)) known.set(keyOf(one.path), one.text);
  }
  const listed = new Set(skipped.map(({ path }) => keyOf(path)));
  const files: ReadFile[] = [];
  let left = MAX_BYTES;
  for (const file of found) {
    yield;
    const inspected = known.get(keyOf(file.path));
    const isMedium = file.path.some((_, at) => listed.has(keyOf(file.path.slice(0, at + 1))));
    // Inspection itself decodes other base64, but not if it is long or split into lines.
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
  const decoded = yield* readSteps(bytes, { charset, mediaType });
  const formats = formatsOf(bytes);
  const document = formats.length === 0 ? undefined : { bytes, formats };
  // Ids and signatures look like base64 too; a document is read by its reader.
  const isFile = document === undefined && (isMedium || isDataUrl || mediaType !== undefined);
  const { text, isUtf8 = false, unread } = !isFile && decoded?.unread === PARTLY_READ ? {} : (decoded ?? {});
  const rewrite = isUtf8 && !isFixed && !isText && document === undefined ? encode : undefined;
  const reason = document !== undefined && unread === ARCHIVE ? undefined : (unread ?? oldFormatOf(bytes));
  return { path, isDataUrl, text, rewrite, unread: reason, document };
}

/**
 * A document that is also readable text is read both ways, since a provider may do either.
 * @param documents the texts of the documents, in order
 */
function withDocuments(files: readonly ReadFile[], documents: readonly DocumentText[]): ReadFile[] {
  let next = 0;
  return files.map((file) => {
    if (file.document === undefined) return file;
    const { text, unread } = documents[next++] ?? NO_READER;
    const all = [text, file.text ?? ''].filter((part) => part !== '').join('\n\n');
    return { ...file, text: all === '' && unread !== undefined ? undefined : all, unread: unread ?? file.unread };
  });
}

/** Unread media of a request, and data URLs in unexpected places. */
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

/** A medium is read if all files that it contains or refers to are. */
function unreadIn(path: JsonPath, what: string, files: readonly ReadFile[]): Skipped[] {
  const unread = files.filter((file) => file.text === undefined || file.unread !== undefined);
  if (files.length > 0 && unread.length === 0) return [];
  // For an incomplete image or recording, some ASCII in it is no useful reason.
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

/** The place of a path in the conversation. */
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

/** Calls and reasoning among Responses items have no role; the model wrote them. */
function roleOf(item: unknown): string {
  const { role, type } = Object(item) as { role?: unknown; type?: unknown };
  const isOfModel = role === 'assistant' || role === 'model' || /(?:_call|reasoning)$/.test(String(type));
  return isOfModel ? 'assistant' : 'user';
}

/** A document that its reader parses, in each format that its bytes may be. */
interface BinaryDocument {
  readonly bytes: Uint8Array;
  /** `zip` is an office document or another archive. */
  readonly formats: readonly ('pdf' | 'zip')[];
}

/** The text of a document. */
export interface DocumentText {
  readonly text: string;
  /** Why it was not read completely: `encrypted`, `over 1,000 pages`; undefined if it was. */
  readonly unread?: string;
}

/** Extracts the text of binary documents. */
export interface DocumentReader {
  /** The texts of documents, in order. Never rejects: failures and timeouts are in the results. */
  read(documents: readonly BinaryDocument[]): Promise<readonly DocumentText[]>;
}
