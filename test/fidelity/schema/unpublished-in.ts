import { toParam } from '../../../functions/kernel/errors/index.ts';
import { readPublished } from './read-published.ts';
import type { PublishedRoute } from './shape.ts';
import { unknownIn } from './unknown-in.ts';

const published = readPublished();

/** What the documentation has for older models, and the newest types do not. */
const DOCUMENTED = new Set(['temperature', 'top_p', 'top_k'].map((field) => `POST /v1/messages ${field}`));

/** The members of forwarded requests that the provider's published types do not name, by the API's name. */
export function unpublishedIn(bodies: readonly unknown[]): string[] {
  const found = bodies.flatMap((body) => {
    // The published types are those of whole responses.
    const { stream: _, ...rest } = body as { stream?: boolean };
    const whole = withoutBedrock(rest);
    const name = routeOf(whole);
    const places = unknownIn((published.get(name) as PublishedRoute).request, whole);
    const others = places.filter((place) => !DOCUMENTED.has(`${name} ${place.join('.')}`));
    return others.map((place) => `${name}: ${toParam(place).replace(/\[\d+\]/g, '[]')}`);
  });
  return [...new Set(found)];
}

/** A body of InvokeModel as one of the Messages API, whose types do not have its version. */
function withoutBedrock(body: object): object {
  if (!('anthropic_version' in body)) return body;
  const { anthropic_version: _, anthropic_beta: __, ...message } = body as Record<string, unknown>;
  return { model: 'claude', ...message };
}

/** The published route that a translated body is for. */
function routeOf(body: unknown): string {
  const { contents, input, model } = body as { contents?: unknown; input?: unknown; model?: string };
  if (contents !== undefined) return 'POST /v1beta/models/{call}';
  if (input !== undefined) return 'POST /v1/responses';
  if (model === undefined) return 'POST /model/{modelId}/converse';
  return model.startsWith('claude') ? 'POST /v1/messages' : 'POST /v1/chat/completions';
}
