import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoIdempotencyStore } from '../../functions/adapters/dynamo/dynamo-idempotency-store.ts';
import { DynamoItemStore } from '../../functions/adapters/dynamo/dynamo-item-store.ts';
import { mintApiKey } from '../../functions/control/keys/index.ts';
import { StoredItems } from '../../functions/control/stored-items/index.ts';
import { ResponseSealer } from '../../functions/kernel/crypto/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { startCountingProxy } from '../support/counting-proxy.ts';
import { availableEngines } from './engines.ts';

const MONTH_MS = 30 * 86_400_000;
const secret = mintApiKey();
const scheduler = { cpuMs: () => 0, monotonic: () => 0, nextTurn: async () => {} };
const OWNER = {
  keyId: 'key_1',
  sealerFor: (name: string, salt?: Uint8Array) => new ResponseSealer(secret, name, salt),
};

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let client: DynamoClient;
  let stop = async () => {};
  let proxy: Awaited<ReturnType<typeof startCountingProxy>>;
  const clock = { now: () => clock.time, monotonic: () => clock.time, time: Date.parse('2026-06-01T00:00:00.500Z') };
  let items: StoredItems;
  let number = 0;
  beforeAll(async () => {
    const engineUrl = await engine.start();
    ({ stop } = engineUrl);
    proxy = await startCountingProxy(engineUrl.url);
    client = createDynamoClient(embeddedAccess(proxy.url));
    items = new StoredItems(new DynamoItemStore(client, 'idempotency'), clock, scheduler);
  });
  afterAll(async () => {
    proxy?.stop();
    await stop();
  });

  /** @returns the id of a new response */
  const keep = async (text: string, endUserId: string | null = null): Promise<string> => {
    number += 1;
    await items.keep(OWNER, { id: `response ${number}`, items: [{ id: `msg_${number}`, text }], endUserId });
    return `response ${number}`;
  };
  const find = async (...ids: string[]) => {
    const found = await items.find(OWNER, new Set(ids), 6 * 1024 * 1024);
    return [...found.values()].map(({ text }) => text);
  };

  it.each([0, 379_000, 380_001, 4_000_000])('a text of %d bytes comes back whole', async (length) => {
    const text = '€😀a'.repeat(length / 8 + 1);
    expect(await find(await keep(text))).toEqual([text]);
  });

  it('is ignored after 30 days, even if it is still in the table', async () => {
    const id = await keep('Well');
    clock.time += MONTH_MS - 2_000;
    expect(await find(id)).toEqual(['Well']);
    clock.time += 2_000;
    expect(await find(id)).toEqual([]);
  });

  it('many are read in one call for a hundred, and unknown ones are left out', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 101; at += 1) ids.push(await keep(`text ${at}`));
    proxy.take();
    expect((await find(...ids, 'response x')).sort()).toEqual(ids.map((__, at) => `text ${at}`).sort());
    expect(proxy.take()).toEqual({ 'BatchGetItem idempotency': 2 });
  });

  it("goes with the other data of its end user, all parts of it, and no other's does", async () => {
    const before = await namesInTable();
    const own = await keep('Mine', 'ann');
    const large = await keep('x'.repeat(900_000), 'ann');
    const other = await keep('Yours', 'bob');
    const store = new DynamoIdempotencyStore(client, 'idempotency');
    expect(await store.deleteEndUser('ann')).toEqual({ answers: 2 });
    expect(await find(own, large, other)).toEqual(['Yours']);
    expect(await namesInTable()).toHaveLength(before.length + 1);
  });

  it('is unknown while its parts are being deleted', async () => {
    const before = new Set(await namesInTable());
    const id = await keep('y'.repeat(900_000));
    const part = (await namesInTable()).find((name) => !before.has(name) && name.endsWith('#1'));
    await client.send(new DeleteCommand({ TableName: 'idempotency', Key: { pk: part } }));
    expect(await find(id)).toEqual([]);
  });

  async function namesInTable(): Promise<string[]> {
    const names: string[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await client.send(new ScanCommand({ TableName: 'idempotency', ExclusiveStartKey: start }));
      names.push(...(page.Items ?? []).map(({ pk }) => pk as string));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return names;
  }
});
