import type { JsonPath } from '../../kernel/json/index.ts';
import type { Author, RequestText } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { type ConcatenatedText, ConcatenatedTextBuilder } from './concatenated-text.ts';
import { type Fragment, fragmentsOf } from './conversation-signals.ts';

/** How adjacent texts are joined. Only this much of each end of a long text is joined. */
export interface Concatenation {
  readonly separator: string;
  readonly edgeUnits: number;
}
/** As for models that join parts with a space or a line break: a phrase may be split between words. */
export const WITH_SPACE: Concatenation = { separator: ' ', edgeUnits: 600 };
/** As for models that join parts without a separator: words, names and secrets may be split anywhere. */
export const WITHOUT_SEPARATOR: Concatenation = { separator: '', edgeUnits: 1024 };
/** Adjacent strings that a model reads separately: enough for a split value, and cheap for lists of documents. */
const SIBLING_EDGE_UNITS = 128;
/** Members whose string or parts a model reads as the text of their object. */
const TEXT_MEMBERS = new Set<string | number>(['text', 'content', 'parts', 'output']);
/** For each author, the authors whose runs of texts it ends: a response separates texts of users and tools, and these separate responses. */
const ENDS: Readonly<Record<Author, readonly Author[]>> = {
  operator: [],
  definition: [],
  user: ['assistant'],
  tool: ['assistant'],
  assistant: ['user', 'tool'],
};
/** Texts that take about a millisecond to visit. */
const STEP_TEXTS = 1000;
/**
 * A run of short texts is joined in parts of about this length that overlap by `edgeUnits`: with the next turn of a conversation only the last
 * part of its last run is new.
 */
const RUN_UNITS = 4096;
/** A person's split messages are short and recent. */
const TAIL_TEXTS = 12;
const TAIL_TEXT_UNITS = 400;

/**
 * Texts of the same author without a response between them: parts of one message, consecutive messages, results of parallel tool calls. Texts
 * of other authors in between do not separate them, since another API orders a request differently. Only the ends of long texts are joined.
 * @param sources indexes of the texts, as `messageTexts` returns them
 */
export function concatenateNeighbours(
  texts: readonly RequestText[],
  sources: readonly number[],
  { separator, edgeUnits }: Concatenation,
  authorOf: (text: RequestText) => Author = ({ author }) => author,
): ConcatenatedText[] {
  const joined: ConcatenatedText[] = [];
  const open = new Map<Author, ConcatenatedTextBuilder>();
  const close = (author: Author) => {
    const last = open.get(author)?.build();
    if (last !== undefined) joined.push(last);
    open.delete(author);
  };
  for (const source of sources) {
    const one = texts[source] as RequestText;
    const { text, surface } = one;
    const author = authorOf(one);
    for (const ended of ENDS[author]) close(ended);
    const run = open.get(author) ?? new ConcatenatedTextBuilder(surface);
    open.set(author, run);
    if (text.length <= 2 * edgeUnits) {
      run.add(source, text, 0, text.length, separator);
      if (run.length < RUN_UNITS) continue;
      close(author);
      open.set(author, run.withEnd(edgeUnits));
    } else {
      run.add(source, text, 0, edgeUnits, separator);
      close(author);
      const next = new ConcatenatedTextBuilder(surface);
      next.add(source, text, text.length - edgeUnits, text.length, separator);
      open.set(author, next);
    }
  }
  for (const author of open.keys()) close(author);
  return joined;
}

/**
 * The user's texts joined with the documents and files between them, in the order of the parts: an API without documents receives these as
 * texts of the user. Empty if there are no documents.
 */
export function concatenateWithDocuments(
  texts: readonly RequestText[],
  sources: readonly number[],
  separator: string,
): ConcatenatedText[] {
  if (!texts.some(isDocument)) return [];
  const ofUser = sources.filter((at) => {
    const text = texts[at] as RequestText;
    return text.author !== 'tool' || isDocument(text);
  });
  const inOrder = ofUser.sort((a, b) => comparePlaces(texts[a] as RequestText, texts[b] as RequestText));
  const join = { separator, edgeUnits: SIBLING_EDGE_UNITS };
  return concatenateNeighbours(texts, inOrder, join, (text) => (isDocument(text) ? 'user' : text.author));
}

/** A document by the caller, or a file; not a tool result. */
function isDocument({ isDocument, file }: RequestText): boolean {
  return isDocument === true || file !== undefined;
}

/** By message, then by part: texts of files come last. */
function comparePlaces(one: RequestText, other: RequestText): number {
  const message = (one.message ?? -1) - (other.message ?? -1);
  return message !== 0 ? message : partOf(one) - partOf(other);
}

/** Index of the part: `messages[0].content[2]`, `contents[0].parts[2]`. */
function partOf({ path }: RequestText): number {
  const part = path[3];
  return typeof part === 'number' ? part : 0;
}

