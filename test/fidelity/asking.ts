import { type Asked, type Exchange, type Gateway, LANES } from './gateway.ts';
import { modelIn, type Provider, ROUTES, type SharedRoute } from './routes.ts';
import { type Leaf, leastOf } from './schema/leaves.ts';
import type { PublishedRoute } from './schema/shape.ts';
import { storedAs } from './surroundings.ts';
import { FORM_TYPE, toForm } from './to-form.ts';
import type { Answer } from './upstream.ts';

export type Json = Record<string, unknown>;

/** Spacing that no JSON writer produces, so that rewritten bytes differ. */
export const oddly = (value: unknown) => JSON.stringify(value, null, 1);

export const toJsonResponse = (value: unknown): Answer => ({ body: oddly(value), type: 'application/json' });

/** A provider's stream of these events. */
export function toStreamResponse(events: readonly Json[], { end = '' }: SharedRoute): Answer {
  const text = events.map((one) => `${'type' in one ? `event: ${one.type}\n` : ''}data: ${JSON.stringify(one)}\n\n`);
  return { body: text.join('') + end, type: 'text/event-stream' };
}

/** The smallest response of its provider on a route. */
export function leastAnswer(route: SharedRoute, form: PublishedRoute): Answer {
  if (form.answer === undefined) return { body: Buffer.from([0xff, 0xfb, 0]), type: 'audio/mpeg' };
  const least = leastOf(form.answer, route.answer) as Json;
  return toJsonResponse(route.whole?.(least) ?? least);
}

/** A form's least sample, but for one place. */
export const sampleOf = (leaf: Leaf) => leaf.whole(leaf.values[0]) as Json;

/** The request with a sample in it, asked of a provider's model. */
export function asking(
  name: string,
  route: SharedRoute,
  sample: Json,
  answer: Answer,
  {
    stream = false,
    of = route.provider,
    headers = {},
  }: { readonly stream?: boolean; readonly of?: Provider; readonly headers?: Asked['headers'] } = {},
): Asked {
  const [method = ''] = name.split(' ');
  const text = (lane: number) => written(route, route.body(sample, modelIn(of, lane), stream));
  const query = (lane: number) => (route.isStored && text(lane) !== '' ? `?${text(lane)}` : '');
  return {
    method,
    path: (lane) => `${route.path?.(modelIn(of, lane), stream) ?? pathOf(name)}${query(lane)}`,
    body: (lane) => (route.isStored ? undefined : text(lane)),
    type: route.fileField === undefined ? 'application/json' : FORM_TYPE,
    headers,
    answer,
  };
}

/** `/v1/images/edits` for `POST /v1/images/edits (JSON)`. */
export function pathOf(name: string): string {
  return name.split(' ')[1] as string;
}

/** A request's body as these tests send it. */
export function written({ fileField, isStored }: SharedRoute, body: Json): string {
  if (isStored) return toQuery(body);
  return fileField === undefined ? oddly(body) : toForm(body, fileField);
}

/** A query as OpenAI's SDKs write it. */
function toQuery(body: Json): string {
  const pairs = Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((one) => [`${name}[]`, String(one)]) : [[name, String(value)]],
  );
  return new URLSearchParams(pairs).toString();
}

/** What the provider got of a request, as `written` writes it. */
export function sentOf({ isStored }: SharedRoute, { sent }: Exchange): string {
  return (isStored ? sent?.path.split('?')[1] : sent?.body.toString()) ?? '';
}

/** Asks for what gives the key the ids that requests of the route name. */
export async function holdIds(gateway: Gateway, name: string, route: SharedRoute): Promise<void> {
  if (route.held) await gateway.askAll([asking(name, route, {}, toJsonResponse(route.held))]);
  if (!route.isStored) return;
  const [creating, create] = ['POST /v1/responses', ROUTES['POST /v1/responses'] as SharedRoute] as const;
  for (let lane = 0; lane < LANES; lane += 1) {
    const stored = storedAs(modelIn(route.provider, lane));
    await gateway.askAll([asking(creating, create, {}, toJsonResponse(stored))]);
  }
}

/** The data of a stream's events, but for `[DONE]`. */
export function dataOf(text: string): string[] {
  const data = text.split('\n').filter((line) => line.startsWith('data: '));
  return data.map((line) => line.slice('data: '.length)).filter((line) => line !== '[DONE]');
}

/** A response's JSON without the fields that the gateway adds. */
export function withoutSvc(text: string): string {
  const { svc: outer, response } = JSON.parse(text) as { svc?: unknown; response?: { svc?: unknown } };
  const svc = outer ?? response?.svc;
  if (svc === undefined) return text;
  const own = `"svc":${JSON.stringify(svc)}`;
  return text.replace(`,${own}`, '').replace(own, '');
}
