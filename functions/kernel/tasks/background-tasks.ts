/** Tasks that no response waits for. An entry must await them before its process stops or is frozen. */
export class BackgroundTasks {
  private readonly pending = new Set<Promise<void>>();

  /** Adds a running task, which must report its own failure; a rejection is ignored. */
  add(work: Promise<unknown>): void {
    const ended: Promise<void> = work
      .catch(() => {})
      .then(() => {
        this.pending.delete(ended);
      });
    this.pending.add(ended);
  }

  get isIdle(): boolean {
    return this.pending.size === 0;
  }

  /** Resolves once no task is running, including those added meanwhile. */
  async idle(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }
}
