import { describe, expect, test } from '@jest/globals';
import { SharedAdmission } from '../../control/limits/index.ts';
import { MemoryLimitStore } from '../../control/limits/memory-limit-store.fixture.ts';
import { GatewayError, StoreUnavailable } from '../../kernel/errors/index.ts';
import { HttpFailure } from '../../kernel/http/index.ts';
import type { Usage } from '../../kernel/model/index.ts';
import { ModelCatalog } from '../../translation/index.ts';
import {
  backgroundTasks,
  COST,
  clock,
  costs,
  judge,
  NOW,
  open,
  provider,
  recorded,
  replaceStore,
  request,
  spent,
  store,
  TEXT,
  verdictOn,
} from './model-judge.fixture.ts';
import type { ModelJudgeOptions } from './model-judge.ts';

const FREE = { recorded: 0, spent: 0 };

describe('the cost', () => {
  test('is what the provider reports; until then it is the highest possible', async () => {
    let whileCalled = FREE;
    provider.answer = ({ harmless }) => {
      whileCalled = { recorded: recorded(), spent: spent() };
      return harmless;
    };
    await verdictOn(TEXT);
    const bytes = Buffer.byteLength(
      provider.calls[0]?.request.messages
        .flatMap(({ parts }) => parts.map((part) => 'text' in part && part.text))
        .join('') ?? '',
    );
    const bound = (bytes + 64) * 1_000 + 32 * 10_000;
    expect(whileCalled).toEqual({ recorded: bound, spent: bound });
    expect({ recorded: recorded(), spent: spent() }).toEqual({ recorded: COST, spent: COST });
  });

  test('must be known before the call: without a price in force, or if prices cannot be read, the model is not called', async () => {
    for (const models of [async () => new ModelCatalog(), () => Promise.reject(new StoreUnavailable('away'))]) {
      expect(await verdictOn(TEXT, { models })).toEqual({ failure: 'failed', detail: 'price not known' });
    }
    expect([provider.calls, costs]).toEqual([[], []]);
  });

  test('is by the prices in force at the call, which may change between calls', async () => {
    for (const usd of [1, 2]) {
      const models = async () => new ModelCatalog({ 'fake/small': { input: usd, output: 10 * usd } });
      costs.length = 0;
      await verdictOn(`${TEXT} ${usd}`, { models });
      expect(recorded()).toBe(usd * COST);
    }
  });

  test.each<[string, Usage]>([
    ['unknown', {}],
    ['half known', { inputTokens: 300 }],
    ['impossible', { inputTokens: 3_000_000_000, outputTokens: 8 }],
  ])('is the highest possible if the reported usage is %s', async (_, usage) => {
    provider.usage = usage;
    await verdictOn(TEXT);
    expect(costs).toEqual([expect.any(Number), 0]);
    expect(spent()).toBe(costs[0]);
  });

  test.each<[string, Error, boolean]>([
    ['refused', new GatewayError('invalid_value', TEXT, { passedOn: { status: 400, type: 'x', code: null } }), false],
    [
      'throttled',
      new GatewayError('rate_limit_exceeded', TEXT, { passedOn: { status: 429, type: 'x', code: null } }),
      false,
    ],
    ['failed', new GatewayError('provider_error', TEXT, { internal: 'status 500', fallback: 'after_retry' }), false],
    ['refused', new GatewayError('provider_error', TEXT, { internal: 'no key', fallback: 'now' }), false],
    [
      'refused',
      new GatewayError('provider_error', TEXT, { internal: '401', fallback: 'after_new_credentials' }),
      false,
    ],
    ['refused', new GatewayError('model_not_found', TEXT), false],
    ['unreachable', new GatewayError('provider_error', TEXT, { cause: new HttpFailure('connect', false) }), false],
    ['unreachable', new GatewayError('provider_error', TEXT, { cause: new HttpFailure('reset', true) }), true],
    ['unreadable', new GatewayError('provider_error', TEXT, { internal: 'not JSON' }), true],
    ['timeout', new GatewayError('provider_timeout', TEXT, { fallback: 'now' }), true],
    ['failed', new TypeError(TEXT), true],
  ])(
    'of a call without a verdict (case %#: %s) is only what may be billed; it quotes no text',
    async (failure, error, paid) => {
      provider.answer = () => Promise.reject(error);
      const verdict = await verdictOn(TEXT);
      expect(verdict).toMatchObject({ failure });
      expect(JSON.stringify(verdict)).not.toContain('planted');
      expect(provider.calls).toHaveLength(1);
      expect([recorded() > 0, spent()]).toEqual([paid, recorded()]);
    },
  );
});

