import { type GatewayError, toGatewayError } from '../core/base/errors.ts';
import type { BodyStream } from '../core/http/responses.ts';
import type { StreamFraming } from '../core/protocols/protocol.ts';

/** A caller waits at most this long for the head of a stream, and for a sign of life after it. */
export const KEEPALIVE_MS = 10_000;

/** One newline: two would end an event, and some clients choke on an empty one. */
const KEEPALIVE = ': keep-alive\n';

export interface EventStreamOptions {
  readonly framing: StreamFraming;
  /** The body of an error. */
  readonly errorBody: (error: GatewayError) => object;
  readonly keepaliveMs: number;
  /** The caller has waited for the first event already: the body begins with a comment, since no head is sent before a body's first byte. */
  readonly late?: boolean;
  /** Why the source was ended from outside; undefined where it ended by itself. */
  cutShort(): GatewayError | undefined;
  /** The caller hung up. */
  onCancel(): void;
}

/**
 * The body of an event stream: each JSON as an event, a comment for each time that its reader waits so long, and the framing's end. A
 * failure is one error event, and the stream ends without that end; the body itself never fails.
 * @param first the source's first turn, which has begun already
 */
export function eventStream(
  source: AsyncGenerator<string[], void>,
  first: Promise<IteratorResult<string[], void>>,
  options: EventStreamOptions,
): BodyStream {
  let isOver = false;
  async function* write(): AsyncGenerator<string, void> {
    const { framing, keepaliveMs, late, cutShort, errorBody } = options;
    let sent = 0;
    try {
      if (late) yield KEEPALIVE;
      for (let pending = first; !isOver; ) {
        const turn = await awaitFirst(pending, keepaliveMs);
        if (isOver) return;
        if (turn === 'waiting') {
          yield KEEPALIVE;
          continue;
        }
        if (turn.done) break;
        sent += turn.value.length;
        if (turn.value.length > 0) yield turn.value.map(framing.event).join('');
        pending = source.next();
      }
      const failure = cutShort();
      if (failure !== undefined) throw failure;
      isOver = true;
      if (framing.end !== '') yield framing.end;
    } catch (thrown) {
      if (isOver) return;
      isOver = true;
      const body = errorBody(toGatewayError(thrown));
      yield framing.event(JSON.stringify(framing.error?.(body, sent) ?? body));
    }
  }
  const events = write();
  return {
    [Symbol.asyncIterator]: () => ({ next: () => events.next(), return: leave }),
    return: leave,
  };

  /** The reader leaves: also before it has read anything, and while it waits. */
  async function leave(): Promise<IteratorReturnResult<undefined>> {
    if (!isOver) {
      isOver = true;
      options.onCancel();
      first.catch(() => {});
      // Runs the source's `finally`; what it throws has no reader any more.
      await source.return().catch(() => {});
    }
    return { done: true, value: undefined };
  }
}

/** The promise's value, or 'waiting' after the time. @throws what the promise throws */
export async function awaitFirst<T>(promise: Promise<T>, milliseconds: number): Promise<T | 'waiting'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Promise<'waiting'>((resolve) => {
    timer = setTimeout(resolve, milliseconds, 'waiting');
  });
  try {
    return await Promise.race([promise, waiting]);
  } finally {
    clearTimeout(timer);
  }
}
