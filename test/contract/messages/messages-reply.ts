import { expect } from '@jest/globals';
import type { Reply } from '../reply.ts';

/** An event as it came; untyped on purpose. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is what is tested
export type Event = any;

/** A streamed message that was read to its end. */
export interface MessageStream {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly events: readonly Event[];
  /** By the index of the block, its text or the JSON of its input. */
  readonly blocks: readonly string[];
}

export async function toMessageStream(response: Response): Promise<MessageStream> {
  const text = await response.text();
  const events: Event[] = [];
  // Comments come while a response waits, after its last event too.
  const withoutComments = text.replace(/^:.*\n/gm, '');
  for (const part of withoutComments.split('\n\n').filter((part) => part.trim() !== '')) {
    const lines = part.split('\n');
    const [name, data] = lines as [string, string];
    const event = JSON.parse(data.slice('data: '.length)) as Event;
    // Anthropic's clients go by the name, and each event says its type too.
    expect([lines.length, name]).toEqual([2, `event: ${event.type}`]);
    events.push(event);
  }
  const blocks: string[] = [];
  for (const { type, index, delta } of events) {
    if (type !== 'content_block_delta') continue;
    blocks[index] = (blocks[index] ?? '') + (delta.text ?? delta.partial_json ?? '');
  }
  return { status: response.status, headers: response.headers, text, events, blocks };
}

/** What every client relies on: blocks that begin and end one after another, then the reason, then the end. */
export function expectGoodOrder({ status, headers, events }: MessageStream): void {
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
  const types = events.filter(({ type }) => type !== 'ping').map(({ type }) => type);
  expect(types.join(' ')).toMatch(
    /^message_start( content_block_start( content_block_delta)* content_block_stop)* message_delta message_stop$/,
  );
  const at = (type: string) => events.filter((event) => event.type === type).map(({ index }) => index);
  expect(at('content_block_start')).toEqual(at('content_block_stop'));
  expect(events.filter(({ svc }) => svc !== undefined)).toEqual([events.at(-2)]);
}

/** An error in Anthropic's shape, `code` and `param` beside. */
export function expectMessagesError(
  reply: Reply,
  status: number,
  type: string,
  code: string | undefined,
  param?: string,
): void {
  const { error, svc, ...rest } = reply.json ?? {};
  expect({ status: reply.status, error }).toEqual({
    status,
    error: {
      type,
      message: expect.stringMatching(/\S/),
      ...(code !== undefined && { code }),
      ...(param !== undefined && { param }),
      ...(error?.details !== undefined && { details: expect.any(Object) }),
      ...(svc !== undefined && { svc }),
    },
  });
  expect(rest).toEqual({ type: 'error', request_id: reply.headers.get('request-id') });
  expect(reply.headers.get('request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  expect(reply.headers.get('x-request-id')).toBe(reply.headers.get('request-id'));
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
}
