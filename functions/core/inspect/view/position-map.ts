const LINEAR = 0;

/**
 * From offsets in a view to offsets in the raw text, kept as runs: a linear run has one view unit for each raw unit, an
 * atom is one raw character that became any number of view units. Characters that the view drops are gaps between runs.
 */
export class PositionMap {
  private readonly viewAt: number[] = [];
  private readonly rawAt: number[] = [];
  /** LINEAR, or the raw width of an atom. */
  private readonly width: number[] = [];
  private viewLength = 0;
  private rawLength = 0;

  /** `count` raw units that stand in the view one for one. */
  addLinear(count: number): void {
    const last = this.width.length - 1;
    const continues =
      last >= 0 &&
      this.width[last] === LINEAR &&
      this.rawLength - (this.rawAt[last] ?? 0) === this.viewLength - (this.viewAt[last] ?? 0);
    if (!continues && count > 0) this.addRun(LINEAR);
    this.viewLength += count;
    this.rawLength += count;
  }

  /** One raw character of `rawUnits` that the view shows as `viewUnits`; none means that it is dropped. */
  addAtom(rawUnits: number, viewUnits: number): void {
    if (viewUnits > 0) this.addRun(rawUnits);
    this.viewLength += viewUnits;
    this.rawLength += rawUnits;
  }

  /** Where the character that shows at this view offset starts; at the view's end, all that was read. */
  rawStart(viewOffset: number): number {
    if (viewOffset >= this.viewLength) return this.rawLength;
    const run = this.runAt(viewOffset);
    const start = this.rawAt[run] ?? 0;
    return this.width[run] === LINEAR ? start + viewOffset - (this.viewAt[run] ?? 0) : start;
  }

  /** Where the character that shows just before this view offset ends. */
  rawEnd(viewOffset: number): number {
    if (viewOffset <= 0) return 0;
    const run = this.runAt(viewOffset - 1);
    const start = this.rawAt[run] ?? 0;
    const width = this.width[run] ?? LINEAR;
    return width === LINEAR ? start + viewOffset - (this.viewAt[run] ?? 0) : start + width;
  }

  /** Lets go of what only offsets before this one need. */
  forget(viewOffset: number): void {
    if (this.viewAt.length < 256) return;
    const stale = this.runAt(Math.max(0, viewOffset - 1));
    if (stale < this.viewAt.length / 2) return;
    for (const column of [this.viewAt, this.rawAt, this.width]) column.splice(0, stale);
  }

  private addRun(width: number): void {
    this.viewAt.push(this.viewLength);
    this.rawAt.push(this.rawLength);
    this.width.push(width);
  }

  /** The last run that starts at or before the offset. */
  private runAt(viewOffset: number): number {
    let low = 0;
    let high = this.viewAt.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.viewAt[middle] ?? 0) <= viewOffset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
