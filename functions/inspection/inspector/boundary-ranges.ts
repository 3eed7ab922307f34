import type { ConcatenatedReading } from '../matching/index.ts';

/** What a joined text consists of. */
export type Pieces = NonNullable<ConcatenatedReading['pieces']>;

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Text on each side of a boundary that is always inspected: more than checks of a match read before it. */
const NEAR_UNITS = 320;
/**
 * Words in a row as prose, code and data have them. Matches longer than NEAR_UNITS are values, encoded text and pictures of letters, which
 * have none.
 */
const PLAIN_WORDS = /(?:[a-z]{3,12}[\s,.;:'"(){}[\]<>=|*#]{1,3}){4}/gi;

/**
 * The ranges of a joined text around the boundaries of its pieces, in order, which contain the matches across boundaries. Each side ends
 * behind the first plain words that are far enough.
 */
export function boundaryRanges(text: string, pieces: Pieces): TextRange[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { start: boundary } of pieces.slice(1)) {
    const last = ranges.at(-1) ?? { start: 0, end: -1 };
    if (boundary + NEAR_UNITS <= last.end) continue;
    const start = startBefore(text, boundary, last.end);
    const end = endAfter(text, boundary);
    if (start <= last.end) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges;
}

/** At or before `known` if there is no need to look for an earlier start. */
function startBefore(text: string, boundary: number, known: number): number {
  const from = Math.max(0, known);
  const near = Math.max(0, boundary - NEAR_UNITS);
  if (near <= from) return near;
  let start = from;
  // `matchAll` begins there.
  PLAIN_WORDS.lastIndex = 0;
  for (const { index } of text.slice(from, near).matchAll(PLAIN_WORDS)) start = from + index;
  return start;
}

function endAfter(text: string, boundary: number): number {
  PLAIN_WORDS.lastIndex = boundary + NEAR_UNITS;
  return PLAIN_WORDS.test(text) ? PLAIN_WORDS.lastIndex : text.length;
}
