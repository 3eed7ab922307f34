import { describe, expect, it } from '@jest/globals';
import { failingNote, nextAttemptOf, stateOf, whyNotAgain } from './delivery-words.ts';

const NOW = Date.parse('2026-11-21T09:30:00.000Z');
const iso = (ms: number) => new Date(NOW + ms).toISOString();
const active = { state: 'active' } as const;
const disabled = { state: 'disabled' } as const;
const paused = { state: 'active', pausedUntil: iso(90_000) } as const;
const due = { state: 'pending', nextAttemptAt: iso(-60_000) } as const;

describe('the next attempt', () => {
  it('is never a time in the past', () => {
    expect(nextAttemptOf(due, active, NOW)).toBe('Due now');
    expect(nextAttemptOf({ ...due, nextAttemptAt: iso(60_000) }, active, NOW)).toMatch(/21 Nov/);
    expect(nextAttemptOf(due, disabled, NOW)).toBe('None: disabled');
    expect(nextAttemptOf({ state: 'delivered', nextAttemptAt: null }, active, NOW)).toBe('–');
  });

  it('waits for the end of a pause', () => {
    expect(nextAttemptOf(due, paused, NOW)).toMatch(/^Paused until .*:31:30$/);
    expect(nextAttemptOf({ ...due, nextAttemptAt: iso(120_000) }, paused, NOW)).toMatch(/:32:00$/);
    expect(nextAttemptOf(due, paused, NOW + 90_000)).toBe('Due now');
  });
});

describe('delivering again', () => {
  it.each([
    ['delivered', active, undefined],
    ['dead', active, undefined],
    ['pending', active, 'It is still to be sent.'],
    ['gathered', active, 'Deliver the combined delivery again instead.'],
    ['dead', disabled, 'The webhook is disabled. Enable it first.'],
  ] as const)('one that is %s, for a webhook %j', (state, webhook, reason) => {
    expect(whyNotAgain({ state }, webhook)).toBe(reason);
  });
});

describe('the state of a delivery', () => {
  const attempt = { at: iso(0), durationMs: 1, status: 500, failure: 'status', response: null } as const;
  it.each([
    ['pending', [], 1, 'Waiting'],
    ['pending', [attempt], 1, 'Retrying'],
    ['pending', [], null, 'Collecting'],
    ['gathered', [], 1, 'Combined'],
    ['dead', [attempt], 1, 'Given up'],
    ['delivered', [attempt], 1, 'Delivered'],
  ] as const)('%s with attempts %j and count %s is %s', (state, attempts, count, name) => {
    expect(stateOf({ state, attempts: [...attempts], count }).name).toBe(name);
  });
});

it('says since when an endpoint fails', () => {
  expect(failingNote({ failingSince: iso(-7_200_000) }, NOW)).toMatch(/^Failing for 2 hr/);
  expect(failingNote({ failingSince: null }, NOW)).toBeUndefined();
});
