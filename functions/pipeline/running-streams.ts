import * as z from 'zod';
import type { BackgroundTasks, Clock } from '../kernel/tasks/index.ts';

export const requestCancellationSchema = z
  .object({
    id: z.string().meta({ description: "The stream's request." }),
    object: z.literal('request.cancellation'),
    status: z.literal('cancelled'),
  })
  .meta({ id: 'RequestCancellation', description: 'A stream that was ended before its response was complete.' });
export type RequestCancellation = z.infer<typeof requestCancellationSchema>;

/** Identifies a stream by its request and its key: only that key can end it. */
export interface StreamRef {
  readonly keyId: string;
  readonly requestId: string;
}

/** Passes cancellations to the process that serves a stream. Throws StoreUnavailable when the store cannot be reached in time. */
export interface CancellationStore {
  /** Requests a cancellation, which expires at that time. @returns whether it was confirmed before */
  ask(stream: StreamRef, expiresAtMs: number): Promise<boolean>;
  /** The streams with a requested cancellation; very recent requests may be missing. */
  asked(streams: readonly StreamRef[], signal: AbortSignal): Promise<readonly StreamRef[]>;
  /** Records that the stream was ended. */
  confirm(stream: StreamRef): Promise<void>;
  /** Whether the stream was ended, by a consistent read. */
  isConfirmed(stream: StreamRef): Promise<boolean>;
}

/** How often a process polls for cancellations; first this long after its first stream started. */
export const LOOK_EVERY_MS = 2_000;
/** Two polls of the process that serves the stream, and their duration. */
export const CONFIRMED_WITHIN_MS = 5_000;
const CONFIRMED_EVERY_MS = 500;
/** No stream runs longer. For this time a repeated cancellation gets the same response. */
const REMEMBERED_MS = 15 * 60_000;

const UNENDED = new AbortController().signal;

/** A stream that this process serves. */
export interface RunningStream extends StreamRef {
  /** Ends it at once. */
  readonly cancel: () => void;
}

export interface RunningStreamsDeps {
  /** Undefined if no other process serves the same keys. */
  readonly store: CancellationStore | undefined;
  readonly clock: Clock;
  /** Resolves after the time, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly backgroundTasks: BackgroundTasks;
}

/**
 * The streams that this process serves, so that their caller can end one by its id: at once in this process, at the next poll in another. A
 * stream costs no store access in its first two seconds, and no stream waits for the store or fails because of it.
 */
export class RunningStreams {
  private readonly deps: RunningStreamsDeps;
  private readonly running = new Map<string, RunningStream>();
  /** Expiry of each cancellation, for repeated ones; the first to expire comes first. */
  private readonly cancelled = new Map<string, number>();
  /** When the oldest running stream started. */
  private since = 0;
  private isLooking = false;
  private asking: AbortController | undefined;

  constructor(deps: RunningStreamsDeps) {
    this.deps = deps;
  }

  /** @returns a function to call when the stream is over */
  add(stream: RunningStream): () => void {
    const name = nameOf(stream);
    const { store, clock } = this.deps;
    if (this.running.size === 0) this.since = clock.monotonic();
    this.running.set(name, stream);
    if (store !== undefined && !this.isLooking) {
      this.isLooking = true;
      void this.look(store);
    }
    return () => {
      this.running.delete(name);
      if (this.running.size === 0) this.asking?.abort();
    };
  }

  /**
   * Ends the stream of this key and id, in any process. `signal` is aborted when the caller disconnects.
   * @returns false if there is none, or it was over before
   * @throws StoreUnavailable
   */
  async cancel(stream: StreamRef, signal: AbortSignal): Promise<boolean> {
    if (this.cancelHere(nameOf(stream))) return true;
    const { store, clock, sleep } = this.deps;
    if (store === undefined) return false;
    if (await store.ask(stream, clock.now() + REMEMBERED_MS)) return true;
    const until = clock.monotonic() + CONFIRMED_WITHIN_MS;
    while (clock.monotonic() < until && !signal.aborted) {
      await sleep(CONFIRMED_EVERY_MS, signal);
      if (await store.isConfirmed(stream)) return true;
    }
    return false;
  }

  /** Polls every two seconds for cancellations, while there are streams. */
  private async look(store: CancellationStore): Promise<void> {
    for (;;) {
      await this.pause();
      if (this.running.size === 0) break;
      this.asking = new AbortController();
      // If the store is unavailable, the next poll reads it again; the streams continue.
      const asked = await store.asked([...this.running.values()], this.asking.signal).catch(() => []);
      this.asking = undefined;
      for (const stream of asked) {
        // A background task, so that the function is not frozen before the write.
        if (this.cancelHere(nameOf(stream))) this.deps.backgroundTasks.add(store.confirm(stream));
      }
    }
    this.isLooking = false;
  }

  /** Waits two seconds, and until the first stream has run for as long, or none is left. */
  private async pause(): Promise<void> {
    const { sleep, clock } = this.deps;
    let left = LOOK_EVERY_MS;
    do {
      await sleep(left, UNENDED);
      left = this.since + LOOK_EVERY_MS - clock.monotonic();
    } while (left > 0 && this.running.size > 0);
  }

  /** @returns whether the stream runs here, or was cancelled here before */
  private cancelHere(name: string): boolean {
    const now = this.deps.clock.monotonic();
    for (const [old, until] of this.cancelled) {
      if (until > now) break;
      this.cancelled.delete(old);
    }
    const stream = this.running.get(name);
    if (stream === undefined) return this.cancelled.has(name);
    if (!this.cancelled.has(name)) this.cancelled.set(name, now + REMEMBERED_MS);
    stream.cancel();
    return true;
  }
}

function nameOf({ keyId, requestId }: StreamRef): string {
  return `${keyId} ${requestId}`;
}