describe('the budget of a day', () => {
  test('admits no call that could exceed it, until what was reserved is given back', async () => {
    // Just more than the highest cost of one call.
    await verdictOn(TEXT);
    const usd = ((costs[0] as number) + COST + 1) / 1e9;
    const shared = judge({ budgetUsdPerDay: usd });
    const texts = [1, 2, 3].map((number) => ({ text: `planted tex${number}`, surface: 'user' as const }));
    const verdicts = await Promise.all(shared.inspect(texts, open(), request));
    expect(provider.calls).toHaveLength(2);
    const usedUp = { failure: 'throttled', detail: 'budget of the day used up' };
    expect(verdicts).toEqual([{ findings: [] }, usedUp, usedUp]);
    await backgroundTasks.idle();
    expect(spent()).toBe(2 * COST);
  });

  test('begins again with the day, in UTC', async () => {
    let now = NOW;
    replaceStore(new MemoryLimitStore(() => now));
    provider.usage = {};
    const budgetUsdPerDay = 0.01;
    const limiter = new SharedAdmission(store, { now: () => now, monotonic: () => now }, { onUnsettled: () => {} });
    const ask = () => verdictOn('x'.repeat(6_000), { budgetUsdPerDay, limiter });
    expect([await ask(), await ask()]).toMatchObject([{ findings: [] }, { failure: 'throttled' }]);
    now = Date.parse('2026-11-26T23:59:59Z');
    expect(await ask()).toMatchObject({ failure: 'throttled' });
    now = Date.parse('2026-11-27T00:00:00Z');
    expect(await ask()).toEqual({ findings: [] });
  });

  test('that cannot be read admits no call', async () => {
    const limiter = { admit: () => Promise.reject(new StoreUnavailable('limits table: timeout')) };
    expect(await verdictOn(TEXT, { limiter })).toEqual({ failure: 'failed', detail: 'budget not readable' });
    expect([provider.calls, costs]).toEqual([[], []]);
  });

  test('gets back what was reserved after the deadline, without a call', async () => {
    const deadline = new AbortController();
    const shared = new SharedAdmission(store, clock, { onUnsettled: () => {} });
    const limiter: ModelJudgeOptions['limiter'] = {
      admit: async (...given) => {
        const verdict = await shared.admit(...given);
        expect(spent()).toBeGreaterThan(0);
        deadline.abort();
        return verdict;
      },
    };
    expect(await verdictOn(TEXT, { limiter, signal: deadline.signal })).toEqual({ failure: 'timeout' });
    expect([provider.calls, costs, spent()]).toEqual([[], [], 0]);
  });
});

describe('a request', () => {
  test('is judged only once it is admitted', async () => {
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    const [verdict] = judge().inspect([{ text: TEXT, surface: 'user' }], open(), { ...request, admitted });
    await new Promise(setImmediate);
    expect([provider.calls.length, store.takes.length]).toEqual([0, 0]);
    admit();
    expect(await verdict).toEqual({ findings: [] });
  });

  test('that is refused costs nothing', async () => {
    const admitted = Promise.reject(new Error('refused'));
    const [verdict] = judge().inspect([{ text: TEXT, surface: 'user' }], open(), { ...request, admitted });
    expect(await verdict).toMatchObject({ failure: 'failed' });
    expect([provider.calls.length, store.takes.length]).toEqual([0, 0]);
  });

  test('that is over before its call takes nothing from the budget', async () => {
    expect(await verdictOn(TEXT, { signal: AbortSignal.abort() })).toEqual({ failure: 'timeout' });
    expect([provider.calls, store.takes]).toEqual([[], []]);
  });

  test('is a background task, so that no function stops before its call is settled', async () => {
    const deadline = new AbortController();
    provider.answer = async () => {
      deadline.abort();
      await new Promise(setImmediate);
      throw new DOMException('The operation was aborted.', 'AbortError');
    };
    const [verdict] = judge().inspect([{ text: TEXT, surface: 'user' }], deadline.signal, request);
    await backgroundTasks.idle();
    expect(spent()).toBeGreaterThan(COST);
    expect(spent()).toBe(recorded());
    expect(store.settlements).toBe(1);
    expect(await verdict).toEqual({ failure: 'timeout' });
  });

  test('that is over at the deadline still pays for its call, as a background task', async () => {
    const deadline = new AbortController();
    provider.answer = (_, { signal }) =>
      new Promise((_, reject) => {
        const failure = new HttpFailure('aborted', true);
        signal.addEventListener('abort', () => reject(new GatewayError('provider_error', 'x', { cause: failure })));
        setImmediate(() => deadline.abort());
      });
    expect(await verdictOn(TEXT, { signal: deadline.signal })).toEqual({ failure: 'timeout' });
    expect(recorded()).toBeGreaterThan(COST);
    expect(spent()).toBe(recorded());
  });
});
