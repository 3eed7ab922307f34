import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EmbeddedStores, startEmbeddedStores } from '../../../lib/local/embedded-stores.ts';
import { eventually } from '../../support/eventually.ts';
import { type MockUpstream, startMockUpstream } from '../../support/mock-upstream/start-mock-upstream.ts';
import { startLocalProcess } from '../local-process.ts';
import type { ProviderSettings, Service } from '../service.ts';

/** As several containers over the same stores (docs/container.md). */
const SECRETS = { SVC_PEPPER: 'p'.repeat(64), SVC_SEALING_KEY: 's'.repeat(64), SVC_CREDENTIALS_KEY: 'c'.repeat(64) };
/** A provider that cannot be reached: no server listens there. */
const LAB = { SVC_PROVIDERS: 'lab', LAB_BASE_URL: 'http://127.0.0.1:9/v1' };
const REQUESTS = 40;
const LIMIT = 50;

let stores: EmbeddedStores;
let services: Service[] = [];
let upstream: MockUpstream;
beforeAll(async () => {
  stores = await startEmbeddedStores();
  upstream = await startMockUpstream();
  const routes = [
    {
      models: 'safe',
      targets: [{ provider: 'lab', model: 'llama' }],
      fallbacks: [{ provider: 'echo', model: 'echo' }],
      attempts: 1,
    },
  ];
  const at = {
    AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodbUrl,
    AWS_ENDPOINT_URL_SQS: stores.sqsUrl,
    SVC_ROUTES: JSON.stringify(routes),
    ...LAB,
    OPENAI_BASE_URL: `${upstream.url}/v1`,
  };
  const start = (settings: object) => startLocalProcess({} as ProviderSettings, { ...at, ...settings });
  services = [
    await start(SECRETS),
    await start(SECRETS),
    await start({ ...SECRETS, SVC_PEPPER: 'q'.repeat(64), SVC_RELAY_EVENTS: 'false' }),
  ];
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await stores.stop();
  await upstream.close();
});

async function call(service: Service | undefined, path: string, key: string, body?: object) {
  const response = await fetch(`${service?.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as { key: string; requests: number } };
}

test('keep the limits of a key together, and count each request once', async () => {
  const [one, two, other] = services;
  const adminKey = one?.adminKey ?? '';
  const rateLimit = { requests: LIMIT, period: 'day' };
  const { key } = (await call(one, '/admin/keys', adminKey, { name: 'shared', rateLimit, maxConcurrent: null })).json;
  const ask = (service: Service | undefined) =>
    call(service, '/chat/completions', key, { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] });
  const replies = await Promise.all(Array.from({ length: 2 * REQUESTS }, (_, at) => ask(at % 2 === 0 ? one : two)));
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2 * REQUESTS - LIMIT);

  const counted = async () => [
    (await call(one, '/analytics/summary', adminKey)).json.requests,
    (await call(two, '/analytics/summary', adminKey)).json.requests,
  ];
  const wanted = [2 * REQUESTS, 2 * REQUESTS];
  await eventually(counted, (counts) => String(counts) === String(wanted));
  // Both counters have looked once more.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await counted()).toEqual(wanted);

  // Keys are unknown to a process with another pepper.
  expect((await ask(other)).status).toBe(401);
});

test('share the open circuits of providers', async () => {
  const [one, two] = services;
  const ask = (service: Service | undefined, model: string) =>
    call(service, '/chat/completions', service?.adminKey ?? '', {
      model,
      messages: [{ role: 'user', content: 'Hello' }],
    });
  const circuits = async () => {
    // A circuit is open for 15 s; a failed trial opens it again.
    for (let at = 0; at < 5; at += 1) expect((await ask(one, 'safe')).status).toBe(200);
    expect((await ask(two, 'echo')).status).toBe(200);
    const { status, json } = await call(two, '/admin/providers', two?.adminKey ?? '');
    // On a busy machine a store may respond too late.
    if (status === 503) return [];
    const { data } = json as unknown as { data: { name: string; circuit: { model: string; state: string }[] }[] };
    return data.find(({ name }) => name === 'lab')?.circuit ?? [];
  };
  // The second process has not called the provider.
  const open = await eventually(circuits, (all) => all.some(({ state }) => state === 'open'));
  expect(open).toMatchObject([{ model: 'llama', state: 'open' }]);
});

test('use a credential within ten seconds after one of them has stored it', async () => {
  const [one, two] = services;
  const adminKey = one?.adminKey ?? '';
  const value = 'stored-value-of-openai';
  const body = { name: 'Shared', provider: 'openai', value, skipTest: true };
  expect((await call(one, '/admin/credentials', adminKey, body)).status).toBe(201);
  const ask = (service: Service | undefined) => async () => {
    await call(service, '/chat/completions', adminKey, {
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    return upstream.requests.at(-1)?.headers.authorization;
  };
  for (const service of [one, two]) await eventually(ask(service), (sent) => sent === `Bearer ${value}`);
});

test('relay events unless the setting says not to', async () => {
  const processesOf = async (service: Service | undefined) => {
    const response = await fetch(new URL('/readyz', service?.baseUrl));
    return Object.keys(((await response.json()) as { processes: object }).processes).sort();
  };
  const [one, , other] = services;
  expect(await processesOf(one)).toEqual(['svc-streams', 'svc-webhooks']);
  expect(await processesOf(other)).toEqual(['svc-streams']);
});