/**
 * Adjacent strings of one array or object outside of messages' content, joined by each separator: lists in the input of a tool, prompts, a
 * prompt and its suffix.
 */
export function* concatenateSiblings(
  texts: readonly RequestText[],
  separators: readonly string[],
): Steps<ConcatenatedText[]> {
  const groups = yield* siblingGroups(texts);
  return separators.flatMap((separator) =>
    groups.flatMap((group) => concatenateNeighbours(texts, group, { separator, edgeUnits: SIBLING_EDGE_UNITS })),
  );
}

function* siblingGroups(texts: readonly RequestText[]): Steps<number[][]> {
  const groups: number[][] = [];
  let group: number[] = [];
  const close = () => {
    if (group.length > 1) groups.push(group);
    group = [];
  };
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] as RequestText;
    if (at % STEP_TEXTS === STEP_TEXTS - 1) yield;
    if (text.name !== undefined) continue;
    const last = group.at(-1);
    if (!isSibling(text)) close();
    else {
      if (last !== undefined && !areBeside((texts[last] as RequestText).path, text.path)) close();
      group.push(at);
    }
  }
  close();
  return groups;
}

/** Strings of a definition are words of schemas and titles. */
function isSibling(text: RequestText): boolean {
  return !isMessage(text) && !text.isReadOnly && !text.isApart && text.author !== 'definition' && text.path.length > 0;
}

function areBeside(one: JsonPath, other: JsonPath): boolean {
  return one.length === other.length && other.every((step, at) => at === other.length - 1 || step === one[at]);
}

/** The short texts that the user sent recently, joined across the responses between them. */
export function concatenateRecentTexts(texts: readonly RequestText[]): ConcatenatedText | undefined {
  const tail = new ConcatenatedTextBuilder('user');
  for (const source of recentShort(texts)) {
    const { text } = texts[source] as RequestText;
    tail.add(source, text, 0, text.length, ' ');
  }
  return tail.build();
}

/**
 * Pieces that the user marked in these texts (`a = "..."`, `part 2: ...`), joined with spaces, and also without spaces if quotation marks may
 * have split a word. Empty if fewer than two texts contain any.
 */
export function concatenateFragments(texts: readonly RequestText[]): ConcatenatedText[] {
  const recent = recentShort(texts);
  if (recent.length < 2) return [];
  const found = recent.flatMap((source) =>
    fragmentsOf((texts[source] as RequestText).text).map((fragment) => ({ source, fragment })),
  );
  if (new Set(found.map(({ source }) => source)).size < 2) return [];
  const separators = found.some(({ fragment }) => fragment.quoted) ? [' ', ''] : [' '];
  return separators.flatMap((separator) => joinFragments(texts, found, separator) ?? []);
}

function joinFragments(
  texts: readonly RequestText[],
  found: readonly { readonly source: number; readonly fragment: Fragment }[],
  separator: string,
): ConcatenatedText | undefined {
  const joined = new ConcatenatedTextBuilder('user');
  for (const { source, fragment } of found) {
    joined.add(source, (texts[source] as RequestText).text, fragment.start, fragment.end, separator);
  }
  return joined.build();
}

/** Indexes, in order, of the user's last few short content texts. */
function recentShort(texts: readonly RequestText[]): number[] {
  const recent: number[] = [];
  for (let at = texts.length - 1; at >= 0 && recent.length < TAIL_TEXTS; at -= 1) {
    const { author, isContent, text } = texts[at] as RequestText;
    if (author === 'user' && isContent && text.length <= TAIL_TEXT_UNITS) recent.unshift(at);
  }
  return recent;
}

/** Indexes, in order, of texts that a model reads: of an object with a text, no other member. */
export function* messageTexts(texts: readonly RequestText[]): Steps<number[]> {
  const holders = new Set<string>();
  for (let at = 0; at < texts.length; at += 1) {
    const { path, name } = texts[at] as RequestText;
    if (at % STEP_TEXTS === STEP_TEXTS - 1) yield;
    if (name !== undefined) continue;
    path.forEach((step, at) => {
      if (at > 0 && TEXT_MEMBERS.has(step)) holders.add(keyOf(path, at));
    });
  }
  const isBeside = ({ path }: RequestText) =>
    path.some((step, at) => typeof step === 'string' && !TEXT_MEMBERS.has(step) && holders.has(keyOf(path, at)));
  const sources: number[] = [];
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] as RequestText;
    if (at % STEP_TEXTS === STEP_TEXTS - 1) yield;
    if (isMessage(text) && !isBeside(text)) sources.push(at);
  }
  return sources;
}

/** The content of a message, or of a prompt outside the messages; never text that no redaction could change. */
function isMessage({ author, isContent, message, name, isReadOnly }: RequestText): boolean {
  return (isContent || (author === 'operator' && message === null)) && name === undefined && !isReadOnly;
}

function keyOf(path: JsonPath, length: number): string {
  return path.slice(0, length).join('.');
}
