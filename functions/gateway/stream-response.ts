import type { GatewayError } from '../core/errors.ts';
import { toGatewayError } from '../core/pipeline/to-gateway-error.ts';
import type { StreamFraming } from '../core/protocols/answer-format.ts';

/** A caller waits at most this long for the head of a stream, and for a sign of life after it. */
export const KEEPALIVE_MS = 10_000;

const ENCODER = new TextEncoder();
/** One newline: two would end an event, and some clients choke on an empty one. */
const KEEPALIVE = ENCODER.encode(': keep-alive\n');

export interface EventStreamOptions {
  readonly framing: StreamFraming;
  /** The body that tells an error. */
  readonly errorBody: (error: GatewayError) => object;
  readonly keepaliveMs: number;
  /** The caller has waited for the first event already: the body begins with a comment. */
  readonly late?: boolean;
  /** Why a source that is over was not let end by itself; undefined where it was. */
  cutShort(): GatewayError | undefined;
  /** The caller hung up. */
  onCancel(): void;
}

/**
 * The body of an event stream: each JSON as an event, comments while it waits, the framing's end. A failure is
 * one error event, and the stream ends without that end; the body itself never fails.
 */
export function eventStream(
  source: AsyncGenerator<string[], void>,
  first: Promise<IteratorResult<string[], void>>,
  { framing, errorBody, keepaliveMs, late = false, cutShort, onCancel }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  let next: Promise<IteratorResult<string[], void>> | undefined = first;
  let quietTicks = 1;
  let sent = 0;
  let keepalive: ReturnType<typeof setInterval>;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // One timer a stream, not one an event: it speaks in the second half interval without one.
      keepalive = setInterval(() => {
        quietTicks += 1;
        if (quietTicks < 2) return;
        controller.enqueue(KEEPALIVE);
        quietTicks = 0;
      }, keepaliveMs / 2);
      // Neither Node nor Lambda sends a head before a body's first byte.
      if (late) controller.enqueue(KEEPALIVE);
    },
    async pull(controller) {
      try {
        const { done, value } = await (next ?? source.next());
        next = undefined;
        quietTicks = 0;
        if (!done) {
          sent += value.length;
          return controller.enqueue(ENCODER.encode(value.map(framing.event).join('')));
        }
        const failure = cutShort();
        if (failure !== undefined) throw failure;
        if (framing.end !== '') controller.enqueue(ENCODER.encode(framing.end));
      } catch (thrown) {
        const body = errorBody(toGatewayError(thrown));
        const told = framing.error?.(body, sent) ?? body;
        controller.enqueue(ENCODER.encode(framing.event(JSON.stringify(told))));
      }
      clearInterval(keepalive);
      controller.close();
    },
    async cancel() {
      clearInterval(keepalive);
      onCancel();
      next?.catch(() => {});
      // Runs the source's `finally`; what it throws has nobody left to hear it.
      await source.return().catch(() => {});
    },
  });
}

/** What the promise gives, or 'waiting' after the time; throws what the promise throws. */
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
