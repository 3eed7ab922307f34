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

  read(units: Uint16Array, scan: TokenScan, { first, last }: Span): void {
    this.length = 0;
    this.letters = 0;
    this.singles = 0;
    this.gaps.fill(0);
    for (let token = first; token <= last; token++) {
      if (token > first) this.addGap(units, scan, token);
      if (scan.kind[token] === WORD && (scan.end[token] as number) - (scan.start[token] as number) === 1)
        this.singles++;
      for (let at = scan.start[token] as number; at < (scan.end[token] as number); at++)
        this.add(units[at] as number, at);
    }
    this.usualGap = this.gaps.indexOf(Math.max(...this.gaps));
    this.usualUnit = usualUnitOf(units, scan, first, last, this.usualGap);
  }

  /** A word of this text, where it stands in the passage. */
  inPassage({ text, start, end }: LatticeWord): LatticeWord {
    return { text, start: this.at[start] as number, end: (this.at[end - 1] as number) + 1 };
  }

  private addGap(units: Uint16Array, scan: TokenScan, token: number): void {
    const [from, to, visible] = [scan.end[token - 1] as number, scan.start[token] as number, scan.gap[token] as number];
    const gap = Math.min(visible, MAX_GAP);
    this.gaps[gap] = (this.gaps[gap] as number) + 1;
    // Of a gap with a tag in it, what counts is how wide it looks.
    if (to - from === visible) for (let at = from; at < from + gap; at++) this.add(units[at] as number, at);
    else for (let step = 0; step < gap; step++) this.add(SPACE, from + step);
  }

  private add(unit: number, at: number): void {
    this.units[this.length] = unit;
    this.at[this.length++] = at;
    if (isLetter(unit)) this.letters++;
  }
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
