import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ApiKey } from '../../kernel/model/index.ts';
import { withEffectivePolicy } from '../policy/index.ts';
import { policyInForce, takesSession, withCandidate } from './taken-requests.ts';

const key = { id: 'key_1', environment: 'Production', tags: { team: 'shop', tier: 'gold' } } as unknown as ApiKey;
const sessions = Array.from({ length: 20_000 }, (_, at) => `session-${at}`);
const shareOf = (percent: number, of = key) =>
  (100 * sessions.filter((session) => takesSession({ percent }, of, session)).length) / sessions.length;

describe('a roll-out', () => {
  it('takes about its percentage of the sessions', () => {
    for (const percent of [0, 0.5, 10, 50, 99, 100]) expect(Math.abs(shareOf(percent) - percent)).toBeLessThan(1.5);
    expect([shareOf(0), shareOf(100)]).toEqual([0, 100]);
  });

  it('keeps each session that it has taken while the percentage rises', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (session, one, other) => {
          const [low, high] = [Math.min(one, other), Math.max(one, other)];
          expect(takesSession({ percent: low }, key, session)).toBe(
            takesSession({ percent: low }, { ...key }, session),
          );
          if (takesSession({ percent: low }, key, session))
            expect(takesSession({ percent: high }, key, session)).toBe(true);
        },
      ),
    );
  });

  it('takes other sessions of another key', () => {
    const other = { ...key, id: 'key_2' };
    const both = sessions.filter(
      (one) => takesSession({ percent: 50 }, key, one) && takesSession({ percent: 50 }, other, one),
    );
    expect(Math.abs(both.length / sessions.length - 0.25)).toBeLessThan(0.02);
  });

  it('takes only keys that all of its conditions name', () => {
    const takes = (conditions: object) => takesSession({ percent: 100, ...conditions }, key, 's');
    expect(takes({ keyIds: ['key_2', 'key_1'], tags: { team: 'shop' }, environments: ['Production'] })).toBe(true);
    for (const other of [
      { keyIds: ['key_2'] },
      { tags: { team: 'data' } },
      { tags: { team: 'shop', region: 'eu' } },
      { tags: { constructor: 'Object' } },
      { environments: ['Development'] },
      { keyIds: ['key_1'], environments: ['Development'] },
    ]) {
      expect(takes(other)).toBe(false);
    }
  });

  it('is no part of the policy in force', () => {
    const rollout = { percent: 1, watch: { blockedPoints: 1, minRequests: 1, minutes: 1 }, policy: { canary: true } };
    expect(policyInForce({ preset: 'strict', rollout })).toEqual({ preset: 'strict' });
  });
});

describe('a key under the candidate of a roll-out', () => {
  const watch = { blockedPoints: 1, minRequests: 1, minutes: 1 };
  const rollout = { percent: 10, watch, policy: { preset: 'strict' as const, shadow: { preset: 'monitor' as const } } };
  const document = { canary: true, shadow: { preset: 'balanced' as const }, rollout };
  const key = { id: 'key_1', policy: { evidence: true } } as ApiKey;

  it('has the candidate and its own fields, and the policy in force as shadow', () => {
    expect(withCandidate(key, document).policy).toEqual({
      preset: 'strict',
      evidence: true,
      shadow: { canary: true, evidence: true },
    });
    expect(withCandidate(key, document)).toBe(withCandidate(key, document));
  });

  it('has nothing of the candidate in the policy in force, which is another object', () => {
    expect(withEffectivePolicy(key, document).policy).toEqual({
      canary: true,
      evidence: true,
      shadow: { preset: 'balanced' },
    });
    expect(withEffectivePolicy(key, document)).toBe(withEffectivePolicy(key, document));
  });

  it('has the policy in force without a roll-out', () => {
    expect(withCandidate(key, { canary: true }).policy).toEqual({ canary: true, evidence: true });
  });
});
