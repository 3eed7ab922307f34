import { readServerSentEvents, type ServerSentEvent } from '../../core/base/sse-decoder.ts';
import { endsResponse } from '../../core/protocols/openai-responses/responses-events.ts';
import { toProviderFailure, unreadableAnswer } from '../provider-failures.ts';

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
  throw unreadableAnswer(provider, 'stream ended without the end of its response');
}

/** What ends a response may also stand inside an event; only the event's own name or type counts. */
function isEnd({ event, data }: ServerSentEvent): boolean {
  if (event !== 'message') return event === 'error' || endsResponse(event);
  return data.includes('"response.') && endsResponse(String((JSON.parse(data) as { type?: unknown }).type));
}
