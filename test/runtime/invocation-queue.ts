import type { Invocation } from './sandbox.ts';

/** Gives each invocation to the longest waiting process, and queues it if none waits. */
export class InvocationQueue {
  private readonly invocations: Invocation[] = [];
  private readonly takers: ((invocation: Invocation) => void)[] = [];

  add(invocation: Invocation): void {
    const taker = this.takers.shift();
    if (taker === undefined) this.invocations.push(invocation);
    else taker(invocation);
  }

  /** Rejects when the signal aborts, and then takes nothing. */
  async take(signal: AbortSignal): Promise<Invocation> {
    signal.throwIfAborted();
    const waiting = this.invocations.shift();
    if (waiting !== undefined) return waiting;
    return new Promise((resolve, reject) => {
      this.takers.push(resolve);
      signal.addEventListener('abort', () => {
        const index = this.takers.indexOf(resolve);
        if (index >= 0) this.takers.splice(index, 1);
        reject(signal.reason);
      });
    });
  }
}
