import { fold } from './folded.ts';
import { acts } from './user-text.ts';
import { CUES } from './word-groups.ts';

/** A value as it may be written. */
interface Written {
  readonly forms: readonly string[];
}

/** Letters from which on any message may be a summary. A letter of a script without spaces counts three. */
const LONG = 240;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu;
const SENTENCE = /[^\n.!?;。！？；]+(?:[.!?;](?!\s|$)[^\n.!?;。！？；]*)*[.!?;。！？；]*/gu;
/** What a text begins with: `Summary so far:`, `[Conversation history]`, up to a colon or the end of its sentence. */
const HEAD = /^[^\p{L}\p{N}]{0,8}([^:：\n\]】.。!?！？]{1,90})/u;
const SUMMARY = CUES.bit('summary');

/** Whether a message may replace earlier turns of a conversation: a long one, or one that begins by saying so and orders nothing there. */
export function mayBeSummary(text: string): boolean {
  if (text.length >= LONG || text.length + 2 * (text.match(UNSPACED)?.length ?? 0) >= LONG) return true;
  const head = fold(HEAD.exec(text)?.[1] ?? '');
  return (CUES.in(head) & SUMMARY) !== 0 && !acts(head);
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
