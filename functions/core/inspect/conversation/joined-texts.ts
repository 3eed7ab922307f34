import type { RequestText } from '../request-text.ts';
import { type Fragment, fragmentsOf } from './fragments.ts';
import { type JoinedText, JoinedTextBuilder } from './joined-text.ts';

/** Of a long text only its ends are read on into its neighbours. */
const EDGE_UNITS = 600;
/** All neighbours of a request together are read up to so much: the newest text first. */
const MAX_UNITS = 16_384;
/** What a person sends in pieces is short, and sent of late. */
const TAIL_TEXTS = 12;
const TAIL_TEXT_UNITS = 400;

/**
 * Texts of the same author that follow each other without an answer between them: parts of one message, messages in a
 * row, results of tools called together. Bounded: of long texts the ends, of many the newest.
 */
export function joinedNeighbours(texts: readonly RequestText[]): JoinedText[] {
  const joined: JoinedText[] = [];
  let open: JoinedTextBuilder | undefined;
  let author: string | undefined;
  const close = () => {
    const last = open?.build();
    if (last !== undefined) joined.push(last);
    open = undefined;
  };
  for (const source of newestWithin(texts, MAX_UNITS)) {
    const { text, surface, author: own } = texts[source] as RequestText;
    if (own !== author) close();
    author = own;
    if (!isJoined(own)) continue;
    open ??= new JoinedTextBuilder(surface);
    if (text.length <= 2 * EDGE_UNITS) open.add(source, text, 0, text.length, ' ');
    else {
      open.add(source, text, 0, EDGE_UNITS, ' ');
      close();
      open = new JoinedTextBuilder(surface);
      open.add(source, text, text.length - EDGE_UNITS, text.length, ' ');
    }
  }
  close();
  return joined;
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

/** Indexes, in order, of the newest content texts of messages whose ends together stay within `units`. */
function newestWithin(texts: readonly RequestText[], units: number): number[] {
  const chosen: number[] = [];
  let left = units;
  for (let at = texts.length - 1; at >= 0; at--) {
    const { text, isContent } = texts[at] as RequestText;
    if (!isContent) continue;
    left -= Math.min(text.length, 2 * EDGE_UNITS);
    if (left < 0) break;
    chosen.push(at);
  }
  return chosen.reverse();
}

function isJoined(author: RequestText['author']): boolean {
  return author === 'user' || author === 'tool';
}
