import type { JsonPath } from '../../base/edits.ts';
import type { Steps } from '../../base/steps.ts';
import { type Fragment, fragmentsOf } from './conversation-signals.ts';
import { type JoinedText, JoinedTextBuilder } from './joined-text.ts';
import type { Author, RequestText } from './request-text.ts';

/** How texts that follow each other are put together. Of a long text only so much of its ends is joined. */
export interface Join {
  readonly separator: string;
  readonly edgeUnits: number;
}
/** As a model reads parts that are joined with a space or a line break: a phrase is split between its words. */
export const SPACED: Join = { separator: ' ', edgeUnits: 600 };
/** As a model reads parts that are joined as they are: words, names and secrets are split anywhere. */
export const SEAMLESS: Join = { separator: '', edgeUnits: 1024 };
/** Strings beside each other that a model reads apart: enough for a value that was split, and cheap for lists of documents. */
const SIBLING_EDGE_UNITS = 128;
/** A member whose string, or whose parts, a model reads as the text of its object. */
const TEXT_MEMBERS = new Set<string | number>(['text', 'content', 'parts', 'output']);
/** Whose runs of texts a text of an author ends: an answer is between those of users and tools, and they are between answers. */
const ENDS: Readonly<Record<Author, readonly Author[]>> = {
  operator: [],
  definition: [],
  user: ['assistant'],
  tool: ['assistant'],
  assistant: ['user', 'tool'],
};
/** Looking at so many texts takes a millisecond or so. */
const STEP_TEXTS = 1000;
/** What a person sends in pieces is short, and sent of late. */
const TAIL_TEXTS = 12;
const TAIL_TEXT_UNITS = 400;

/**
 * Texts of the same author without an answer between them: parts of one message, messages in a row, results of tools called
 * together. Texts of others between them do not part them: for another API a request is written in another order. Of long
 * texts the ends.
 * @param sources which of the texts, as `joinable` returns them
 */
export function joinedNeighbours(
  texts: readonly RequestText[],
  sources: readonly number[],
  { separator, edgeUnits }: Join,
  authorOf: (text: RequestText) => Author = ({ author }) => author,
): JoinedText[] {
  const joined: JoinedText[] = [];
  const open = new Map<Author, JoinedTextBuilder>();
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
    const run = open.get(author) ?? new JoinedTextBuilder(surface);
    open.set(author, run);
    if (text.length <= 2 * edgeUnits) run.add(source, text, 0, text.length, separator);
    else {
      run.add(source, text, 0, edgeUnits, separator);
      close(author);
      const next = new JoinedTextBuilder(surface);
      next.add(source, text, text.length - edgeUnits, text.length, separator);
      open.set(author, next);
    }
  }
  for (const author of open.keys()) close(author);
  return joined;
}

/**
 * The user's texts with the documents and files among them, in the order of the parts: an API without documents gets those as texts
 * of the user. None where there are no documents.
 */
export function joinedWithDocuments(
  texts: readonly RequestText[],
  sources: readonly number[],
  separator: string,
): JoinedText[] {
  if (!texts.some(isDocument)) return [];
  const ofUser = sources.filter((at) => {
    const text = texts[at] as RequestText;
    return text.author !== 'tool' || isDocument(text);
  });
  const inOrder = ofUser.sort((a, b) => comparePlaces(texts[a] as RequestText, texts[b] as RequestText));
  const join = { separator, edgeUnits: SIBLING_EDGE_UNITS };
  return joinedNeighbours(texts, inOrder, join, (text) => (isDocument(text) ? 'user' : text.author));
}

/** A document of the caller's, or a file: no result of a tool. */
function isDocument({ isDocument, file }: RequestText): boolean {
  return isDocument === true || file !== undefined;
}

/** By message, then by its part: the texts of files are behind all others. */
function comparePlaces(one: RequestText, other: RequestText): number {
  const message = (one.message ?? -1) - (other.message ?? -1);
  return message !== 0 ? message : partOf(one) - partOf(other);
}

