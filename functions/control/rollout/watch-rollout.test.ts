import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { AuditFact, DeploymentPolicy, GatewayEvent } from '../../kernel/model/index.ts';
import type { AuditEntry } from '../audit/index.ts';
import type { DocumentVersion } from '../documents/index.ts';
import { risePoints, watchRollout } from './watch-rollout.ts';
import type { Counts } from './withdrawn-event.ts';

const NOW = Date.parse('2026-11-30T03:00:00Z');
const ROLLOUT = {
  percent: 10,
  watch: { blockedPoints: 2, minRequests: 100, minutes: 60 },
  policy: { preset: 'strict' as const },
};

let current: DocumentVersion<DeploymentPolicy>;
let counts: Counts;
let audited: AuditFact[];
let events: (GatewayEvent | undefined)[];
/** Called before a replacement. */
let meanwhile: () => void;
const deps = {
  policies: {
    current: async () => current,
    replace: async (read: typeof current, next: typeof current, event?: GatewayEvent) => {
      meanwhile();
      if (current.version !== read.version) return false;
      current = next;
      events.push(event);
      return true;
    },
  },
  aggregates: { range: async (pk: string) => (pk === 'rollout#4' ? [{ sk: '2026-11-30T02:59', value: counts }] : []) },
  audit: {
    append: async (fact: AuditFact) => {
      audited.push(fact);
      return { record: { ...fact, seq: audited.length } } as unknown as AuditEntry;
    },
    list: async () => {
      throw new Error('not called');
    },
  },
  clock: { now: () => NOW, monotonic: () => 0 },
  onAudited: () => {},
};

beforeEach(() => {
  current = { version: 4, settings: { canary: true, rollout: ROLLOUT }, createdAt: null, createdBy: 'key_1' };
  counts = { requests: 100, blocked: 10, flagged: 0, blockedBefore: 7, flaggedBefore: 0 };
  audited = [];
  events = [];
  meanwhile = () => {};
});

describe('the watch of a roll-out', () => {
  it('withdraws one that blocks too much: the policy in force alone, as a new version, with an event', async () => {
    expect(await watchRollout(deps)).toBe(true);
    const createdAt = new Date(NOW).toISOString();
    expect(current).toEqual({ version: 5, settings: { canary: true }, createdAt, createdBy: null });
    expect(audited).toEqual([
      expect.objectContaining({
        action: 'policy.withdrawn',
        actor: { type: 'system' },
        target: { type: 'policy', id: '5' },
        before: { rollout: ROLLOUT },
        after: {},
      }),
    ]);
    expect(events).toEqual([
      expect.objectContaining({
        type: 'policy.withdrawn',
        data: { version: 4, replacedBy: 5, reason: 'watch', counts },
      }),
    ]);
    expect(await watchRollout(deps)).toBe(false);
  });

  it('keeps one within its bound, with too few requests, and a policy without one', async () => {
    for (const within of [
      { blocked: 9 },
      { requests: 99, blocked: 99 },
      { requests: 0, blocked: 0, blockedBefore: 0 },
    ]) {
      const before = counts;
      counts = { ...counts, ...within };
      expect(await watchRollout(deps)).toBe(false);
      counts = before;
    }
    current = { ...current, settings: { canary: true } };
    expect(await watchRollout(deps)).toBe(false);
    expect([audited, events]).toEqual([[], []]);
  });

  it('leaves a version that an administrator has written meanwhile, and records that it did', async () => {
    meanwhile = () => {
      current = { ...current, version: 5, settings: { preset: 'strict' } };
    };
    expect(await watchRollout(deps)).toBe(false);
    expect(current.settings).toEqual({ preset: 'strict' });
    expect(audited.map(({ action }) => action)).toEqual(['policy.withdrawn', 'audit.void']);
  });

  it('that is ended between its record and its write is completed by the next one', async () => {
    meanwhile = () => {
      throw new StoreUnavailable('away');
    };
    await expect(watchRollout(deps)).rejects.toThrow('away');
    expect(current.version).toBe(4);
    meanwhile = () => {};
    expect(await watchRollout(deps)).toBe(true);
  });
});

it('a rise is in percentage points, negative if the candidate blocks less', () => {
  expect(risePoints({ ...counts, blocked: 1, blockedBefore: 3 })).toBe(-2);
  expect(risePoints({ ...counts, requests: 0 })).toBe(0);
});
