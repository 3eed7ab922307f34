import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod';
import { adminRoutes, analyticsRoutes, signInRoutes } from '../../functions/admin-api/app.ts';
import { composeGateway } from '../../functions/gateway/compose.ts';
import { GATEWAY_SETTINGS } from '../../functions/gateway/env.ts';
import { GATEWAY_OPERATIONS } from '../../functions/gateway/operations/index.ts';
import { gatewayRoutes } from '../../functions/gateway/routes.ts';
import { Inspector } from '../../functions/inspection/inspector/index.ts';
import { ERRORS } from '../../functions/kernel/errors/index.ts';
import type { Route } from '../../functions/kernel/http/index.ts';
import { BackgroundTasks } from '../../functions/kernel/tasks/index.ts';
import { messagesErrorSchema } from '../../functions/translation/protocols/anthropic-messages/messages-schema.ts';
import { APIS } from '../../functions/translation/protocols/load-api.ts';
import { errorResponseSchema } from '../../functions/translation/protocols/openai-chat/chat-response-schema.ts';
import { LOCAL_TABLES } from '../../lib/local/create-resources.ts';
import { readLocalSettings } from '../../lib/settings/function-settings.ts';
import { openapiDocument, openapiText } from '../../scripts/openapi/document.ts';
import { errorComponents } from '../../scripts/openapi/errors.ts';
import { DOCUMENTED } from '../../scripts/openapi/operations.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
}
type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly { name: string; in: string }[] };

const root = new URL('../../', import.meta.url);
const document = openapiDocument() as unknown as {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly responses: Readonly<Record<string, { readonly description: string }>> };
};
/** What a response says, wherever it is. */
const textOf = ({ description, $ref = '' }: Operation['responses'][string]) =>
  description ?? document.components.responses[$ref.replace('#/components/responses/', '')]?.description ?? '';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
);

/** Whether a path is one of a pattern, such as `/v1/responses/compact` of `/v1/responses/{id}`. */
const isOf = (path: string, pattern: string) =>
  new RegExp(`^${pattern.replace(/\{\w+\}(?::\w+)?/g, '[^/]+')}$`).test(path);

/** Any dependency that a route may ask for while it is made: none is used before a request comes. */
const anything = new Proxy({}, { get: () => () => {} }) as never;
const named = (routes: readonly Route[]) => routes.map(({ method, path }) => `${method} ${path}`);

test('the committed document matches the schemas', () => {
  const committed = readFileSync(new URL('functions/gateway/openapi.generated.json', root), 'utf8');
  expect(committed === openapiText() ? 'fresh' : 'stale: npm run generate openapi').toBe('fresh');
});

test('each API is served on a route', () => {
  const served = Object.values(GATEWAY_OPERATIONS).flatMap((entry) => ('operation' in entry ? [entry.operation] : []));
  expect([...new Set<string>(served)].sort()).toEqual(Object.keys(APIS).sort());
});

