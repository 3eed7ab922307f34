import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../base/errors.ts';
import type { Limiter, Used } from '../limits/limiter.ts';
import { NO_NEED } from '../limits/limits.ts';
import { type ApiKey, createKeySchema } from '../model/api-key.ts';
import { admitMeanwhile } from './admit.ts';
import { Exchange } from './exchange.ts';
import { pipelineDeps } from './pipeline-deps.fixture.ts';
import { settleExchange } from './settle-exchange.ts';

const clock = { now: () => 0, monotonic: () => 0 };
const states = { requests: { admitted: true, remaining: 1, fullInMs: 1, nextInMs: 0 }, tokens: undefined };

function exchangeOf(fields: object = {}): Exchange {
  const key: ApiKey = {
    ...createKeySchema.parse({ name: 'test', ...fields }),
    id: 'key_1',
    state: 'active',
    last4: 'abcd',
    createdAt: '2026-01-01T00:00:00.000Z',
    secretHash: '',
  };
  return new Exchange({ requestId: 'req_1', route: '/', key, clock, startedAt: 0 });
}

function depsWith(admit: Limiter['admit']) {
  const alarms: string[][] = [];
  const deps = pipelineDeps(clock, {
    limiter: { admit, peek: async () => states },
    alarm: {
      admittedOpen: ({ requestId }, ...told) => alarms.push([requestId, ...told]),
      notBelieved: () => {},
      unsettled: () => {},
    },
  });
  return { deps, alarms };
}

describe('while the store of limits is out of reach', () => {
  const outOfReach = depsWith(async () => {
    throw new StoreUnavailable('limits table: timeout');
  });

  it('nothing is let through, by default', async () => {
    const exchange = exchangeOf();
    const admission = admitMeanwhile(exchange, NO_NEED, outOfReach.deps, () => 'done');
    await expect(admission).rejects.toBeInstanceOf(StoreUnavailable);
    expect(outOfReach.alarms).toEqual([]);
  });

  it('a key that asks for it is let through, which its record and an alarm say', async () => {
    const exchange = exchangeOf({ onStoreFailure: 'open' });
    expect(await admitMeanwhile(exchange, NO_NEED, outOfReach.deps, () => 'done')).toBe('done');
    expect(exchange.internal).toBe('admitted without limits: limits table: timeout');
    expect(outOfReach.alarms).toEqual([['req_1', 'key_1', 'limits table: timeout']]);
  });

  it('a fault of our own lets nobody through', async () => {
    const { deps } = depsWith(async () => {
      throw new TypeError('a bug');
    });
    const admission = admitMeanwhile(exchangeOf({ onStoreFailure: 'open' }), NO_NEED, deps, () => 'done');
    await expect(admission).rejects.toBeInstanceOf(TypeError);
  });
});

describe('what an admitted exchange holds', () => {
  const holding = () => {
    const settled: Used[] = [];
    let admitNow = () => {};
    const admitted = new Promise<void>((resolve) => {
      admitNow = resolve;
    });
    const reservation = { settle: async (used: Used) => void settled.push(used) };
    const { deps } = depsWith(async () => {
      await admitted;
      return { admitted: true, states, reservation };
    });
    return { deps, settled, admitNow };
  };

  it('is settled by the usage that was told, once', async () => {
    const { deps, settled, admitNow } = holding();
    const exchange = exchangeOf();
    admitNow();
    await admitMeanwhile(exchange, NO_NEED, deps, () => {});
    Object.assign(exchange, { provider: 'openai', modelAtProvider: 'gpt-4o-mini' });
    exchange.usage = { inputTokens: 1_000, outputTokens: 100 };
    exchange.unreported = () => ({ inputTokens: 1, outputTokens: 1 });
    settleExchange(exchange, deps);
    settleExchange(exchange, deps);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 1_100, nanoUsd: 210_000 }]);
  });

  it('is settled by an estimate where a provider may have counted and told nothing', async () => {
    const { deps, settled, admitNow } = holding();
    const exchange = exchangeOf();
    admitNow();
    await admitMeanwhile(exchange, NO_NEED, deps, () => {});
    exchange.unreported = () => ({ inputTokens: 3, outputTokens: 4 });
    settleExchange(exchange, deps);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 7, nanoUsd: 0 }]);
  });

  it('is settled also where the exchange failed before it was admitted', async () => {
    const { deps, settled, admitNow } = holding();
    const exchange = exchangeOf();
    const failing = admitMeanwhile(exchange, NO_NEED, deps, () => {
      throw new Error('inspection failed');
    });
    await expect(failing).rejects.toThrow('inspection failed');
    settleExchange(exchange, deps);
    expect(settled).toEqual([]);
    admitNow();
    await new Promise(setImmediate);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 0, nanoUsd: 0 }]);
  });
});
