import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mintApiKey } from '../../functions/control/keys/index.ts';
import { contractSuite } from '../contract/contract-suite.ts';
import { PROVIDER_TIMEOUT_MS, type ProviderSettings, type Service } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import { startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { buildImage, type Container, type Image, whyNotHere } from './image.ts';

const reason = whyNotHere();
const SVC_ADMIN_KEY = mintApiKey();

let image: Image;
beforeAll(async () => {
  if (reason === undefined) image = await buildImage();
});
afterAll(() => image?.remove());

(reason === undefined ? describe : describe.skip)(`the image (${reason ?? 'without Docker'})`, () => {
  let upstream: Awaited<ReturnType<typeof startMockUpstream>>;
  let container: Container;
  beforeAll(async () => {
    upstream = await startMockUpstream({ record: false });
  });
  afterAll(() => upstream?.close());
  afterEach(() => container?.stop());

  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    const provider = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${upstream.url}/v1` };
    container = await image.start({ SVC_ADMIN_KEY, ...provider, ...settings });
    return container;
  };
  const ask = (body: object) =>
    fetch(`${container.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SVC_ADMIN_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello' }], ...body }),
    });

  test('serves requests as another user, with a read-only root, and writes to its volume only', async () => {
    const { url, dataDir, health, process: child } = await start();
    expect(health()).toBe(0);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const response = await ask({});
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
    expect((await fetch(url)).headers.get('content-type')).toBe('text/html; charset=utf-8');
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    expect(/^Uid:\s+(\d+)\s+(\d+)/m.exec(status)?.slice(1)).toEqual(['1000', '1000']);
    // What a process of this machine's root can see of the container's mounts.
    const mounts = readFileSync(`/proc/${child.pid}/mounts`, 'utf8');
    expect(/^\S+ \/ \S+ (\w+)/m.exec(mounts)?.[1]).toBe('ro');
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['dynamodb', 'pepper', 'sealing-key', 'sqs']));
    for (const name of readdirSync(dataDir)) expect(statSync(path.join(dataDir, name)).uid).toBe(1000);
  });

  test('serves metrics on their own port only, without keys or texts', async () => {
    const { url, metricsUrl } = await start({ SVC_METRICS_PORT: '0' });
    await ask({ messages: [{ role: 'user', content: 'A secret word: xylophone' }] });
    await ask({ model: 'no-such-model-xylophone' });
    await fetch(`${url}/v1/xylophone`);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    const text = await (await fetch(metricsUrl ?? '')).text();
    expect(text).toContain('svc_requests_total{route="/v1/chat/completions",status="2xx"} 1');
    expect(text).toContain('svc_requests_total{route="none",status="4xx"}');
    expect(text).not.toMatch(/xylophone|key_|svc_sk/);
  });

  test('finishes a running stream after SIGTERM, and accepts no new request', async () => {
    const { url } = await start();
    const pieces = Array.from({ length: 20 }, (_, at) => `word${at} `);
    upstream.next({ pieces, delayMs: 100 });
    const response = await ask({ model: 'openai/gpt-4o-mini', stream: true });
    const text = response.text();
    const stopped = container.stop();
    await eventually(() =>
      fetch(`${url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    expect(await text).toMatch(/word19[\s\S]*data: \[DONE\]\n\n$/);
    expect(await stopped).toBe(0);
  });

  test('cancels a stream that takes longer than SVC_DRAIN_SECONDS, with an error event', async () => {
    await start({ SVC_DRAIN_SECONDS: '1' });
    const pieces = Array.from({ length: 200 }, (_, at) => `word${at} `);
    upstream.next({ pieces, delayMs: 100 });
    const response = await ask({ model: 'openai/gpt-4o-mini', stream: true });
    const text = response.text();
    const stopped = container.stop();
    expect(await text).toContain('"error"');
    expect(await text).not.toContain('word199');
    expect(await stopped).toBe(0);
  });
});

async function startService(providers: ProviderSettings): Promise<Service> {
  const settings = { SVC_PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS), SVC_WEBHOOK_ALLOW_LOOPBACK: 'true' };
  const { url, process: child, logs, stop } = await image.start({ SVC_ADMIN_KEY, ...settings, ...providers });
  const baseUrl = `${url}/v1`;
  return {
    baseUrl,
    adminUrl: baseUrl,
    adminKey: SVC_ADMIN_KEY,
    pid: child.pid,
    logs,
    stop: async () => void (await stop()),
  };
}

if (reason === undefined) contractSuite('the container', startService, { parts: ['requests'] });
