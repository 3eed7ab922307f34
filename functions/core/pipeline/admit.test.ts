import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../base/errors.ts';
import type { Limiter, Used } from '../limits/limiter.ts';
import { NO_NEED } from '../limits/limits.ts';
import { type ApiKey, createKeySchema } from '../model/api-key.ts';
import type { ChatRequest } from '../model/chat.ts';
import { Admission } from './admit.ts';
import { finishRequest } from './finish-request.ts';
import { pipelineDeps } from './pipeline-deps.fixture.ts';
import { createRequestContext, type RequestContext } from './request-context.ts';

const clock = { now: () => 0, monotonic: () => 0 };
const states = { requests: { admitted: true, remaining: 1, fullInMs: 1, nextInMs: 0 }, tokens: undefined };

function contextOf(fields: object = {}): RequestContext {
  const key: ApiKey = {
    ...createKeySchema.parse({ name: 'test', ...fields }),
    id: 'key_1',
    state: 'active',
    last4: 'abcd',
    createdAt: '2026-01-01T00:00:00.000Z',
    secretHash: '',
  };
  return createRequestContext({ requestId: 'req_1', route: '/', key, clock, startedAt: 0 });
}

function depsWith(admit: Limiter['admit']) {
  const alarms: string[][] = [];
  const deps = pipelineDeps(clock, {
    limiter: { admit, peek: async () => states },
    alarm: {
      admittedWithoutLimits: ({ requestId }, ...rest) => alarms.push([requestId, ...rest]),
      implausibleUsage: () => {},
      unsettled: () => {},
    },
  });
  return { deps, alarms };
}

describe('while the limits table is unavailable', () => {
  const outOfReach = depsWith(async () => {
    throw new StoreUnavailable('limits table: timeout');
  });

  it('no request is admitted by default', async () => {
    const admitted = new Admission(contextOf(), outOfReach.deps).during(NO_NEED, () => 'done');
    await expect(admitted).rejects.toBeInstanceOf(StoreUnavailable);
    expect(outOfReach.alarms).toEqual([]);
  });

  it('a key that fails open is admitted, with a note in the record and an alarm', async () => {
    const context = contextOf({ onStoreFailure: 'open' });
    expect(await new Admission(context, outOfReach.deps).during(NO_NEED, () => 'done')).toBe('done');
    expect(context.record.internal).toBe('admitted without limits: limits table: timeout');
    expect(outOfReach.alarms).toEqual([['req_1', 'key_1', 'limits table: timeout']]);
  });

  it('a bug admits no request', async () => {
    const { deps } = depsWith(async () => {
      throw new TypeError('a bug');
    });
    const admitted = new Admission(contextOf({ onStoreFailure: 'open' }), deps).during(NO_NEED, () => 'done');
    await expect(admitted).rejects.toBeInstanceOf(TypeError);
  });
});

describe('the reservation of an admitted request', () => {
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

  const request: ChatRequest = {
    model: 'm',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'twelve chars' }] }],
    stream: false,
    includeUsage: false,
    choiceCount: 1,
    others: [],
  };

  it('is settled once, with the reported usage', async () => {
    const { deps, settled, admitNow } = holding();
    const context = contextOf();
    const admission = new Admission(context, deps);
    admitNow();
    await admission.during(NO_NEED, () => {});
    const { record } = context;
    record.targeted({ provider: 'openai', model: 'gpt-4o-mini' });
    record.usage.sends(request, { unseen: { inputTokens: 1, outputTokens: 1 }, isBilled: true });
    record.usage.report({ inputTokens: 1_000, outputTokens: 100 });
    finishRequest(context, admission, deps);
    finishRequest(context, admission, deps);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 1_100, nanoUsd: 210_000 }]);
  });

  it('is settled with an estimate if the provider may bill the request but reported nothing', async () => {
    const { deps, settled, admitNow } = holding();
    const context = contextOf();
    const admission = new Admission(context, deps);
    admitNow();
    await admission.during(NO_NEED, () => {});
    context.record.usage.sends(request, { unseen: { outputTokens: 4 }, isBilled: true });
    finishRequest(context, admission, deps);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 7, nanoUsd: 0 }]);
  });

  it('is settled with zero usage if the provider rejected the request', async () => {
    const { deps, settled, admitNow } = holding();
    const context = contextOf();
    const admission = new Admission(context, deps);
    admitNow();
    await admission.during(NO_NEED, () => {});
    context.record.usage.sends(request, { unseen: undefined, isBilled: true });
    context.record.usage.refused();
    finishRequest(context, admission, deps);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 0, nanoUsd: 0 }]);
  });

  it('is also settled if the request failed before it was admitted', async () => {
    const { deps, settled, admitNow } = holding();
    const context = contextOf();
    const admission = new Admission(context, deps);
    const failing = admission.during(NO_NEED, () => {
      throw new Error('inspection failed');
    });
    await expect(failing).rejects.toThrow('inspection failed');
    finishRequest(context, admission, deps);
    expect(settled).toEqual([]);
    admitNow();
    await new Promise(setImmediate);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 0, nanoUsd: 0 }]);
  });
});
