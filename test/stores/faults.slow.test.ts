import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BACKGROUND_RETRIES, createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { T0 } from '../../functions/control/analytics/record.fixture.ts';
import { NO_NEED, reservedFor, windowOf } from '../../functions/control/limits/index.ts';
import { settlementOf } from '../../functions/control/limits/limit-store.ts';
import { withTurn } from '../../functions/control/sessions/index.ts';
import { StoreUnavailable } from '../../functions/kernel/errors/index.ts';
import type { RequestRecord } from '../../functions/kernel/model/index.ts';
import { type Fault, startFaultyStore } from '../support/faulty-store.ts';
import { availableEngines } from './engines.ts';
import { ADMINISTRATION_CASES } from './fault-cases-of-administration.ts';
import { REQUEST_CASES } from './fault-cases-of-requests.ts';
import { type Case, clock, freshName, limits, recordsOf, sessions, storedOf, writeAll } from './store-calls.ts';

const CASES = [...ADMINISTRATION_CASES, ...REQUEST_CASES];
const refused = (type: string, status = 400): Fault => ({ kind: 'refused', type, status });
const TRANSIENT: readonly [string, Fault][] = [
  ['a partition is written to too often', refused('ProvisionedThroughputExceededException')],
  ['DynamoDB has a fault of its own', refused('InternalServerError', 500)],
  ['DynamoDB is not available', refused('ServiceUnavailable', 503)],
  ['a call is done and reported as failed', { kind: 'done, but reported as failed' }],
  ['the connection is cut before a call is done', { kind: 'cut off before it is done' }],
  ['the connection is cut when a call is done', { kind: 'cut off when it is done' }],
  ['the table throttles', refused('ThrottlingException')],
  ['the account asks for too much', refused('RequestLimitExceeded')],
  // We use no transactions, so only another client's could conflict.
  ['a transaction is in the way', refused('TransactionConflictException')],
];
/** A second each, so that a few must do for all: a read, and writes of every form. */
const WAITED_FOR = CASES.filter(({ name }) =>
  [
    'a key is looked up',
    'ids are bound to a key',
    'a request is admitted',
    'many records are written together',
  ].includes(name),
).map((each) => [each.name, each] as const);

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let url = '';
  let stop = async () => {};
  let store: Awaited<ReturnType<typeof startFaultyStore>>;
  let sdk: DynamoClient;
  beforeAll(async () => {
    ({ url, stop } = await engine.start());
  });
  afterAll(() => stop());
  beforeEach(async () => {
    // One for each test: what is still being tried again when a test ends must not meet the next one's faults.
    store = await startFaultyStore(url);
    process.env.AWS_ENDPOINT_URL_DYNAMODB = store.url;
    // As the functions have it, deadlines and attempts too.
    sdk = createDynamoClient();
  });
  afterEach(() => {
    store.stop();
  });

  /** The case's result or written data if its first call fails so many times. */
  async function resultOf({ prepare, work, after }: Case, fault: Fault, times: number): Promise<unknown> {
    const prepared = (await prepare?.(sdk)) as never;
    store.fail(fault, times);
    try {
      const told = (await work(sdk, prepared)) as never;
      store.mend();
      return after === undefined ? told : await after(sdk, prepared, told);
    } finally {
      store.mend();
    }
  }

  async function expectUnavailable({ prepare, work, attempts }: Case, fault: Fault): Promise<void> {
    const prepared = (await prepare?.(sdk)) as never;
    store.take();
    store.fail(fault, Infinity);
    await expect(work(sdk, prepared)).rejects.toBeInstanceOf(StoreUnavailable);
    // For each call, and a case makes at most 32 at the same time.
    expect(store.take()).toBeLessThanOrEqual(attempts * 32);
  }

  describe.each(CASES.map((each) => [each.name, each] as const))('%s', (__, each) => {
    it.each(TRANSIENT)('once and completely, while %s', async (___, fault) => {
      expect(await resultOf(each, fault, 1)).toEqual(each.expected);
    });

    it('once and completely, if batches are done in part', async () => {
      expect(await resultOf(each, { kind: 'batches done in part' }, Infinity)).toEqual(each.expected);
    });

    it('or fails as unavailable after a few attempts, if no call succeeds', async () => {
      await expectUnavailable(each, refused('InternalServerError', 500));
    });

    it('or fails as unavailable after a few attempts, if the table keeps throttling', async () => {
      await expectUnavailable(each, refused('ProvisionedThroughputExceededException'));
    });
  });

  it.each(WAITED_FOR)('%s once and completely, if the first call gets no response', async (__, each) => {
    expect(await resultOf(each, { kind: 'never answered' }, 1)).toEqual(each.expected);
  });

  it.each(['cut off when it is done', 'done, but reported as failed'] as const)(
    'a request is admitted once, even if the write is %s and repeated',
    async (kind) => {
      const keyId = freshName();
      const bucket = { capacity: 2, intervalMicros: 3_600_000_000 };
      const limited = { requests: bucket, tokens: undefined, budget: undefined, maxConcurrent: 2 };
      store.fail({ kind }, 1);
      const [first, second, third] = [limits(sdk), limits(sdk), limits(sdk)];
      expect((await first.take(keyId, limited, { needs: [NO_NEED] })).granted).toBe(1);
      store.mend();
      expect((await second.peek(keyId)).ledger.open).toBe(1);
      expect((await second.take(keyId, limited, { needs: [NO_NEED] })).granted).toBe(1);
      expect((await third.take(keyId, limited, { needs: [NO_NEED] })).granted).toBe(0);
    },
  );

  it('a use is settled once, even if the response to its write is lost on a reused connection', async () => {
    const keyId = freshName();
    const budgeted = {
      ...{ requests: { capacity: 100, intervalMicros: 1_000_000 }, tokens: undefined, maxConcurrent: undefined },
      budget: { nanoUsd: 1e9, period: 'month' as const },
    };
    const need = { tokens: 0, nanoUsd: 100 };
    const asking = limits(sdk);
    const taken = await asking.take(keyId, budgeted, { needs: [need, need, need] });
    const spent = async () => {
      const { ledger } = await limits(sdk).peek(keyId);
      return [...ledger.spent.values()];
    };
    expect(await spent()).toEqual([300]);
    store.fail({ kind: 'cut off when it is done' }, 1);
    const used = settlementOf(reservedFor(need, 1, budgeted, clock.now()), taken, { tokens: 0, nanoUsd: 30 }, budgeted);
    await expect(asking.settle(keyId, used)).rejects.toBeInstanceOf(StoreUnavailable);
    store.mend();
    expect(await spent()).toEqual([230]);
  });

  it('records and settlements are retried longer than a response could wait', async () => {
    const [record] = recordsOf(1);
    store.fail(refused('InternalServerError', 500), BACKGROUND_RETRIES.attempts - 1);
    await writeAll([record as RequestRecord]);
    store.mend();
    expect(await storedOf(sdk, [record as RequestRecord])).toBe(1);
    const keyId = freshName();
    store.fail(refused('ThrottlingException'), BACKGROUND_RETRIES.attempts - 1);
    const used = { tokenPicos: 0n, nanoUsd: new Map([[windowOf('month', T0), 30]]) };
    await limits(sdk).settle(keyId, { release: new Map(), used });
    store.mend();
    const { ledger } = await limits(sdk).peek(keyId);
    expect([...ledger.spent.values()]).toEqual([30]);
  });

  it("a session's score counts a turn once, or twice if the response to its write was lost", async () => {
    const accumulated = async (fault: Fault) => {
      const ref = { keyId: freshName(), name: 's' };
      await sessions(sdk).update(ref, (known) => withTurn(known, 0.5, T0));
      const { accumulated: before = 0 } = (await sessions(sdk).read(ref.keyId, ref.name)) ?? {};
      const asking = sessions(sdk);
      await asking.read(ref.keyId, ref.name);
      store.fail(fault, 2);
      await asking.update(ref, (known) => withTurn(known, 0.5, T0));
      store.mend();
      return Math.round(((await sessions(sdk).read(ref.keyId, ref.name))?.accumulated ?? 0) / before);
    };
    expect(await accumulated(refused('ThrottlingException'))).toBe(2);
    expect([2, 3]).toContain(await accumulated({ kind: 'done, but reported as failed' }));
  });
});
