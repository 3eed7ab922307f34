import words from './refusing-words.json' with { type: 'json' };

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const NUMBER = /\bno\.? ?(?=\d)/gi;
const QUESTION_MARK = /[?？؟¿]/u;
const REFUSING = new Set(wordsOf(Object.values(words).join(' ')));
const WITHIN = [...REFUSING].filter((word) => UNSPACED.test(word));

/** The words of a text, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return text.normalize('NFC').toLowerCase().match(WORD) ?? [];
}

/** Whether a word in lower case refuses, such as "no", "not" or "cancel", in 18 languages. */
export function isRefusal(word: string): boolean {
  return REFUSING.has(word);
}

/** Whether a text has such a word. "Invoice no. 7" has none. */
function refuses(text: string): boolean {
  return wordsOf(text.replace(NUMBER, ' ')).some(
    (word) => REFUSING.has(word) || (UNSPACED.test(word) && WITHIN.some((one) => word.includes(one))),
  );
}

/** Whether a text asks or refuses, so that it does not say what to do: "What is GB33...?", "No, do not pay to GB33...". */
export function asksOrRefuses(text: string): boolean {
  return QUESTION_MARK.test(text) || refuses(text);
}
