/** Closing marks by opening mark. German and Nordic quotations close with marks that open others. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '‘': '’',
  '„': '“”"',
  '‚': '‘’',
  '«': '»',
  '»': '«»',
  '”': '”',
  '「': '」',
  '『': '』',
};
/** The keys of CLOSING. */
const OPENING = /["'“‘„‚«»”「『]/g;
const APOSTROPHES = "'‘’";
const WORD = /[\p{L}\p{M}\p{N}]/u;
/** What announces a quotation: a colon, a comma or a word. After another quotation mark it is a JSON value. */
const ANNOUNCED = /(?:[\p{L}\p{M}\p{N},،、。]|(?<!["'])[:：])\s{0,3}$/u;
/** Characters before a quotation that may announce it. */
const BEFORE = 8;
/** A quotation starts and ends at most this far from the passage. */
const REACH = 1_000;
/** The classifier's windows may start or end a mark or so outside. */
const TOLERANCE = 3;

/** Whether a passage is in a closed quotation that the text announces: `Translate: "..."`, `il dit « ... »`. */
export function isQuoted(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - REACH);
  const around = text.slice(from, end + REACH);
  const unclosed = new Set<string>();
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(around); found !== null; found = OPENING.exec(around)) {
    const [mark] = found;
    const opening = found.index;
    if (from + opening > start + TOLERANCE) return false;
    if (unclosed.has(mark) || isApostrophe(around, opening)) continue;
    const closing = endOfQuotation(around, opening);
    if (closing === undefined) unclosed.add(mark);
    else if (from + closing < end - TOLERANCE) OPENING.lastIndex = closing + 1;
    else if (ANNOUNCED.test(around.slice(Math.max(0, opening - BEFORE), opening))) return true;
  }
  return false;
}

function endOfQuotation(text: string, opening: number): number | undefined {
  const marks = CLOSING[text.charAt(opening)] as string;
  for (let at = opening + 1; at < text.length; at++)
    if (marks.includes(text.charAt(at)) && !isApostrophe(text, at)) return at;
  return undefined;
}

function isApostrophe(text: string, at: number): boolean {
  return APOSTROPHES.includes(text.charAt(at)) && WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at + 1));
}
