import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import type { Reply } from '../reply.ts';

const HELLO = saying('Hello', 'echo');

/** The local service prints ids and types of events as it receives them from the queue. */
interface Told {
  readonly id: string;
  readonly type: string;
}

let dataDir = '';
let contract: Contract;
const start = async () => {
  contract = new Contract((providers) => startLocalProcess(providers, { SVC_DATA_DIR: dataDir }), {});
  await contract.start();
};
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'svc-events-'));
  await start();
});
afterAll(async () => {
  await contract.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function told(): Told[] {
  const lines = contract.service.logs().split('\n');
  const events = lines.filter((line) => line.includes('"message":"event"'));
  return events.map((line) => JSON.parse(line) as Told);
}

const eventIdOf = ({ headers }: Reply) => headers.get('x-request-id')?.replace('req_', 'evt_');
const count = (type: string) => told().filter((event) => event.type === type).length;

/** The types of the events so far, once there are such of each of these types. */
async function untilTold(...types: string[]): Promise<string[]> {
  await eventually(() => types.every((type) => count(type) > 0));
  return told().map(({ type }) => type);
}

describe('events', () => {
  test('report an exceeded rate limit, once for repeated refusals', async () => {
    const key = await contract.newKey({ rateLimit: { requests: 1, period: 'month' } });
    await contract.chat(HELLO, { key });
    const refused = await contract.chat(HELLO, { key });
    for (let at = 0; at < 5; at += 1) expect((await contract.chat(HELLO, { key })).status).toBe(429);
    expect(await untilTold('rate_limit.exceeded')).toContain('rate_limit.exceeded');
    expect(told().find(({ type }) => type === 'rate_limit.exceeded')?.id).toBe(eventIdOf(refused));
    const other = await contract.newKey({ rateLimit: { requests: 1, period: 'month' } });
    for (let at = 0; at < 3; at += 1) await contract.chat(HELLO, { key: other });
    await eventually(() => count('rate_limit.exceeded') >= 2);
    expect(count('rate_limit.exceeded')).toBe(2);
  });

  test('report a used-up budget', async () => {
    const key = await contract.newKey({ budget: { usd: 0.0001, period: 'month' } });
    const ask = async () => {
      contract.upstream.next({ text: 'Fine.', usage: { prompt_tokens: 600, completion_tokens: 10 } });
      return contract.chat({ ...saying('Hi'), max_tokens: 100 }, { key });
    };
    expect((await ask()).status).toBe(200);
    // Settled in a background task.
    await eventually(async () => (await ask()).status === 429);
    for (let at = 0; at < 3; at += 1) expect((await ask()).status).toBe(429);
    contract.upstream.reset();
    expect(await untilTold('budget.exceeded')).toContain('budget.exceeded');
    expect(count('budget.exceeded')).toBe(1);
  });

  test('report findings and blocks, and no passed requests', async () => {
    const key = await contract.newKey();
    const passed = await contract.chat(HELLO, { key });
    const flagged = await contract.chat(saying('SVC-TEST-FLAG-7f3a', 'echo'), { key });
    const blocked = await contract.chat(saying('SVC-TEST-BLOCK-7f3a', 'echo'), { key });
    await untilTold('threat.detected', 'request.blocked');
    expect(told()).toContainEqual(expect.objectContaining({ id: eventIdOf(flagged), type: 'threat.detected' }));
    expect(told()).toContainEqual(expect.objectContaining({ id: eventIdOf(blocked), type: 'request.blocked' }));
    expect(told().map(({ id }) => id)).not.toContain(eventIdOf(passed));
  });

  test('report changes of keys, and, at the start of the service, keys that expire soon', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const { id } = await contract.createKey({ expiresAt: inDays(3) });
    await contract.createKey({ expiresAt: inDays(30) });
    await contract.admin('PATCH', `/keys/${id}`, { name: 'renamed' });
    await contract.admin('POST', `/keys/${id}/rotate`);
    const { id: gone } = await contract.createKey({ expiresAt: inDays(3) });
    await contract.admin('DELETE', `/keys/${gone}`);
    const types = ['key.created', 'key.updated', 'key.rotated', 'key.revoked'];
    expect(await untilTold(...types)).toEqual(expect.arrayContaining(types));
    expect(count('key.expiring')).toBe(0);

    await contract.stop();
    await start();
    await untilTold('key.expiring');
    expect(count('key.expiring')).toBe(1);
    await contract.stop();
    await start();
    await contract.createKey();
    await untilTold('key.created');
    expect(count('key.expiring')).toBe(0);
  });
});
