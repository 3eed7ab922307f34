import type { TextEdit } from '../../kernel/json/index.ts';

const LINEAR = 0;
/** Fields of a run: its start in the view, its start in the raw text, and LINEAR or the raw width of an atom. */
const FIELDS = 3;
const RAW = 1;
const WIDTH = 2;
const FIRST_RUNS = 8;
const NO_RUNS = new Int32Array(0);
/** Discarding fewer runs than this is not worth moving the others. */
const MANY_RUNS = 256;

/**
 * Maps offsets in a view to offsets in the raw text, as runs: a linear run has one view unit for each raw unit, an atom is one raw character
 * with any number of view units. Characters that the view drops are gaps between runs. While all of the view is one linear run, as for most
 * texts, no run is stored.
 */
export class PositionMap {
  private count = 0;
  private runs: Int32Array = NO_RUNS;
  private viewLength = 0;
  private rawLength = 0;

  /** Adds `count` raw units that the view shows one for one. */
  addLinear(count: number): void {
    if (count > 0 && !this.continues()) this.addRun(LINEAR);
    this.viewLength += count;
    this.rawLength += count;
  }

  /** Adds one raw character of `rawUnits` that the view shows as `viewUnits`; 0 if it is dropped. */
  addAtom(rawUnits: number, viewUnits: number): void {
    if (viewUnits > 0) this.addRun(rawUnits);
    this.viewLength += viewUnits;
    this.rawLength += rawUnits;
  }

  /** Start of the character at this view offset; at the view's end, the length of the raw text. */
  rawStart(viewOffset: number): number {
    if (viewOffset >= this.viewLength) return this.rawLength;
    if (this.count === 0) return viewOffset;
    const run = this.runAt(viewOffset);
    return this.rawAt(run) + (this.isLinear(run) ? viewOffset - this.viewAt(run) : 0);
  }

  /** End of the character before this view offset. */
  rawEnd(viewOffset: number): number {
    if (viewOffset <= 0) return 0;
    if (this.count === 0) return viewOffset;
    const run = this.runAt(viewOffset - 1);
    return this.rawAt(run) + (this.isLinear(run) ? viewOffset - this.viewAt(run) : this.widthOf(run));
  }

  /** Discards runs that only offsets before this one need. */
  forget(viewOffset: number): void {
    if (this.count < MANY_RUNS) return;
    const stale = this.runAt(Math.max(0, viewOffset - 1));
    if (stale < this.count / 2) return;
    this.runs.copyWithin(0, stale * FIELDS, this.count * FIELDS);
    this.count -= stale;
  }

  /** Whether units that are shown one for one continue the last run. */
  private continues(): boolean {
    if (this.count === 0) return this.rawLength === this.viewLength;
    const last = this.count - 1;
    if (!this.isLinear(last)) return false;
    return this.rawLength - this.rawAt(last) === this.viewLength - this.viewAt(last);
  }

  private addRun(width: number): void {
    if (this.count === 0 && this.viewLength > 0) this.keepRun(0, 0, LINEAR);
    this.keepRun(this.viewLength, this.rawLength, width);
  }

  private keepRun(view: number, raw: number, width: number): void {
    const at = this.count++ * FIELDS;
    if (at === this.runs.length) {
      const longer = new Int32Array(Math.max(FIRST_RUNS * FIELDS, 4 * at));
      longer.set(this.runs);
      this.runs = longer;
    }
    this.runs[at] = view;
    this.runs[at + RAW] = raw;
    this.runs[at + WIDTH] = width;
  }

  /** The last run that starts at or before the offset. */
  private runAt(viewOffset: number): number {
    let low = 0;
    let high = Math.max(0, this.count - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.viewAt(middle) <= viewOffset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private viewAt(run: number): number {
    return this.runs[run * FIELDS] as number;
  }

  private rawAt(run: number): number {
    return this.runs[run * FIELDS + RAW] as number;
  }

  private widthOf(run: number): number {
    return this.runs[run * FIELDS + WIDTH] as number;
  }

  private isLinear(run: number): boolean {
    return this.widthOf(run) === LINEAR;
  }
}

/** Until it is trimmed, the text of a stream takes 60 bytes a token; 4096 here cost 200 streams 30 MB (bench/many-streams.md). */
const TRIM_UNITS = 512;

/** The part of a growing text that is still needed, addressed by offsets in the whole. */
export class TextWindow {
  private text = '';
  private from = 0;

  /** Of the whole text. */
  get length(): number {
    return this.from + this.text.length;
  }

  push(piece: string): void {
    this.text += piece;
  }

  slice(start: number, end: number): string {
    return this.text.slice(start - this.from, end - this.from);
  }

  /** Allows discarding text before this offset, now or later. */
  forget(offset: number): void {
    // Trimming copies the rest, so it is for no more than what is discarded.
    if (offset - this.from < Math.max(TRIM_UNITS, this.text.length / 2)) return;
    this.text = this.text.slice(offset - this.from);
    this.from = offset;
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The range of an edit's replacement in the edited text, and the shift of the text after it. */
interface Moved {
  readonly edit: TextEdit;
  readonly start: number;
  readonly end: number;
  readonly shift: number;
}

/**
 * Returns a function that maps a range of the edited text to the text before the edits (as `mergeEdits` returns them). A range that starts or
 * ends in a replacement includes all that was replaced.
 */
export function originalRanges(edits: readonly TextEdit[]): (range: Range) => Range {
  let shift = 0;
  const moved = edits.map((edit): Moved => {
    const start = edit.start + shift;
    const end = start + edit.text.length;
    shift = end - edit.end;
    return { edit, start, end, shift };
  });
  return ({ start, end }) => {
    const before = lastWhere(moved, (one) => one.start <= start);
    const last = lastWhere(moved, (one) => one.start < end);
    return {
      start: before === undefined ? start : start < before.end ? before.edit.start : start - before.shift,
      end: last === undefined ? end : end <= last.end ? last.edit.end : end - last.shift,
    };
  };
}

/** The last item for which `holds` is true; it must be true for all before it. */
function lastWhere(moved: readonly Moved[], holds: (one: Moved) => boolean): Moved | undefined {
  let low = 0;
  let high = moved.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(moved[middle] as Moved)) low = middle + 1;
    else high = middle;
  }
  return moved[low - 1];
}
