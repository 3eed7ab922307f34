/** What came in less is scaled as if it had come in this time. */
const SHORTEST_MS = 10;

/** Requests of a key that a process sees, counted in stretches of a fixed length. */
export class Arrivals {
  private readonly lengthMs: number;
  private stretch = 0;
  private count = 0;
  private before = 0;

  constructor(lengthMs: number) {
    this.lengthMs = lengthMs;
  }

  add(nowMs: number): void {
    this.recent(nowMs);
    this.count += 1;
  }

  /** How many come in a stretch, if they go on as they did in the last one and do in this one: a burst that is over goes on as nothing. */
  expected(nowMs: number): number {
    const before = this.recent(nowMs);
    const sinceMs = Math.max(SHORTEST_MS, nowMs - this.stretch * this.lengthMs);
    return Math.min(before, (this.count * this.lengthMs) / sinceMs);
  }

  /** How many came in the stretch before this one. */
  recent(nowMs: number): number {
    const stretch = Math.floor(nowMs / this.lengthMs);
    if (stretch !== this.stretch) {
      this.before = stretch === this.stretch + 1 ? this.count : 0;
      this.count = 0;
      this.stretch = stretch;
    }
    return this.before;
  }
}
