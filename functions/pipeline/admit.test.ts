import { describe, expect, it } from '@jest/globals';
import { type Limiter, type Need, NO_NEED } from '../control/limits/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { type ApiKey, type ChatRequest, createKeySchema } from '../kernel/model/index.ts';
import { Admission } from './admit.ts';
import { finishRequest } from './finish-request.ts';
import { pipelineDeps } from './pipeline-deps.fixture.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { createRequestContext } from './request-context.ts';
import { type RunningRequest, startRequest } from './request-outcome.ts';

const clock = { now: () => 0, monotonic: () => 0 };
const states = { requests: { admitted: true, remaining: 1, fullInMs: 1, nextInMs: 0 }, tokens: undefined };

function requestOf(fields: object = {}): RunningRequest {
  const key: ApiKey = {
    ...createKeySchema.parse({ name: 'test', ...fields }),
    id: 'key_1',
    state: 'active',
    last4: 'abcd',
    createdAt: '2026-01-01T00:00:00.000Z',
    secretHash: '',
  };
  const context = createRequestContext({ requestId: 'req_1', route: '/', key, clock, startedAt: 0 });
  return startRequest(context, clock, 0);
}

const admissionOf = ({ context, outcome }: RunningRequest, deps: PipelineDeps) => new Admission(context, outcome, deps);

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
    const admitted = admissionOf(requestOf(), outOfReach.deps).during(NO_NEED, () => 'done');
    await expect(admitted).rejects.toBeInstanceOf(StoreUnavailable);
    expect(outOfReach.alarms).toEqual([]);
  });

  it('a key that fails open is admitted, with a note in the record and an alarm', async () => {
    const request = requestOf({ onStoreFailure: 'open' });
    expect(await admissionOf(request, outOfReach.deps).during(NO_NEED, () => 'done')).toBe('done');
    expect(request.outcome.internal).toBe('admitted without limits: limits table: timeout');
    expect(outOfReach.alarms).toEqual([['req_1', 'key_1', 'limits table: timeout']]);
  });

  it('a bug admits no request', async () => {
    const { deps } = depsWith(async () => {
      throw new TypeError('a bug');
    });
    const admitted = admissionOf(requestOf({ onStoreFailure: 'open' }), deps).during(NO_NEED, () => 'done');
    await expect(admitted).rejects.toBeInstanceOf(TypeError);
  });
});

describe('work during an admission', () => {
  const steps: string[] = [];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const during = async (admit: Limiter['admit']) => {
    steps.length = 0;
    await admissionOf(requestOf(), depsWith(admit).deps).during(NO_NEED, async () => void steps.push('work'));
    return steps;
  };

  it('begins once the write was sent, however long that takes, and before its response', async () => {
    const made = await during(async (_key, _limits, _need, _tags, onSent) => {
      for (let turns = 0; turns < 3; turns += 1) await turn();
      steps.push('sent');
      onSent?.();
      await turn();
      steps.push('admitted');
      return { admitted: true, states, reservation: undefined };
    });
    expect(made).toEqual(['sent', 'work', 'admitted']);
  });

  it('begins with the verdict where no write is made', async () => {
    const made = await during(async () => {
      await turn();
      steps.push('admitted');
      return { admitted: true, states, reservation: undefined };
    });
    expect(made).toEqual(['admitted', 'work']);
  });
});

describe('the reservation of an admitted request', () => {
  const holding = () => {
    const settled: Need[] = [];
    let admitNow = () => {};
    const admitted = new Promise<void>((resolve) => {
      admitNow = resolve;
    });
    const reservation = { settle: async (used: Need) => void settled.push(used) };
    const { deps } = depsWith(async (_key, _limits, _need, _tags, onSent) => {
      onSent?.();
      await admitted;
      return { admitted: true, states, reservation };
    });
    return { deps, settled, admitNow };
  };

  const asked: ChatRequest = {
    model: 'm',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'twelve chars' }] }],
    stream: false,
    includeUsage: false,
    choiceCount: 1,
    others: [],
  };

  it('is settled once, with the reported usage', async () => {
    const { deps, settled, admitNow } = holding();
    const request = requestOf();
    const admission = admissionOf(request, deps);
    admitNow();
    await admission.during(NO_NEED, () => {});
    const { outcome } = request;
    outcome.routed = {
      targets: [{ provider: 'openai', model: 'gpt-4o-mini' }],
      alternativeModels: [],
      route: undefined,
    };
    outcome.usage.sends(asked, { unseen: { inputTokens: 1, outputTokens: 1 }, isBilled: true });
    outcome.usage.report({ inputTokens: 1_000, outputTokens: 100 });
    finishRequest(request, admission, deps);
    finishRequest(request, admission, deps);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 1_100, nanoUsd: 210_000 }]);
  });

  it('is settled with an estimate if the provider may bill the request but reported nothing', async () => {
    const { deps, settled, admitNow } = holding();
    const request = requestOf();
    const admission = admissionOf(request, deps);
    admitNow();
    await admission.during(NO_NEED, () => {});
    request.outcome.usage.sends(asked, { unseen: { outputTokens: 4 }, isBilled: true });
    finishRequest(request, admission, deps);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 7, nanoUsd: 0 }]);
  });

  it('is settled with zero usage if the provider rejected the request', async () => {
    const { deps, settled, admitNow } = holding();
    const request = requestOf();
    const admission = admissionOf(request, deps);
    admitNow();
    await admission.during(NO_NEED, () => {});
    request.outcome.usage.sends(asked, { unseen: undefined, isBilled: true });
    request.outcome.usage.refused();
    finishRequest(request, admission, deps);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 0, nanoUsd: 0 }]);
  });

  it('is also settled if the request failed before it was admitted', async () => {
    const { deps, settled, admitNow } = holding();
    const request = requestOf();
    const admission = admissionOf(request, deps);
    const failing = admission.during(NO_NEED, () => {
      throw new Error('inspection failed');
    });
    await expect(failing).rejects.toThrow('inspection failed');
    finishRequest(request, admission, deps);
    expect(settled).toEqual([]);
    admitNow();
    await new Promise(setImmediate);
    await deps.backgroundTasks.idle();
    expect(settled).toEqual([{ tokens: 0, nanoUsd: 0 }]);
  });
});
