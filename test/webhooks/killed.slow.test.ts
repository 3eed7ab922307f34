import { expect, test } from '@jest/globals';
import { runDeliveries } from './run-deliveries.ts';

const EVENTS = 150;

/** The smaller sister of bench/webhooks.ts: turns and waits are short, all else is the same. */
test('events arrive although the delivering process is killed, each signed, and the log lists every attempt', async () => {
  const pace = { turn: { workMs: 1_000, leaseMs: 3_000 }, waits: 0.01, sweepEveryMs: 1_000 };
  const result = await runDeliveries({ events: EVENTS, kills: 2, pace, visibilitySeconds: 3, deadlineMs: 180_000 });
  const { receivers, logs, unaccounted, disabled } = result;
  const by = Object.fromEntries(receivers.map((receiver) => [receiver.kind, receiver]));
  expect(['fast', 'slow', 'flaky'].map((kind) => by[kind]?.taken.size)).toEqual([EVENTS, EVENTS, EVENTS]);
  expect(receivers.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(unaccounted).toEqual([]);
  // Every event has one delivery to each, though some came twice.
  for (const kind of ['fast', 'slow', 'flaky', 'dead'] as const) expect(logs[kind]).toHaveLength(EVENTS);
  expect(disabled).toEqual(['gone']);
  expect(logs.dead.every(({ state }) => state === 'pending')).toBe(true);
  // Far fewer attempts than deliveries: one that takes nothing is left alone.
  expect(by.dead?.hits.length).toBeLessThan(EVENTS);
});
