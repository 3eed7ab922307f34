import { describe, expect, it } from '@jest/globals';
import { failingNote, nextAttemptOf, stateOf } from './delivery-words.ts';

const NOW = Date.parse('2026-11-21T09:30:00.000Z');
const iso = (ms: number) => new Date(NOW + ms).toISOString();
const active = { state: 'active', failingSince: null } as const;
const failing = { state: 'active', failingSince: iso(-7_200_000) } as const;

describe('the next attempt', () => {
  it('is never a time in the past', () => {
    expect(nextAttemptOf({ state: 'pending', nextAttemptAt: iso(-60_000) }, active, NOW)).toBe('Due now');
    expect(nextAttemptOf({ state: 'pending', nextAttemptAt: iso(-60_000) }, failing, NOW)).toBe('After a pause');
    expect(nextAttemptOf({ state: 'pending', nextAttemptAt: iso(60_000) }, failing, NOW)).toMatch(/21 Nov/);
    expect(nextAttemptOf({ state: 'pending', nextAttemptAt: iso(60_000) }, { ...active, state: 'disabled' }, NOW)).toBe(
      'None: disabled',
    );
    expect(nextAttemptOf({ state: 'delivered', nextAttemptAt: null }, active, NOW)).toBe('–');
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
  expect(failingNote(failing, NOW)).toMatch(/^Failing for 2 hr/);
  expect(failingNote(active, NOW)).toBeUndefined();
});
