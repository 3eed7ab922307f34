import type { UpdateItemInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { type Limits, limitsOf, NO_NEED } from '../../control/limits/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { type HttpClient, HttpFailure, type HttpRequest } from '../../kernel/http/index.ts';
import { BACKGROUND_ONCE, createDynamoClient } from '../aws/clients.ts';
import { DynamoLimitStore } from './dynamo-limit-store.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const clock = { now: () => NOW, monotonic: () => 0 };
const access = { region: 'eu-central-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };

type Reply = { status: number; body: object } | HttpFailure;
const refusal = (type: string, status = 400): Reply => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}` },
});
const DONE: Reply = { status: 200, body: { Attributes: { fullAt: { N: String(NOW * 1000 + 1_000_000) } } } };
const failedCondition = (item: object | undefined): Reply => ({
  status: 400,
  body: { __type: 'x#ConditionalCheckFailedException', ...(item && { Item: item }) },
});

/** A store whose table sends these replies in turn and repeats the last one. */
function answering(...replies: (Reply | ((input: UpdateItemInput) => Reply))[]) {
  const sent: UpdateItemInput[] = [];
  const http: HttpClient = {
    async send({ body, onSent }: HttpRequest) {
      onSent?.();
      sent.push(JSON.parse(new TextDecoder().decode(body as Uint8Array)) as UpdateItemInput);
      const next = replies[Math.min(sent.length, replies.length) - 1] as (typeof replies)[number];
      const reply = typeof next === 'function' ? next(sent.at(-1) as UpdateItemInput) : next;
      if (reply instanceof HttpFailure) throw reply;
      const bytes = Buffer.from(JSON.stringify(reply.body));
      return {
        status: reply.status,
        headers: {},
        body: (async function* () {
          yield bytes;
        })(),
      };
    },
  };
  const client = createDynamoClient({ ...access, http });
  const settling = createDynamoClient({ ...access, http, retries: BACKGROUND_ONCE });
  return { store: new DynamoLimitStore({ client, settling }, 'limits', clock), sent };
}

/** The attribute by which a write recognises itself, as in its item. */
function markedBy({ UpdateExpression = '', ExpressionAttributeValues = {} }: UpdateItemInput) {
  const [, value = ''] = /#mark = (:\w+)/.exec(UpdateExpression) ?? [];
  return { mark: ExpressionAttributeValues[value] };
}

const plain = limitsOf({ rateLimit: { requests: 10, period: 'second' } });
const limited: Limits = limitsOf({
  rateLimit: { requests: 10, period: 'second' },
  tokenLimit: { tokens: 1_000, period: 'minute' },
  budget: { usd: 1, period: 'day' },
  maxConcurrent: 5,
});
const settlement = {
  release: new Map([[1, { open: 1, tokenPicos: 5n, nanoUsd: new Map() }]]),
  used: { tokenPicos: 2n, nanoUsd: new Map() },
};

/** Whether the table may have executed the write, and the result. */
const FAULTS: [string, Reply, { mayBeDone: boolean }][] = [
  ['its partition exceeds its throughput', refusal('ProvisionedThroughputExceededException'), { mayBeDone: false }],
  ['it throttles', refusal('ThrottlingException'), { mayBeDone: false }],
  ['the account exceeds its request limit', refusal('RequestLimitExceeded'), { mayBeDone: false }],
  ['a transaction conflicts', refusal('TransactionConflictException'), { mayBeDone: false }],
  ['it has an internal error', refusal('InternalServerError', 500), { mayBeDone: true }],
  ['it is not available', refusal('ServiceUnavailable', 503), { mayBeDone: true }],
  ['it does not respond in time', new HttpFailure('timeout', true), { mayBeDone: true }],
  ['it cuts the connection', new HttpFailure('reset', true), { mayBeDone: true }],
  ['it cannot be connected to', new HttpFailure('connect', false), { mayBeDone: false }],
];

describe.each(FAULTS)('while %s', (_, fault, { mayBeDone }) => {
  it('admission is retried as the same write', async () => {
    const { store, sent } = answering(fault, fault, DONE);
    expect((await store.take('key', plain, { needs: [NO_NEED] })).granted).toBe(1);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((input) => JSON.stringify(input))).size).toBe(1);
  });

  it('admission gives up after three attempts, and nothing is admitted', async () => {
    const { store, sent } = answering(fault);
    await expect(store.take('key', plain, { needs: [NO_NEED] })).rejects.toBeInstanceOf(StoreUnavailable);
    expect(sent).toHaveLength(3);
  });

  it(`a settlement is ${mayBeDone ? 'given up at once: executed twice, it would release too much' : 'retried'}`, async () => {
    const { store, sent } = answering(fault, DONE);
    const settled = store.settle('key', settlement);
    if (mayBeDone) await expect(settled).rejects.toBeInstanceOf(StoreUnavailable);
    else await expect(settled).resolves.toBeUndefined();
    expect(sent).toHaveLength(mayBeDone ? 1 : 2);
  });
});

describe('the writes', () => {
  it('of an admission are reported when they were sent, and not if none is made', async () => {
    const steps: string[] = [];
    const { store, sent } = answering(DONE);
    const take = async () => {
      const { granted } = await store.take('key', plain, { needs: [NO_NEED] }, () => steps.push(`sent ${sent.length}`));
      steps.push(`granted ${granted}`);
    };
    await take();
    // The rate is used up.
    await take();
    expect(steps).toEqual(['sent 0', 'granted 1', 'granted 0']);
  });

  it('are one for a known key, and at most two for an unknown one', async () => {
    const inUse = { fullAt: { N: String(NOW * 1000 + 300_000) } };
    const { store, sent } = answering(failedCondition(inUse), DONE);
    expect((await store.take('key', plain, { needs: [NO_NEED] })).granted).toBe(1);
    expect(sent).toHaveLength(2);
    expect((await store.take('key', plain, { needs: [NO_NEED] })).granted).toBe(0);
    // Known to be over its limit: refused without a call.
    expect(sent).toHaveLength(2);
  });

  it('of a key with every limit are two: one with a condition for all limits, and one that settles', async () => {
    const { store, sent } = answering(DONE);
    const { slot } = await store.take('key', limited, { needs: [{ tokens: 10, nanoUsd: 100 }] });
    await store.settle('key', {
      ...settlement,
      release: new Map([[slot, { open: 1, tokenPicos: 5n, nanoUsd: new Map() }]]),
    });
    expect(sent).toHaveLength(2);
    expect(sent[0]?.ConditionExpression?.match(/ AND /g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('contain nothing about limits that a key does not have', async () => {
    const { store, sent } = answering(DONE);
    await store.take('key', plain, { needs: [NO_NEED] });
    expect(Object.values(sent[0]?.ExpressionAttributeNames ?? {}).sort()).toEqual(['expiresAt', 'fullAt', 'mark', 'n']);
  });

  it('of an admission that was made, whose response was lost, are not made again', async () => {
    const { store, sent } = answering((input) => {
      const { mark } = markedBy(input);
      return failedCondition({ fullAt: { N: String(NOW * 1000 + 100_000) }, mark });
    });
    const { granted, ledger } = await store.take('key', plain, { needs: [NO_NEED] });
    expect([granted, ledger.fullAtMicros, sent.length]).toEqual([1, NOW * 1000 + 100_000, 1]);
  });

  it('end after repeated conflicts', async () => {
    const empty = failedCondition({ pk: { S: 'key' } });
    const { store, sent } = answering(empty);
    await expect(store.take('key', plain, { needs: [NO_NEED] })).rejects.toBeInstanceOf(StoreUnavailable);
    expect(sent.length).toBeLessThan(20);
  });
});
