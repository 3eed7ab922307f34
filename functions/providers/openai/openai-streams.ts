import { readObject } from '../../core/base/json.ts';
import { MAX_PICTURE_EVENT_CHARS, readServerSentEvents, type ServerSentEvent } from '../../core/base/sse-decoder.ts';
import { endsResponse } from '../../core/protocols/openai-responses/responses-events.ts';
import { toProviderFailure, unreadableResponse } from '../provider-failures.ts';

/**
 * The JSON of each chunk of a streamed answer. An answer that ends without `[DONE]` was cut: that is an error, never an
 * ordinary end.
 */
export async function* readOpenAiStream(provider: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  try {
    for await (const events of readServerSentEvents(body)) {
      const chunks = events.map(({ data }) => data);
      const end = chunks.indexOf('[DONE]');
      if (end !== 0) yield end < 0 ? chunks : chunks.slice(0, end);
      if (end >= 0) return;
    }
  } catch (error) {
    throw toProviderFailure(provider, error);
  }
  throw unreadableResponse(provider, 'stream ended without [DONE]');
}

/**
 * The JSON of each event of an answer whose last event says that it is whole, as images and transcripts have it: whoever reads it
 * tells whether that came. A `[DONE]` behind it, which some servers send, says nothing more.
 */
export async function* readOpenAiEvents(provider: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  try {
    for await (const events of readServerSentEvents(body, MAX_PICTURE_EVENT_CHARS)) {
      const chunks = events.map(({ data }) => data).filter((data) => data !== '[DONE]');
      if (chunks.length > 0) yield chunks;
    }
  } catch (error) {
    throw toProviderFailure(provider, error);
  }
}

/** The event that ends a streamed transcript, of one that came whole: with what such events hold. */
export function toLastEvent(json: string, provider: string): string {
  const body = readObject(json);
  if (body === undefined) throw unreadableResponse(provider, 'not JSON');
  const { text, logprobs, usage } = body;
  return JSON.stringify({ type: 'transcript.text.done', text, logprobs, usage });
}

export async function* inOneBatch(json: string): AsyncGenerator<string[]> {
  yield [json];
}

/**
 * The JSON of each event of a streamed response, as it came. A stream that ends without the event that ends a response was cut:
 * that is an error, never an ordinary end.
 */
export async function* readResponsesStream(
  provider: string,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<string[]> {
  try {
    for await (const events of readServerSentEvents(body)) {
      const end = events.findIndex(isEnd);
      const told = end < 0 ? events : events.slice(0, end + 1);
      yield told.map(({ data }) => data);
      if (end >= 0) return;
    }
  } catch (error) {
    throw toProviderFailure(provider, error);
  }
  throw unreadableResponse(provider, 'stream ended without the end of its response');
}

/** What ends a response may also stand inside an event; only the event's own name or type counts. */
function isEnd({ event, data }: ServerSentEvent): boolean {
  if (event !== 'message') return event === 'error' || endsResponse(event);
  return data.includes('"response.') && endsResponse(String((JSON.parse(data) as { type?: unknown }).type));
}
