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
