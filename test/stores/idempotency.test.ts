import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoIdempotencyStore } from '../../functions/adapters/dynamo/dynamo-idempotency-store.ts';
import type { NamedRequest } from '../../functions/control/idempotency/idempotent-responses.ts';
import { IdempotentResponses, type StoredResponse, type Turn } from '../../functions/control/idempotency/index.ts';
import { mintApiKey } from '../../functions/control/keys/index.ts';
import { ResponseSealer, type SealerFor } from '../../functions/kernel/crypto/index.ts';
import { neverPausing } from '../../functions/kernel/tasks/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { repeatingPuts } from '../support/repeated-puts.ts';
import { availableEngines } from './engines.ts';

const DAY_MS = 86_400_000;
const LONGEST_RUN_MS = 900_000;
const secret = mintApiKey();
const sealerWith =
  (presented: string): SealerFor =>
  (name, salt) =>
    new ResponseSealer(presented, name, salt);
const sealerFor = sealerWith(secret);

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let client: DynamoClient;
  let url = '';
  let stop = async () => {};
  const clock = { now: () => clock.time, monotonic: () => clock.time, time: Date.parse('2026-06-01T00:00:00.500Z') };
  let number = 0;
  let request: NamedRequest;
  beforeAll(async () => {
    ({ url, stop } = await engine.start());
    client = createDynamoClient(embeddedAccess(url));
  });
  afterAll(async () => {
    await stop();
  });
  beforeEach(() => {
    number += 1;
    const idempotencyKey = `order ${number}`;
    const content = { body: '{"input":"x"}', around: '["POST","/v1/guard"]' };
    request = {
      keyId: 'key_1',
      route: '/v1/guard',
      sealerFor,
      idempotencyKey,
      ...content,
      endUserId: null,
      rules: '{}',
    };
  });

  /** A separate function. */
  const answers = (dynamo = client) =>
    new IdempotentResponses(new DynamoIdempotencyStore(dynamo, 'idempotency'), clock, neverPausing(), LONGEST_RUN_MS);
  const begin = (fields: Partial<NamedRequest> = {}) => answers().begin({ ...request, ...fields });
  const turn = async (fields: Partial<NamedRequest> = {}) => {
    const begun = await begin(fields);
    if ('body' in begun) throw new Error('it was answered already');
    return begun;
  };
  const answer = (body: string): StoredResponse => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body,
  });
  const outcomeOf = (running: Promise<Turn | StoredResponse>) =>
    running.then(
      (begun) => ('body' in begun ? begun.body : 'its turn'),
      (error) => [error.status, error.code, error.headers],
    );
  const RUNNING = [409, 'idempotency_conflict', { 'retry-after': '1' }];
  const OTHER_BODY = [409, 'idempotency_conflict', { 'x-should-retry': 'false' }];

  it('of many concurrent requests exactly one runs, in any function, and the others must wait', async () => {
    const functions = Array.from({ length: 6 }, () => answers());
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (__, at) => outcomeOf((functions[at % 6] as IdempotentResponses).begin(request))),
    );
    expect(outcomes.filter((outcome) => outcome === 'its turn')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome !== 'its turn')).toEqual(new Array(59).fill(RUNNING));
  });

  it('a repeated request gets the stored response for a day, and then runs again', async () => {
    await (await turn()).keep(answer('first'));
    for (const wait of [0, 1000, DAY_MS - 2000]) {
      clock.time += wait;
      expect(await begin()).toEqual(answer('first'));
    }
    clock.time += 2000;
    await (await turn()).keep(answer('second'));
    expect(await outcomeOf(begin())).toBe('second');
  });

  it('another body is refused, while the first runs and after', async () => {
    const first = await turn();
    expect(await outcomeOf(begin({ body: '{"input":"y"}' }))).toEqual(OTHER_BODY);
    await first.keep(answer('first'));
    expect(await outcomeOf(begin({ body: '{"input":"y"}' }))).toEqual(OTHER_BODY);
    // Another secret of the same key cannot reveal the body.
    expect(await outcomeOf(begin({ sealerFor: sealerWith(mintApiKey()) }))).toEqual(OTHER_BODY);
  });

  it('another request around the same body is refused, while the first runs and after', async () => {
    const first = await turn();
    const around = '["POST","/v1/guard","?beta=true"]';
    expect(await outcomeOf(begin({ around }))).toEqual(OTHER_BODY);
    await first.keep(answer('first'));
    expect(await outcomeOf(begin({ around }))).toEqual(OTHER_BODY);
  });

  it('an entry of an earlier version, which knew only the body, is replayed', async () => {
    await (await turn()).keep(answer('first'));
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'idempotency' }));
    for (const { aroundTag: _, ...item } of Items) {
      await client.send(new PutCommand({ TableName: 'idempotency', Item: item }));
    }
    expect(await begin({ around: 'any' })).toEqual(answer('first'));
  });

  it('names of different keys and routes do not collide', async () => {
    await (await turn()).keep(answer('first'));
    expect(await outcomeOf(begin({ keyId: 'key_2' }))).toBe('its turn');
    expect(await outcomeOf(begin({ route: '/v1/chat/completions' }))).toBe('its turn');
    expect(await outcomeOf(begin({ idempotencyKey: 'order' }))).toBe('its turn');
  });

  it('a released name runs again', async () => {
    await (await turn()).release();
    expect(await outcomeOf(begin())).toBe('its turn');
  });

  it('a killed function holds the name for its maximum run time, and cannot write later', async () => {
    const gone = await turn();
    clock.time += LONGEST_RUN_MS - 1;
    expect(await outcomeOf(begin())).toEqual(RUNNING);
    clock.time += 1;
    const next = await turn();
    await gone.keep(answer('late'));
    await gone.release();
    expect(await outcomeOf(begin())).toEqual(RUNNING);
    await next.keep(answer('next'));
    await gone.keep(answer('later still'));
    expect(await outcomeOf(begin())).toBe('next');
  });

  it.each([5_000, -5_000])("is run by one function only, if the other's clock is %d ms ahead", async (skewMs) => {
    const ahead = { ...clock, now: () => clock.time + skewMs };
    const other = new IdempotentResponses(
      new DynamoIdempotencyStore(client, 'idempotency'),
      ahead,
      neverPausing(),
      LONGEST_RUN_MS,
    );
    const running = await turn();
    // No exchange runs for longer: functions/gateway/compose.ts.
    clock.time += 14.5 * 60_000;
    expect(await outcomeOf(other.begin(request))).toEqual(RUNNING);
    await running.keep(answer('first'));
    expect(await outcomeOf(other.begin(request))).toBe('first');
    clock.time += DAY_MS - 14.5 * 60_000 - 6_000;
    expect(await outcomeOf(other.begin(request))).toBe('first');
  });

  it.each([0, 1, 379_000, 380_001, 1_500_000])('an answer of %d characters comes back whole', async (length) => {
    const text = 'a€😀'
      .repeat(length / 3 + 1)
      .slice(0, length)
      .toWellFormed();
    await (await turn()).keep(answer(text));
    expect(await begin()).toEqual(answer(text));
  });

  it('a response above 4 MiB is not stored: a repeated request runs again', async () => {
    await (await turn()).keep(answer('x'.repeat(4 * 1024 * 1024)));
    expect(await outcomeOf(begin())).toBe('its turn');
  });

  it('a claim that is written again after a lost response is one claim', async () => {
    const repeating = createDynamoClient({ ...embeddedAccess(url), http: repeatingPuts() });
    expect(await outcomeOf(answers(repeating).begin(request))).toBe('its turn');
    expect(await outcomeOf(begin())).toEqual(RUNNING);
  });

  it('stores no readable bodies, responses, names or keys', async () => {
    const words = { body: '{"input":"heliotrope"}', idempotencyKey: 'marmalade' };
    await (await turn(words)).keep(answer('pistachio'.repeat(60_000)));
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'idempotency' }));
    const bytes = Items.map((item) =>
      Object.values(item)
        .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
        .join(' '),
    ).join(' ');
    expect(Items.length).toBeGreaterThan(1);
    for (const word of ['heliotrope', 'marmalade', 'pistachio', secret]) expect(bytes).not.toContain(word);
  });
});
