import { describe, expect, it } from '@jest/globals';
import { createKeySchema } from '../model/api-key.ts';
import { StoreUnavailable } from '../ports/key-store.ts';
import type { SessionScores } from '../ports/session-scores.ts';
import type { SessionScore } from '../session/suspicion.ts';
import { Exchange, type PipelineDeps } from './exchange.ts';
import { readSuspicion, rememberTurn } from './session-past.ts';

const NOW = 1_795_231_800_000;
const clock = { now: () => NOW, monotonic: () => 0 };
const key = {
  ...createKeySchema.parse({ name: 'test' }),
  id: 'key_1',
  state: 'active' as const,
  last4: 'aaaa',
  createdAt: '2026-11-21T09:00:00.000Z',
  secretHash: '',
};

class FakeSessions implements SessionScores {
  readonly kept = new Map<string, SessionScore>();
  readonly calls: string[] = [];

  async read(keyId: string, sessionId: string) {
    this.calls.push('read');
    return this.kept.get(`${keyId} ${sessionId}`);
  }

  async update(keyId: string, sessionId: string, change: (known: SessionScore | undefined) => SessionScore) {
    this.calls.push('update');
    const name = `${keyId} ${sessionId}`;
    this.kept.set(name, change(this.kept.get(name)));
  }
}
const outOfReach: SessionScores = {
  read: () => Promise.reject(new StoreUnavailable('sessions table: TimeoutError')),
  update: () => Promise.reject(new StoreUnavailable('sessions table: TimeoutError')),
};
const depsWith = (sessions: SessionScores) => ({ sessions, clock }) as PipelineDeps;

function exchangeOf(sessionId: string | null, lastTurnScore = 0, keyId = 'key_1'): Exchange {
  const exchange = new Exchange({ requestId: 'req_1', route: '/', key: { ...key, id: keyId }, clock, startedAt: 0 });
  exchange.tracking = { ...exchange.tracking, sessionId };
  exchange.lastTurnScore = lastTurnScore;
  return exchange;
}

describe("a session's past", () => {
  it('is what its earlier turns left, and belongs to one key', async () => {
    const sessions = new FakeSessions();
    const deps = depsWith(sessions);
    await rememberTurn(exchangeOf('s', 0.8), deps);
    expect(await readSuspicion(exchangeOf('s'), deps)).toBeCloseTo(0.5);
    expect(await readSuspicion(exchangeOf('t'), deps)).toBe(0);
    expect(await readSuspicion(exchangeOf('s', 0, 'key_2'), deps)).toBe(0);
  });

  it.each([
    ['a request of no session', exchangeOf(null, 0.9), 'completed'],
    ['an ordinary turn', exchangeOf('s', 0.3), 'completed'],
    ['a request that was refused', exchangeOf('s', 0.9), 'refused'],
  ] as const)('is not written by %s', async (_, exchange, outcome) => {
    const sessions = new FakeSessions();
    exchange.outcome = outcome;
    await rememberTurn(exchange, depsWith(sessions));
    expect(sessions.calls).toEqual([]);
  });

  it('is not asked for without a session', async () => {
    const sessions = new FakeSessions();
    expect(await readSuspicion(exchangeOf(null), depsWith(sessions))).toBe(0);
    expect(sessions.calls).toEqual([]);
  });

  it('is done without where the store is out of reach, which is told and recorded', async () => {
    const exchange = exchangeOf('s', 0.9);
    expect(await readSuspicion(exchange, depsWith(outOfReach))).toBe(0);
    await rememberTurn(exchange, depsWith(outOfReach));
    expect(exchange.securityInfo().coverage.skipped).toEqual(['session score']);
    expect(exchange.toRecord().internal).toBe(
      'session score not read: sessions table: TimeoutError; session score not written: sessions table: TimeoutError',
    );
  });
});
