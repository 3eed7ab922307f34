import type { Dispatcher } from 'undici';
import { HttpFailure } from '../../kernel/http/index.ts';

/** Bytes waiting for their reader before the sender is slowed down. */
const MAX_WAITING_BYTES = 256 * 1024;
const LINGER_MS = 500;

type Turn = IteratorResult<Uint8Array, undefined>;
const OVER: Turn = { done: true, value: undefined };

/** Controls the transfer: undici's controller of the call. */
type Source = Pick<Dispatcher.DispatchController, 'pause' | 'resume' | 'abort'>;

/** The body of a response. Each read returns all that has arrived, in one piece. For a single reader. */
export class IncomingBody implements AsyncIterableIterator<Uint8Array, undefined> {
  private readonly source: Source;
  private readonly idleTimeoutMs: number;
  private chunks: Buffer[] = [];
  private size = 0;
  private asker: { resolve: (turn: Turn) => void; reject: (failure: Error) => void } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failure: Error | undefined;
  /** The body has ended or is discarded. */
  private over = false;

  constructor(source: Source, idleTimeoutMs: number) {
    this.source = source;
    this.idleTimeoutMs = idleTimeoutMs;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Turn> {
    return new Promise((resolve, reject) => {
      this.asker = { resolve, reject };
      this.answer();
      // A slow reader is not a silent provider: the timeout runs only while a read waits.
      if (this.asker !== undefined) this.watch();
    });
  }

  /**
   * Ends reading. The rest is discarded for a moment: after a stream's last event only the end of the message follows, and then the
   * connection can be reused.
   */
  async return(): Promise<Turn> {
    clearTimeout(this.timer);
    if (!this.over)
      this.timer = setTimeout(() => this.source.abort(new HttpFailure('aborted', true)), LINGER_MS).unref();
    this.over = true;
    this.chunks = [];
    this.source.resume();
    return OVER;
  }

  /** Called by the receiver: adds a chunk. */
  take(chunk: Buffer): void {
    if (this.over) return;
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size > MAX_WAITING_BYTES) this.source.pause();
    // Includes what else the same socket read brings.
    if (this.asker !== undefined && this.chunks.length === 1) queueMicrotask(() => this.answer());
  }

  /** Called by the receiver: the body is complete, or broken by `failure`. */
  end(failure?: Error): void {
    clearTimeout(this.timer);
    if (this.over) return;
    this.over = true;
    this.failure = failure;
    this.answer();
  }

  /** Resolves the waiting read if there is data. */
  private answer(): void {
    const { asker, chunks } = this;
    if (asker === undefined) return;
    if (chunks.length > 0) {
      this.chunks = [];
      this.size = 0;
      asker.resolve({ done: false, value: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
    } else if (!this.over) return;
    else if (this.failure === undefined) asker.resolve(OVER);
    else {
      asker.reject(this.failure);
      this.failure = undefined;
    }
    this.asker = undefined;
    // Last: it may bring the next chunk at once.
    this.source.resume();
  }

  private watch(): void {
    if (this.timer !== undefined) {
      this.timer.refresh();
      return;
    }
    this.timer = setTimeout(() => {
      if (this.asker !== undefined) this.source.abort(new HttpFailure('timeout', true));
    }, this.idleTimeoutMs);
  }
}

/** The whole body as text. @throws if it is larger, and what the body throws */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('response too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
