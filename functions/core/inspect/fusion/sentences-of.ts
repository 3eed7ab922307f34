import { isSentenceEnd } from '../rules/sentence-end.ts';

/** A passage may begin amid a sentence. */
const BEFORE_UNITS = 80;
const LONGEST = 800;
/** Of a passage so large a part at least. */
const MOST = 0.4;

/** Whether a passage is of such sentences: so it is where they make up a good part of it. */
export function isMostly(isSuch: (sentence: string) => boolean, text: string, start: number, end: number): boolean {
  const stop = Math.min(end, start + LONGEST);
  let covered = 0;
  for (let from = startOfSentence(text, start); from < stop; ) {
    const to = endOfSentence(text, from);
    if (isSuch(text.slice(from, to))) covered += Math.min(to, stop) - Math.max(from, start);
    from = to + 1;
  }
  return covered >= MOST * (stop - start);
}

function startOfSentence(text: string, at: number): number {
  const first = Math.max(0, at - BEFORE_UNITS);
  let start = at;
  while (start > first && !isSentenceEnd(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function endOfSentence(text: string, from: number): number {
  const last = Math.min(text.length, from + LONGEST);
  let end = from;
  while (end < last && !isSentenceEnd(text.charCodeAt(end))) end += 1;
  return end;
}
