import type { Asked } from './gateway.ts';
import { modelIn, type Provider, type SharedRoute } from './routes.ts';
import { type Leaf, leastOf } from './schema/leaves.ts';
import type { PublishedRoute } from './schema/shape.ts';
import type { Answer } from './upstream.ts';

export type Json = Record<string, unknown>;

/** Spaced as nobody who writes JSON anew would space it. */
export const oddly = (value: unknown) => JSON.stringify(value, null, 1);

export const toJsonAnswer = (value: unknown): Answer => ({ body: oddly(value), type: 'application/json' });

/** A provider's stream of these events. */
export function toStreamAnswer(events: readonly Json[], { end = '' }: SharedRoute): Answer {
  const text = events.map((one) => `${'type' in one ? `event: ${one.type}\n` : ''}data: ${JSON.stringify(one)}\n\n`);
  return { body: text.join('') + end, type: 'text/event-stream' };
}

/** The least that its provider answers on a route. */
export function leastAnswer(route: SharedRoute, form: PublishedRoute): Answer {
  const least = leastOf(form.answer, route.answer) as Json;
  return toJsonAnswer(route.whole?.(least) ?? least);
}

/** A form's least sample, but for one place. */
export const sampleOf = (leaf: Leaf) => leaf.whole(leaf.values[0]) as Json;

/** The request with a sample in it, asked of a provider's model. */
export function asking(
  name: string,
  route: SharedRoute,
  sample: Json,
  answer: Answer,
  { stream = false, of = route.provider }: { readonly stream?: boolean; readonly of?: Provider } = {},
): Asked {
  return {
    path: (lane) => route.path?.(modelIn(of, lane), stream) ?? name.slice('POST '.length),
    body: (lane) => oddly(route.body(sample, modelIn(of, lane), stream)),
    answer,
  };
}

/** The data of a stream's events, but for `[DONE]`. */
export function dataOf(text: string): string[] {
  const data = text.split('\n').filter((line) => line.startsWith('data: '));
  return data.map((line) => line.slice('data: '.length)).filter((line) => line !== '[DONE]');
}

/** An answer's JSON as it was before the gateway put its own into it. */
export function withoutSvc(text: string): string {
  const { svc } = JSON.parse(text) as { svc?: unknown };
  if (svc === undefined) return text;
  const own = `"svc":${JSON.stringify(svc)}`;
  return text.replace(`,${own}`, '').replace(own, '');
}
