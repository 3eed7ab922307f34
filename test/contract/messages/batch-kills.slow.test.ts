import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type MockUpstream, startMockUpstream } from '../../support/mock-upstream/start-mock-upstream.ts';
import { processesWith } from '../../support/processes-with.ts';
import { Contract } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';

const LINES = Number(process.env.SVC_TEST_BATCH_LINES ?? 10_000);
/** Of the results, when each process is killed. */
const KILLED_AT = [0.02, 0.35, 0.7];

/** It outlives the processes. */
let upstream: MockUpstream;
let dataDir = '';
let contract: Contract;
const start = async () => {
  contract = new Contract(
    (providers) => startLocalProcess(providers, { SVC_DATA_DIR: dataDir, ANTHROPIC_BASE_URL: upstream.url }),
    {},
  );
  await contract.start();
};
beforeAll(async () => {
  upstream = await startMockUpstream();
  dataDir = await mkdtemp(path.join(tmpdir(), 'svc-batch-'));
  await start();
});
afterAll(async () => {
  await contract.stop();
  await upstream.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const killAll = async () => {
  for (const pid of (await processesWith('SVC_DATA_DIR', dataDir)).values()) process.kill(pid, 'SIGKILL');
  await eventually(async () => (await processesWith('SVC_DATA_DIR', dataDir)).size === 0);
  await contract.stop();
};
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'a batch of as many requests as it may have loses and repeats none, although every process is killed again and again while its results are read',
  async () => {
    const { key, id: keyId } = await contract.createKey({
      permissions: ['chat_completions', 'batches'],
      policy: { rules: [{ id: 'poison', literals: ['oleander'], action: 'block' }] },
    });
    const requests = Array.from({ length: LINES }, (_, at) => ({
      custom_id: `line-${at}`,
      params: {
        model: 'claude-sonnet-4-5',
        max_tokens: 20,
        messages: [{ role: 'user', content: at % 100 === 7 ? `oleander ${at}` : `number ${at}` }],
      },
    }));
    const call = (part: string, body?: object) =>
      contract.fetch(`/messages/batches${part}`, body && JSON.stringify(body), { key });
    const startedAt = performance.now();
    const made = await call('', { requests });
    const { id } = (await made.json()) as { id: string };
    expect(made.status).toBe(200);
    console.info(`created in ${Math.round(performance.now() - startedAt)} ms`);
    expect((await call(`/${id}`)).status).toBe(200);

    /** Reads results until the share of them has come; all of them without one. */
    const read = async (share?: number) => {
      const results = new Map<
        string,
        { type: string; message?: { content: { text: string }[]; usage: { output_tokens: number } } }
      >();
      let rest = '';
      const response = await call(`/${id}/results`);
      expect(response.status).toBe(200);
      for await (const piece of response.body ?? []) {
        const lines = (rest + Buffer.from(piece).toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { custom_id, result } = JSON.parse(line);
          expect(results.has(custom_id)).toBe(false);
          results.set(custom_id, result);
        }
        if (share !== undefined && results.size >= share * LINES) break;
      }
      return results;
    };
    for (const share of KILLED_AT) {
      expect((await read(share)).size).toBeGreaterThanOrEqual(share * LINES);
      await killAll();
      await start();
    }
    const readingAt = performance.now();
    const results = await read();
    console.info(`read in ${Math.round(performance.now() - readingAt)} ms`);
    expect(results.size).toBe(LINES);
    for (let at = 0; at < LINES; at += 1) {
      const result = results.get(`line-${at}`);
      if (at % 100 === 7) expect(result?.type).toBe('errored');
      else expect(result?.message?.content[0]?.text).toBe(`number ${at}`);
    }
    expect(
      upstream.requests.filter(({ method, path: at }) => method === 'POST' && at.endsWith('/batches')),
    ).toHaveLength(1);
    // Each line once, the creation, and the readings: one that is killed may have no record.
    const used = [...results.values()].reduce((sum, { message }) => sum + (message?.usage.output_tokens ?? 0), 0);
    const summary = await contract.settled(
      () => contract.analytics(`/summary?keyId=${keyId}`),
      ({ json }) => json.requests >= LINES + 2,
    );
    expect(summary.json.requests).toBeLessThanOrEqual(LINES + 2 + KILLED_AT.length);
    expect(summary.json.tokens.output).toBe(used);
  },
  600_000,
);
