import { describe, expect, test } from '@jest/globals';
import { DEADLINE_MS } from '../../test/support/eventually.ts';
import type { BucketState } from '../control/limits/limits.ts';
import { type OutsideDetector, OutsideDetectors, type OutsideVerdict } from '../inspection/index.ts';
import { readJsonDocument } from '../kernel/json/index.ts';
import { type ApiKey, createKeySchema } from '../kernel/model/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import { pipelineDeps } from './pipeline-deps.fixture.ts';
import { runGuard } from './run-guard.ts';
import { runningRequest } from './running-request.fixture.ts';

const clock: Clock = { now: Date.now, monotonic: () => performance.now() };

const key: ApiKey = {
  ...createKeySchema.parse({ name: 'test' }),
  id: 'key_1',
  state: 'active',
  last4: 'abcd',
  createdAt: '2026-01-01T00:00:00.000Z',
  secretHash: '',
};

/** A guard request whose admission ends after its one detector is called, which waits for the admission. */
function guarding(admits: boolean, refusesAtOnce = false) {
  const signals: AbortSignal[] = [];
  const called = Promise.withResolvers<void>();
  const steps: string[] = [];
  const detector: OutsideDetector = {
    name: 'slow',
    maxChars: 1_000,
    inspect: (texts, signal, { admitted, addCost }) => {
      signals.push(signal);
      steps.push('asked');
      called.resolve();
      addCost(400);
      const verdict = new Promise<OutsideVerdict>((resolve) => {
        admitted.then(
          () => {
            steps.push('knows it is admitted');
            resolve({ findings: [] });
          },
          () => steps.push('knows it is refused'),
        );
      });
      return texts.map(() => verdict);
    },
  };
  const requests: BucketState = { admitted: admits, remaining: 0, fullInMs: 1, nextInMs: 1 };
  const states = { requests, tokens: undefined };
  const deps = pipelineDeps(clock, {
    limiter: {
      admit: async (_key, _limits, _need, _tags, onSent) => {
        steps.push('admission begins');
        if (!refusesAtOnce) {
          onSent?.();
          await called.promise;
        }
        steps.push('admission ends');
        if (admits) return { admitted: true, states, reservation: undefined };
        return { admitted: false, states, refusal: { limit: 'requests', retryInMs: 1, resetAtMs: 0 } };
      },
      peek: async () => states,
    },
    outside: new OutsideDetectors({ detectors: [detector], deadlineMs: DEADLINE_MS, when: 'always', clock }),
  });
  const request = runningRequest({ route: '/v1/guard', key, clock, startedAt: clock.monotonic() });
  const run = () => runGuard(request, readJsonDocument('{"input":"Hello"}'), deps);
  return { run, signals, steps, request };
}

describe('outside detectors and admission', () => {
  test('run concurrently', async () => {
    const { run, steps, request } = guarding(true);
    expect((await run()).action).toBe('allow');
    expect(steps).toEqual(['admission begins', 'asked', 'admission ends', 'knows it is admitted']);
    expect(request.outcome.inspection.judgeNanoUsd).toBe(400);
    expect(request.outcome.times.serverTiming).toMatch(/admit;dur=.*outside;dur=/);
  });

  test('a refusal ends pending calls', async () => {
    const { run, signals, steps } = guarding(false);
    await expect(run()).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect(steps).toContain('knows it is refused');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('an immediate refusal prevents all calls', async () => {
    const { run, signals } = guarding(false, true);
    await expect(run()).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect(signals).toEqual([]);
  });
});
