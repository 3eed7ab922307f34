import { isLetter } from './leet.ts';
import { MAX_PASSAGE } from './passage.ts';
import type { Span } from './suspect-spans.ts';
import { type TokenScan, WORD } from './token-scan.ts';
import type { LatticeWord } from './word-lattice.ts';

const MAX_GAP = 8;
const SPACE = 0x20;

/** The visible text of a span of tokens, tags and link addresses left out. One such object serves all spans. */
export class SpanText {
  readonly units = new Uint16Array(MAX_PASSAGE);
  length = 0;
  letters = 0;
  /** Letters that stand alone. */
  singles = 0;
  /** How many units stand between most neighbours, and the first of them. */
  usualGap = 0;
  usualUnit = 0;
  private readonly at = new Int32Array(MAX_PASSAGE);
  private readonly gaps = new Int32Array(MAX_GAP + 1);

  /** One loop over the tokens: in text of other scripts most of what is read is read for this. */
  read(units: Uint16Array, scan: TokenScan, { first, last }: Span): void {
    const { units: shown, at: places, gaps } = this;
    let length = 0;
    let letters = 0;
    let singles = 0;
    gaps.fill(0);
    for (let token = first; token <= last; token++) {
      const start = scan.start[token] as number;
      const end = scan.end[token] as number;
      if (token > first) length = this.addGap(units, scan, token, length);
      if (end - start === 1 && scan.kind[token] === WORD) singles++;
      for (let at = start; at < end; at++) {
        const unit = units[at] as number;
        shown[length] = unit;
        places[length++] = at;
        if (isLetter(unit)) letters++;
      }
    }
    this.length = length;
    this.letters = letters;
    this.singles = singles;
    this.usualGap = indexOfMost(gaps);
    this.usualUnit = usualUnitOf(units, scan, first, last, this.usualGap);
  }

  /** A word of this text, where it stands in the passage. */
  inPassage({ text, start, end }: LatticeWord): LatticeWord {
    return { text, start: this.at[start] as number, end: (this.at[end - 1] as number) + 1 };
  }

  /** What stands before a token, from this length on; gives the length behind it. No letter is in a gap. */
  private addGap(units: Uint16Array, scan: TokenScan, token: number, from: number): number {
    const { units: shown, at: places, gaps } = this;
    const start = scan.end[token - 1] as number;
    const visible = scan.gap[token] as number;
    const gap = Math.min(visible, MAX_GAP);
    gaps[gap] = (gaps[gap] as number) + 1;
    // Of a gap with a tag in it, what counts is how wide it looks.
    const isPlain = (scan.start[token] as number) - start === visible;
    for (let step = 0; step < gap; step++) {
      shown[from + step] = isPlain ? (units[start + step] as number) : SPACE;
      places[from + step] = start + step;
    }
    return from + gap;
  }
}

/** The first of the largest. */
function indexOfMost(counts: Int32Array): number {
  let most = 0;
  for (let at = 1; at < counts.length; at++) if ((counts[at] as number) > (counts[most] as number)) most = at;
  return most;
}

/** What most often stands first in the usual gap. */
function usualUnitOf(units: Uint16Array, scan: TokenScan, first: number, last: number, usualGap: number): number {
  const counts = new Map<number, number>();
  let usual = 0;
  for (let token = first + 1; token <= last; token++) {
    if (scan.gap[token] !== usualGap) continue;
    const unit = units[scan.end[token - 1] as number] as number;
    const count = (counts.get(unit) ?? 0) + 1;
    counts.set(unit, count);
    if (count > (counts.get(usual) ?? 0)) usual = unit;
  }
  return usual;
}
