import { type JsonEdit, spliceJson } from '../../core/base/edits.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { readServerSentEvents, type ServerSentEvent } from '../../core/base/sse-decoder.ts';
import type { ChatCall } from '../../core/routing/provider.ts';
import { toProviderFailure } from '../provider-failures.ts';

/** Fields of ours that a provider must not see. */
const OWN_FIELDS = ['moderation', 'svc'];

/** The body of a caller who speaks Anthropic's own API: as it came, but for the model's name and fields of ours. */
export function nativeBody({ source, request, model }: ChatCall): string {
  const body = source.value as object;
  const edits: JsonEdit[] = [];
  if (model !== request.model) edits.push({ kind: 'replace', path: ['model'], json: JSON.stringify(model) });
  for (const field of OWN_FIELDS) if (Object.hasOwn(body, field)) edits.push({ kind: 'remove', path: [field] });
  return edits.length === 0 ? source.text : spliceJson(source.text, edits);
}

/**
 * The JSON of each event of a streamed message, as it came. A message that ends without `message_stop` was cut: that is an
 * error, never an ordinary end.
 */
export async function* nativeEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  try {
    for await (const events of readServerSentEvents(body)) {
      const end = events.findIndex(isEnd);
      yield (end < 0 ? events : events.slice(0, end + 1)).map(({ data }) => data);
      if (end >= 0) return;
    }
  } catch (error) {
    throw toProviderFailure('anthropic', error);
  }
  throw new GatewayError('provider_error', 'The provider anthropic ended its answer early.', {
    internal: 'anthropic: stream ended without message_stop',
  });
}

/** The text `message_stop` may also stand inside an event; only the event's own name or type counts. */
function isEnd({ event, data }: ServerSentEvent): boolean {
  if (event !== 'message') return event === 'message_stop';
  return data.includes('message_stop') && (JSON.parse(data) as { type?: unknown }).type === 'message_stop';
}
