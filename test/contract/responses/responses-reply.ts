import { expect } from '@jest/globals';
import {
  type ReadResponse,
  readResponseEvents,
} from '../../../functions/translation/protocols/openai-responses/responses-events.fixture.ts';

/** An event as it came; untyped on purpose. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is what is tested
export type Event = any;

/** A streamed response that was read to its end. */
export interface ResponseStream extends ReadResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly events: readonly Event[];
}

export async function toResponseStream(response: Response): Promise<ResponseStream> {
  const text = await response.text();
  const events: Event[] = [];
  // Comments come while a response waits, after its last event too.
  const withoutComments = text.replace(/^:.*\n/gm, '');
  for (const part of withoutComments.split('\n\n').filter((part) => part.trim() !== '')) {
    const lines = part.split('\n');
    const [name, data] = lines as [string, string];
    const event = JSON.parse(data.slice('data: '.length)) as Event;
    expect([lines.length, name]).toEqual([2, `event: ${event.type}`]);
    events.push(event);
  }
  return { status: response.status, headers: response.headers, text, events, ...readResponseEvents(events) };
}