/** `messages[0].content[2]`, `contents[0].parts[2]`. */
function partOf({ path }: RequestText): number {
  const part = path[3];
  return typeof part === 'number' ? part : 0;
}

/**
 * Strings outside of messages' content that are beside each other in one array or object: lists in the input of a tool, prompts,
 * a prompt and its suffix.
 */
export function* joinedSiblings(texts: readonly RequestText[], separator: string): Steps<JoinedText[]> {
  const joined: JoinedText[] = [];
  let group: number[] = [];
  const close = () => {
    if (group.length > 1) joined.push(...joinedNeighbours(texts, group, { separator, edgeUnits: SIBLING_EDGE_UNITS }));
    group = [];
  };
  for (const [at, text] of texts.entries()) {
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
  return joined;
}

/** A definition's strings are words of schemas and titles. */
function isSibling(text: RequestText): boolean {
  return !isMessage(text) && !text.isReadOnly && !text.isApart && text.author !== 'definition' && text.path.length > 0;
}

function areBeside(one: JsonPath, other: JsonPath): boolean {
  return one.length === other.length && other.every((step, at) => at === other.length - 1 || step === one[at]);
}

/** The short texts that the user sent of late, read on over the answers between them. */
export function joinedTail(texts: readonly RequestText[]): JoinedText | undefined {
  const tail = new JoinedTextBuilder('user');
  for (const source of recentShort(texts)) {
    const { text } = texts[source] as RequestText;
    tail.add(source, text, 0, text.length, ' ');
  }
  return tail.build();
}

/**
 * What the user set apart in these texts (`a = "..."`, `part 2: ...`), put together; with a space between the pieces, and
 * without where quotation marks may have cut a word. Empty where less than two texts hold any.
 */
export function assembledTexts(texts: readonly RequestText[]): JoinedText[] {
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
): JoinedText | undefined {
  const joined = new JoinedTextBuilder('user');
  for (const { source, fragment } of found) {
    joined.add(source, (texts[source] as RequestText).text, fragment.start, fragment.end, separator);
  }
  return joined.build();
}

/** Indexes, in order, of the user's last few content texts that are short. */
function recentShort(texts: readonly RequestText[]): number[] {
  const own = texts.flatMap(({ author, isContent, text }, at) =>
    author === 'user' && isContent && text.length <= TAIL_TEXT_UNITS ? [at] : [],
  );
  return own.slice(-TAIL_TEXTS);
}

/** Indexes, in order, of what a model reads as text: of an object that has a text, no other member. */
export function* joinable(texts: readonly RequestText[]): Steps<number[]> {
  const holders = new Set<string>();
  for (const [at, { path, name }] of texts.entries()) {
    if (at % STEP_TEXTS === STEP_TEXTS - 1) yield;
    if (name !== undefined) continue;
    path.forEach((step, at) => {
      if (at > 0 && TEXT_MEMBERS.has(step)) holders.add(keyOf(path, at));
    });
  }
  const isBeside = ({ path }: RequestText) =>
    path.some((step, at) => typeof step === 'string' && !TEXT_MEMBERS.has(step) && holders.has(keyOf(path, at)));
  const sources: number[] = [];
  for (const [at, text] of texts.entries()) {
    if (at % STEP_TEXTS === STEP_TEXTS - 1) yield;
    if (isMessage(text) && !isBeside(text)) sources.push(at);
  }
  return sources;
}

/** The content of a message, or of a prompt beside the messages; what no redaction could change is none. */
function isMessage({ author, isContent, message, name, isReadOnly }: RequestText): boolean {
  return (isContent || (author === 'operator' && message === null)) && name === undefined && !isReadOnly;
}

function keyOf(path: JsonPath, length: number): string {
  return path.slice(0, length).join('.');
}
