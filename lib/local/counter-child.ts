import type { ChildProcess } from 'node:child_process';
import { startChild } from './child.ts';

/** Counting what is left takes milliseconds, or the stores are in trouble. */
const COUNT_MS = 5_000;

export interface CounterChild {
  /** Resolves when every record that was written is counted, or after a time in which it should have been. */
  counted(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the counting function in a child process; `script` is the built counter-process. */
export async function startCounterChild(script: string): Promise<CounterChild> {
  const child = await startChild(script, {}, 'the counting of records');
  return { counted: counterOf(child.process), stop: child.stop };
}

function counterOf(child: ChildProcess): () => Promise<void> {
  const waiting = new Map<number, () => void>();
  let asked = 0;
  child.on('message', ({ counted }: { counted?: number }) => {
    if (counted !== undefined) waiting.get(counted)?.();
  });
  return () =>
    new Promise((resolve) => {
      asked += 1;
      const id = asked;
      const done = () => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, COUNT_MS);
      waiting.set(id, done);
      if (!child.connected) return done();
      child.send(id, (error) => error && done());
    });
}
