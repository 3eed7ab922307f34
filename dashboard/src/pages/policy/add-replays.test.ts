import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PolicyReplay } from '../../api/client.ts';
import { addReplays } from './add-replays.ts';

const action = fc.constantFrom('allow', 'flag', 'redact', 'ask', 'block');
const count = fc.integer({ min: 1, max: 99 });
const perAction = fc.record({ allow: count, flag: count, redact: count, ask: count, block: count });
const change = { live: action, replayed: action };
const listOf = (extra: object) => fc.array(fc.record({ ...change, ...extra } as never), { maxLength: 6 });
const replay = fc.record({
  object: fc.constant('policy.replay'),
  from: fc.constant('2026-11-20T00:00:00.000Z'),
  to: fc.constant('2026-11-21T00:00:00.000Z'),
  requests: count,
  fromText: count,
  incomplete: count,
  changed: count,
  live: perAction,
  replayed: perAction,
  changes: listOf({ requests: count }),
  keys: listOf({ keyId: fc.constantFrom('key_a', 'key_b'), requests: count }),
  types: listOf({ type: fc.constantFrom('pii', 'secret'), findings: count }),
  rules: listOf({ rule: fc.constantFrom('a/b', 'c/d'), type: fc.constant('pii'), findings: count }),
  callRules: fc.option(fc.array(fc.record({ rule: fc.constant('a/b'), action, findings: count }), { maxLength: 6 }), {
    nil: undefined,
  }),
  examples: fc.array(fc.record({ requestId: fc.uuid() }), { maxLength: 60 }),
  nextCursor: fc.option(fc.string()),
  unknown: fc.subarray(['one', 'two', 'three']),
}) as unknown as fc.Arbitrary<PolicyReplay>;

const sum = (entries: readonly { requests?: number; findings?: number }[]) =>
  entries.reduce((total, { requests = 0, findings = 0 }) => total + requests + findings, 0);

describe('pages of a replay', () => {
  it('merge into one: no count is lost, and no entry is doubled', () => {
    fc.assert(
      fc.property(replay, replay, (a, b) => {
        const both = addReplays(a, b);
        for (const name of ['requests', 'fromText', 'incomplete', 'changed'] as const)
          expect(both[name]).toBe(a[name] + b[name]);
        expect(both.live.block).toBe(a.live.block + b.live.block);
        for (const name of ['changes', 'keys', 'types', 'rules'] as const) {
          expect(sum(both[name])).toBe(sum(a[name]) + sum(b[name]));
          const names = both[name].map((entry) => JSON.stringify({ ...entry, requests: 0, findings: 0 }));
          expect(new Set(names).size).toBe(names.length);
        }
        expect(sum(both.callRules ?? [])).toBe(sum(a.callRules ?? []) + sum(b.callRules ?? []));
        expect(both.nextCursor).toBe(b.nextCursor);
        expect(both.examples.length).toBe(Math.min(50, a.examples.length + b.examples.length));
      }),
    );
  });
});
