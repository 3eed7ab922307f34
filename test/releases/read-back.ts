import * as z from 'zod';
import { eventually } from '../support/eventually.ts';
import { type Call, LONG, type Reply, type Stored } from './traffic.ts';

interface OpenApi {
  readonly paths: Record<string, Record<string, { responses: Record<string, { content?: Json }> }>>;
  readonly components: { readonly schemas: Record<string, object> };
}
interface Json {
  readonly 'application/json'?: { readonly schema: object };
}

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** The document of the last service, with the schemas made of it: all services of a run have the same. */
interface Known {
  readonly text: string;
  readonly document: OpenApi;
  readonly schemas: Map<string, z.ZodType>;
}
let known: Known | undefined;

/** Reads by the schemas of the service's own OpenAPI document. */
export class Reader {
  private readonly found = new Set<string>();
  /** How many responses of each path were read. */
  readonly read = new Map<string, number>();
  private readonly call: Call;
  private readonly document: OpenApi;
  private readonly schemas: Map<string, z.ZodType>;

  private constructor(call: Call, { document, schemas }: Known) {
    this.call = call;
    this.document = document;
    this.schemas = schemas;
  }

  static async start(call: Call, baseUrl: string): Promise<Reader> {
    const response = await fetch(new URL('/openapi.json', baseUrl));
    const text = (await response.text()).replaceAll('#/components/schemas/', '#/$defs/');
    if (known?.text !== text) known = { text, document: JSON.parse(text) as OpenApi, schemas: new Map() };
    return new Reader(call, known);
  }

  /** What is missing or does not fit its schema: the path, and why, each once. */
  get faults(): string[] {
    return [...this.found];
  }

  /** Calls a path of the document: `/admin/keys/{id}` with its values, then a query. */
  async send(method: string, path: string, values: Readonly<Record<string, string>> = {}, body?: object, query = '') {
    const filled = Object.entries(values).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
      path,
    );
    // On a busy machine the store may be late.
    const reply = await eventually(
      () => this.call(method, `${filled}${query}`, body),
      ({ status }) => status !== 503,
    );
    this.check(`${method} ${path}`, reply);
    return reply;
  }

  /** All pages of a list. */
  async list(path: string, values: Readonly<Record<string, string>> = {}, query = '?limit=100') {
    // biome-ignore lint/suspicious/noExplicitAny: the shape of any release
    const all: any[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json } = await this.send('GET', path, values, undefined, `${query}${after}`);
      all.push(...(json?.data ?? []));
      cursor = json?.nextCursor ?? null;
    }
    return all;
  }

  private check(name: string, { status, text, json }: Reply): void {
    this.read.set(name, (this.read.get(name) ?? 0) + 1);
    if (status >= 300) this.found.add(`${name}: ${status} ${text.slice(0, 300)}`);
    else {
      const { error } = this.schemaOf(name, status).safeParse(json);
      // Numbers are positions in lists.
      for (const { path, message } of error?.issues ?? []) {
        this.found.add(`${name}: ${path.filter((part) => typeof part === 'string').join('.')}: ${message}`);
      }
    }
  }

  private schemaOf(name: string, status: number): z.ZodType {
    const known = this.schemas.get(name);
    if (known !== undefined) return known;
    const [method = '', path = ''] = name.split(' ');
    const content = this.document.paths[`/v1${path}`]?.[method.toLowerCase()]?.responses[status]?.content;
    const schema = content?.['application/json']?.schema;
    if (schema === undefined) throw new Error(`the document has no response ${status} of ${name}`);
    const made = z.fromJSONSchema({ ...schema, $defs: this.document.components.schemas } as JsonSchema);
    this.schemas.set(name, made);
    return made;
  }
}

