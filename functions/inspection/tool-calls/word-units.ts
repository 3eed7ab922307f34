const IN_WORD = /[\p{L}\p{M}\p{N}]/u;
const OF_WORD = 1;
const OTHER = 2;
const SPACE = 32;
/** Whether a code unit is part of a word; 0 if that is not known yet. */
const units = new Uint8Array(1 << 16);

function kindOfUnit(unit: number): number {
  const kind = IN_WORD.test(String.fromCharCode(unit)) ? OF_WORD : OTHER;
  units[unit] = kind;
  return kind;
}

/** Calls `take` with the place of each word of a text, much faster than a pattern finds them. */
export function eachWord(text: string, take: (start: number, end: number) => void): void {
  let start = -1;
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : SPACE;
    if ((units[unit] || kindOfUnit(unit)) === OF_WORD) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      take(start, at);
      start = -1;
    }
  }
}
