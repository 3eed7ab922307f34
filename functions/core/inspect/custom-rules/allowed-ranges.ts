/** Ranges this far behind the last one are forgotten: an encoded run, told late, begins no further back. */
const KEPT_UNITS = 1 << 17;

/** What one entry of an allow list has matched in a text: ranges in order, without overlap. */
export class AllowedRanges {
  private starts: number[] = [];
  private ends: number[] = [];

  add(start: number, end: number): void {
    this.starts.push(start);
    this.ends.push(end);
    if ((this.starts[0] as number) < start - 2 * KEPT_UNITS) this.forget(start - KEPT_UNITS);
  }

  /** Whether [start, end) lies wholly within one of them. */
  covers(start: number, end: number): boolean {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] as number) <= start) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (this.ends[low - 1] as number) >= end;
  }

  private forget(before: number): void {
    const kept = this.starts.findIndex((start) => start >= before);
    this.starts = this.starts.slice(kept);
    this.ends = this.ends.slice(kept);
  }
}
