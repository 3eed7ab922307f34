/** Work that nobody's answer waits for. The platform must let it end before it stops or freezes the process. */
export class Afterwards {
  private readonly pending = new Set<Promise<void>>();

  /** Takes work that is under way and that tells of its own failure; one that rejects is only forgotten. */
  add(work: Promise<unknown>): void {
    const ended: Promise<void> = work
      .catch(() => {})
      .then(() => {
        this.pending.delete(ended);
      });
    this.pending.add(ended);
  }

  /** Resolves once nothing is under way, with what came meanwhile. */
  async idle(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }
}
