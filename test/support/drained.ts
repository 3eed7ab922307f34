import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Resolves when a stream takes more, or is closed. It leaves no listener on the stream, which may wait many times. */
export async function drained(stream: Writable): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  // The loser of the race rejects, which the race has already handled.
  await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]).finally(() =>
    done.abort(),
  );
}
