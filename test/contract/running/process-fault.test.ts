import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { createFaultHook } from '../../support/fault-hook.ts';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { readUntil } from '../stream-reply.ts';

/** A stream that runs for minutes if nothing ends it. */
const LONG = { text: 'word '.repeat(10_000), delayMs: 20 };
const LIMITS = { maxConcurrent: 5, budget: { usd: 3, period: 'day' } };

const hook = createFaultHook();
let dataDir = '';
let contract: Contract;
const start = async (settings: Readonly<Record<string, string>>) => {
  contract = new Contract((providers) => startLocalProcess(providers, { SVC_DATA_DIR: dataDir, ...settings }), {});
  await contract.start();
};
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'svc-fault-'));
  await start(hook.env);
});
afterAll(async () => {
  await contract.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'a fault outside of any request ends the process with code 1 after running requests got an error, were settled and recorded',
  async () => {
    const { key, id: keyId } = await contract.createKey(LIMITS);
    for (let at = 0; at < 2; at += 1) contract.upstream.next(LONG);
    const streams = [
      ['/chat/completions', { ...saying('Hi'), stream: true }],
      ['/messages', { ...saying('Hi', 'claude-sonnet-4-5'), max_tokens: 50, stream: true }],
    ] as const;
    const responses = await Promise.all(
      streams.map(([route, body]) => contract.fetch(route, JSON.stringify(body), { key })),
    );
    contract.upstream.next({ failure: 'stall-before-head' });
    const whole = contract.chat(saying('Hi'), { key });
    let begun = 0;
    const both = Promise.withResolvers<void>();
    const onBegin = () => {
      begun += 1;
      if (begun === streams.length) both.resolve();
    };
    const reading = responses.map((response) => readUntil(response, /word/, onBegin));
    await both.promise;
    await eventually(() => contract.upstream.requests.length >= 3);

    const { service } = contract;
    await hook.raise();
    for (const { text } of await Promise.all(reading)) expect(text).toMatch(/"error":\{[\s\S]*cancelled/);
    const failed = await whole;
    expect([failed.status >= 400, failed.json.error.code]).toEqual([true, 'request_cancelled']);
    await eventually(() => service.exitCode?.() !== null);
    expect(service.exitCode?.()).toBe(1);

    // What the process printed last may be read after its end.
    const lines = () => service.logs().split('\n');
    const logged = () => lines().filter((line) => /^\{.*"message":"process failed".*\}$/.test(line));
    await eventually(() => logged().length > 0);
    expect(logged().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'ERROR', error: 'TypeError', stack: expect.any(Array) }),
    ]);
    expect(service.logs()).not.toContain('planted prompt');

    await contract.stop();
    await start({});
    const { data } = (await contract.analytics(`/requests?keyId=${keyId}`)).json;
    const ids = [...responses, failed].map(({ headers }) => headers.get('x-request-id'));
    expect(data.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort());
    expect((await contract.admin('GET', `/keys/${keyId}/usage`)).json.concurrent).toMatchObject({ remaining: 5 });
  },
);
