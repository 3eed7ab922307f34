import { kindOf, valuesIn } from '../tool-calls/index.ts';
import { type FoundValue, TOO_LARGE } from './call-arguments.ts';
import { GROUPING, normalise } from './compared-value.ts';
import { mailboxesIn } from './mailboxes.ts';

const HIDDEN = /\p{Cf}/gu;
const NOT_IN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;
const WORDS = /\S*[\p{L}\p{N}]\S*/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu;
const ADDRESS_LIKE = /@\s*[\p{L}\p{N}-]+\s*\./u;
/** A longer text is prose. */
const LONGEST = 200;
/** So are more words beside its values: "Eve eve@x.example" and "IBAN GB33..." are values with a name. */
const MAX_BESIDE = 3;

/**
 * What of a value looks like one of these kinds, in whatever way it is disguised: the whole, or each such value among a few other words. What
 * cannot be compared, or cannot be split, may be one and is returned as a whole.
 */
export function valuesOfKinds(found: FoundValue, kinds: ReadonlySet<string>): readonly FoundValue[] {
  if ('fault' in found) return found.fault === TOO_LARGE ? [] : [found];
  const written = normalise(String(found.value));
  const text = written.replace(HIDDEN, '');
  if (isOfKinds(text, kinds)) return [found];
  if (text.length > LONGEST) return [];
  const parts = valuesIn(text).filter(({ kind }) => kinds.has(kind));
  const beside = parts.reduce((left, part) => left.replace(part.text, ' '), text);
  if (countWords(beside) > MAX_BESIDE) return [];
  const isSplit = parts.length > 0 && text === written && !mayBeOfKinds(beside, kinds);
  if (isSplit) return parts.map((part) => ({ path: found.path, value: part.text }));
  return parts.length > 0 || mayBeOfKinds(text, kinds) ? [found] : [];
}

function isOfKinds(text: string, kinds: ReadonlySet<string>): boolean {
  return (
    kinds.has(kindOf(text)) ||
    kinds.has(kindOf(text.replace(GROUPING, ''))) ||
    (kinds.has('email') && mailboxesIn(text) !== undefined)
  );
}

/** Whether a text has such a value in a way that cannot be split. */
function mayBeOfKinds(text: string, kinds: ReadonlySet<string>): boolean {
  if (kinds.has('email') && ADDRESS_LIKE.test(text)) return true;
  return kinds.has('account') && kindOf(text.replace(NOT_IN_WORDS, '')) === 'account';
}

/** Two letters of a script without spaces count as a word. */
function countWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  return (text.replace(UNSPACED, ' ').match(WORDS)?.length ?? 0) + unspaced / 2;
}