/** Whether the last parameter of an operation's path takes the rest of another path. */
function takesRest(pattern: string, path: string): boolean {
  const [before = '', end = ''] = pattern.split(/\{\w+\}(?=[^{/]*$)/);
  const isSo = Object.values(GATEWAY_OPERATIONS).some((entry) => entry.path === pattern && 'takesRest' in entry);
  return isSo && path.startsWith(before) && path.endsWith(end) && path.length > before.length + end.length;
}

test('the document names exactly the routes that the code has', () => {
  const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  // Two APIs share the paths of models.
  expect(documented.sort()).toEqual(
    [
      ...new Set(named(gatewayRoutes(anything))),
      ...named(signInRoutes(anything)),
      ...named(adminRoutes(anything)),
      ...named(analyticsRoutes(anything)),
    ].sort(),
  );
});

afterEach(() => {
  jest.restoreAllMocks();
});

test('the gateway serves each of its documented paths with the documented methods', async () => {
  // Its request log.
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const app = composeGateway({
    tables: LOCAL_TABLES,
    settings: readLocalSettings(GATEWAY_SETTINGS, {}),
    records: { lingerMs: 0, pendingIndex: false },
    eventsQueueUrl: 'http://127.0.0.1:9/queue',
    pepper: async () => 'pepper',
    credentialsKey: async () => 'key',
    providerSettings: async () => ({}),
    baseUrls: {},
    onProviderFault: () => {},
    echo: true,
    alone: true,
    maxBodyBytes: 1000,
    inspector: new Inspector([]),
    backgroundTasks: new BackgroundTasks(),
    telemetry: { otlpHeaders: async () => '', lingerMs: 0, stage: 'test' },
  });
  for (const path of Object.keys(document.paths)) {
    if (/^\/v1\/(?:admin|analytics|approvals)(?:\/|$)/.test(path)) continue;
    const answer = await app(new Request(`http://gateway${path}`, { method: 'PROPFIND' }), { clientAddress: '' });
    // Two methods of one address may name its parts differently.
    const alike = operations.filter((other) => isOf(path, other.path) || takesRest(other.path, path));
    const documented = [...new Set(alike.map(({ method }) => method.toUpperCase()))].sort();
    expect([path, answer.status, answer.headers.allow?.split(', ').sort()]).toEqual([path, 405, documented]);
  }
});

test('every reference resolves, and every component is used', () => {
  const references = [...openapiText().matchAll(/#\/components\/([\w/-]+)/g)].map(([, place = '']) => place);
  const { components } = openapiDocument() as { components: Record<string, Record<string, unknown>> };
  const places = Object.entries(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
  expect([...new Set(references)].sort()).toEqual(places.sort());
});

test('operations have unique ids, security, path parameters and described responses', () => {
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { path, operation } of operations) {
    expect([path, Array.isArray(operation.security)]).toEqual([path, true]);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect((document.paths[path]?.parameters ?? []).map(({ name }) => name)).toEqual(inPath);
    for (const response of Object.values(operation.responses)) expect(textOf(response)).toBeTruthy();
  }
});

test('every error code is in the document, under its status', () => {
  for (const [code, { status }] of Object.entries(ERRORS)) {
    const statuses = operations.flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([at, response]) =>
        textOf(response).includes(`\`${code}\` (`) ? [at] : [],
      ),
    );
    // Any path may meet it, and the document says so once, at its top.
    if (code === 'method_not_allowed') expect(statuses).toEqual([]);
    else expect([code, ...new Set(statuses)]).toEqual([code, String(status)]);
  }
});

describe('the examples fit the schemas', () => {
  test.each(DOCUMENTED.map((operation) => [operation.id, operation] as const))('of %s', (_id, operation) => {
    const { body, response } = operation;
    const examples = Object.values(body?.examples ?? {});
    for (const { value } of examples) expect(faultsIn(value, body?.schema)).toEqual([]);
    if (response.example !== undefined) expect(faultsIn(response.example, response.body)).toEqual([]);
    for (const event of eventsOf(response.stream?.example)) expect(faultsIn(event, response.stream?.event)).toEqual([]);
  });

  test.each(Object.entries(errorComponents()))('of the error %s', (_name, response) => {
    const { schema, examples = {} } = (response as unknown as ErrorComponent).content['application/json'];
    const isAnthropic = schema.$ref.endsWith(z.globalRegistry.get(messagesErrorSchema)?.id ?? '-');
    for (const { value } of Object.values(examples)) {
      expect((isAnthropic ? messagesErrorSchema : errorResponseSchema).safeParse(value).error).toBeUndefined();
    }
  });
});

/** What is wrong in an example of `functions/contract` or `functions/gateway/operations`, each with its place. */
function faultsIn(example: unknown, schema: z.ZodType | readonly z.ZodType[] = []): string[] {
  const schemas = [schema].flat();
  const results = schemas.map((one) => one.safeParse(example));
  if (schemas.length === 0 || results.some(({ success }) => success)) return [];
  return results.flatMap(({ error }) =>
    (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} of the example: ${message}`),
  );
}

interface ErrorComponent {
  readonly content: {
    readonly 'application/json': {
      readonly schema: { readonly $ref: string };
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
    };
  };
}

/** The JSON of each event of a stream. */
function eventsOf(stream = ''): unknown[] {
  return [...stream.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json));
}