/** Reads everything that the admin API shows. */
export async function readEverything(reader: Reader, { from, to }: { from: string; to: string }): Promise<void> {
  const span = `?from=${from}&to=${to}`;
  for (const { id } of await reader.list('/admin/keys')) {
    for (const path of ['', '/usage', '/policy']) await reader.send('GET', `/admin/keys/{id}${path}`, { id });
    await reader.send('GET', '/analytics/keys', {}, undefined, `?ids=${id}`);
  }
  for (const path of ['/admin/policy', '/admin/policy/scores']) await reader.send('GET', path);
  await reader.list('/admin/policy/versions');
  await reader.list('/admin/audit');
  for (const { id } of await reader.list('/admin/webhooks')) {
    await reader.send('GET', '/admin/webhooks/{id}', { id });
    await reader.list('/admin/webhooks/{id}/deliveries', { id });
  }
  await reader.send('GET', '/analytics/summary', {}, undefined, span);
  for (const by of ['model', 'keyId', 'endUserId', 'threatType'])
    await reader.send('GET', '/analytics/timeseries', {}, undefined, `${span}&interval=hour&groupBy=${by}`);
  for (const { id, time, capture } of await reader.list('/analytics/requests', {}, `${span}&limit=100`)) {
    await reader.send('GET', '/analytics/requests/{id}', { id }, undefined, `?time=${time}`);
    await reader.list('/admin/requests/{id}/deliveries', { id });
    if (capture !== 'none') await reader.send('GET', '/analytics/requests/{id}/capture', { id });
  }
  for (const { id } of await reader.list('/analytics/threats', {}, `${span}&limit=100`))
    await reader.send('GET', '/analytics/threats/{id}', { id });
  for (const { id, keyId } of await reader.list('/analytics/sessions', {}, `${span}&limit=100`))
    await reader.send('GET', '/analytics/sessions/{id}', { id }, undefined, `?keyId=${keyId}`);
}

/** Changes one item of each kind that administrators change. */
export async function changeEverything(reader: Reader, { from, to }: { from: string; to: string }): Promise<void> {
  const keys = await reader.list('/admin/keys');
  const { id } = keys.find(({ name }) => name === 'Shop');
  await reader.send('PATCH', '/admin/keys/{id}', { id }, { name: 'Shop' });
  await reader.send('POST', '/admin/keys/{id}/rotate', { id }, {});
  await reader.send('PUT', '/admin/policy', {}, { preset: 'balanced' });
  for (const webhook of await reader.list('/admin/webhooks')) {
    await reader.send('PATCH', '/admin/webhooks/{id}', { id: webhook.id }, { description: 'on call' });
    const deliveries = await reader.list('/admin/webhooks/{id}/deliveries', { id: webhook.id });
    const { id: deliveryId } = deliveries.find(({ state }) => state === 'delivered' || state === 'dead') ?? {};
    if (deliveryId === undefined) continue;
    const ids = { id: webhook.id, deliveryId };
    await reader.send('POST', '/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver', ids);
  }
  const [threat] = await reader.list('/analytics/threats', {}, `?from=${from}&to=${to}&limit=1`);
  await reader.send('PATCH', '/analytics/threats/{id}', { id: threat.id }, { mark: 'confirmed' });
}

/** What the gateway still knows of the requests, by name: undefined where the release stored none of it. */
export async function repeatRequests(call: Call, stored: Stored) {
  const { key, repeated, responseId, itemId } = stored;
  const headers = { 'idempotency-key': repeated.name, 'x-end-user-id': 'ann' };
  const replay = await call('POST', '/chat/completions', repeated.body, { key, headers });
  const again = (body: object, name: string) =>
    call('POST', '/chat/completions', body, { key, headers: { 'idempotency-key': name } });
  const long = stored.isLongStored ? await again(LONG.body, LONG.name) : undefined;
  const refer = (body: object) => call('POST', '/responses', body, { key, headers: { 'x-end-user-id': 'ann' } });
  const next = { model: 'gpt-4o-mini', input: 'Go on', previous_response_id: responseId };
  const items = [{ type: 'item_reference', id: itemId }];
  return {
    replay: [replay.status, replay.headers.get('x-svc-idempotent-replay'), replay.text],
    long: long && [
      long.status,
      long.headers.get('x-svc-idempotent-replay'),
      long.json?.choices?.[0]?.message.content === LONG.body.messages[0]?.content,
    ],
    responseId: responseId === undefined ? undefined : await refer(next),
    itemId: itemId === undefined ? undefined : await refer({ model: 'claude-sonnet-4-5', input: items }),
    chat: await call('POST', '/chat/completions', { ...repeated.body, user: 'ann' }, { key }),
  };
}
