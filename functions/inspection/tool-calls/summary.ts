import { fold } from './folded.ts';

/** A value as it may be written. */
interface Written {
  readonly forms: readonly string[];
}

/** Letters from which on a message may be a summary. A letter of a script without spaces counts three. */
const SHORTEST = 240;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu;
const SENTENCE = /[^\n.!?;。！？；]+(?:[.!?;](?!\s|$)[^\n.!?;。！？；]*)*[.!?;。！？；]*/gu;

/** Whether a message is long enough to replace earlier turns of a conversation. */
export function mayBeSummary(text: string): boolean {
  return text.length >= SHORTEST || text.length + 2 * (text.match(UNSPACED)?.length ?? 0) >= SHORTEST;
}

/** A text without the sentences that have one of these values, and those sentences. */
export function splitByValues(
  text: string,
  values: readonly Written[],
): { readonly rest: string; readonly having: string } {
  const rest: string[] = [];
  const having: string[] = [];
  for (const sentence of text.match(SENTENCE) ?? []) {
    const folded = fold(sentence);
    const has = values.some(({ forms }) => forms.some((form) => folded.includes(form)));
    (has ? having : rest).push(sentence);
  }
  return { rest: rest.join('\n'), having: having.join('\n') };
}
