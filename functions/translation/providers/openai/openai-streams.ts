import { MAX_PICTURE_EVENT_CHARS, readServerSentEvents, type ServerSentEvent } from '../../../kernel/http/index.ts';
import { readObject } from '../../../kernel/json/index.ts';
import { endsResponse } from '../../protocols/openai-responses/responses-events.ts';
import { toProviderFailure, unreadableResponse } from '../provider-failures.ts';
import { untilError } from '../provider-responses.ts';

/**
 * The JSON of each chunk of a streamed response, up to `[DONE]` if there is one. Some servers send none: the consumer checks that every
 * choice has its finish reason.
 * @throws GatewayError for an error in the stream
 */
export async function* readOpenAiStream(provider: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  try {
    for await (const events of readServerSentEvents(body)) {
      const chunks = events.map(({ data }) => data);
      const end = chunks.indexOf('[DONE]');
      const { before, failure } = untilError(provider, end < 0 ? chunks : chunks.slice(0, end));
      if (before.length > 0) yield before;
      if (failure !== undefined) throw failure;
      if (end >= 0) return;
    }
  } catch (error) {
    throw toProviderFailure(provider, error);
  }
}

/**
 * The JSON of each event of a streamed image or transcript. The consumer checks that the final event arrived; a later
 * `[DONE]`, which some servers send, is ignored.
 */
export async function* readOpenAiEvents(provider: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  try {
    for await (const events of readServerSentEvents(body, MAX_PICTURE_EVENT_CHARS)) {
      const chunks = events.map(({ data }) => data).filter((data) => data !== '[DONE]');
      const { before, failure } = untilError(provider, chunks);
      if (before.length > 0) yield before;
      if (failure !== undefined) throw failure;
    }
  } catch (error) {
    throw toProviderFailure(provider, error);
  }
}

/** The final event of a streamed transcript, made from a whole transcript. */
export function toLastEvent(json: string, provider: string): string {
  const body = readObject(json);
  if (body === undefined) throw unreadableResponse(provider, 'not JSON');
  const { text, logprobs, usage } = body;
  return JSON.stringify({ type: 'transcript.text.done', text, logprobs, usage });
}

/**
 * The unchanged JSON of each event of a stream of the Responses API.
 * @throws GatewayError for a stream that ends without a final event, since it was cut
 */
export async function* readResponsesStream(
  provider: string,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<string[]> {
  try {
    for await (const events of readServerSentEvents(body)) {
      const end = events.findIndex(isEnd);
      const complete = end < 0 ? events : events.slice(0, end + 1);
      const { before, failure } = untilError(
        provider,
        complete.map(({ data }) => data),
      );
      if (before.length > 0) yield before;
      if (failure !== undefined) throw failure;
      if (end >= 0) return;
    }
  } catch (error) {
    throw toProviderFailure(provider, error);
  }
  throw unreadableResponse(provider, 'stream ended without the end of its response');
}

/** The type of a final event may also occur inside an event: only the event's own name or type counts. */
function isEnd({ event, data }: ServerSentEvent): boolean {
  if (event !== 'message') return event === 'error' || endsResponse(event);
  return data.includes('"response.') && endsResponse(String(readObject(data)?.type));
}
