/** Letters of scripts that write words without spaces between them, so that a match may start or end beside them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;
const WORD = /[\p{L}\p{N}]/u;
const ACCENTS = /[\u0300-\u036f]/g;
const HIDDEN = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/** A text in its compared form: one case, no accents, one kind of space and quotation mark, no invisible characters. */
export function fold(text: string): string {
  let folded = text;
  if (/[^\x20-\x7e\n]/.test(folded)) {
    folded = folded.normalize('NFKD').replace(ACCENTS, '').replace(HIDDEN, '').normalize('NFC');
    folded = folded.replace(/[\u2018\u2019\u02bc]/g, "'").replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"');
    folded = folded.replace(/[\u2010-\u2015\u2212]/g, '-');
  }
  folded = folded.toLowerCase();
  return /[^\S ]| {2}/.test(folded) ? folded.replace(/[^\S ]\s*| \s+/g, ' ') : folded;
}

/** Whether the characters on both sides of a border belong to one word. */
function joins(before: string, after: string): boolean {
  if (before === '' || after === '') return false;
  return WORD.test(before) && WORD.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after);
}

/** The offset of `needle` as a whole word from `from` on, or -1. */
export function indexOfWhole(text: string, needle: string, from = 0): number {
  if (needle === '') return -1;
  for (let at = text.indexOf(needle, from); at >= 0; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    if (!joins(text.charAt(at - 1), text.charAt(at)) && !joins(text.charAt(end - 1), text.charAt(end))) return at;
  }
  return -1;
}
