import type { GatewayError } from '../kernel/errors/index.ts';
import type { BodyStream } from '../kernel/http/index.ts';
import type { MediaPiece } from '../pipeline/index.ts';

const OVER = { done: true, value: undefined } as const;

export interface MediaStreamOptions {
  /** Why the source was ended from outside; undefined if it ended by itself. */
  cutShort(): GatewayError | undefined;
  /** The client disconnected. */
  onCancel(): void;
}

/** The body of a media response: its bytes as they come. Bytes have no place for an error, so a failure breaks the body off. */
export class MediaStream implements BodyStream {
  private readonly source: AsyncGenerator<MediaPiece, void>;
  private readonly options: MediaStreamOptions;
  private first: MediaPiece | undefined;
  private over = false;

  constructor(first: MediaPiece, source: AsyncGenerator<MediaPiece, void>, options: MediaStreamOptions) {
    this.first = first;
    this.source = source;
    this.options = options;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const { first } = this;
    this.first = undefined;
    if (this.over) return OVER;
    if (first !== undefined) return { done: false, value: first.bytes };
    try {
      const { done, value } = await this.source.next();
      if (!done) return { done: false, value: value.bytes };
      const failure = this.options.cutShort();
      if (failure !== undefined) throw failure;
    } catch (thrown) {
      this.over = true;
      throw thrown;
    }
    this.over = true;
    return OVER;
  }

  async return(): Promise<typeof OVER> {
    if (this.over) return OVER;
    this.over = true;
    this.options.onCancel();
    // Runs the source's `finally`; nothing can receive its errors any more.
    await this.source.return().catch(() => {});
    return OVER;
  }
}
