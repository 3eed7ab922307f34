import { describe, expect, it } from '@jest/globals';
import type { SessionRef, SessionScore, SessionStore } from '../control/sessions/index.ts';
import type { Policy } from '../inspection/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { TEST_KEY } from '../kernel/model/api-key.fixture.ts';
import type { GatewayEvent } from '../kernel/model/index.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { rememberTurn } from './remember.ts';
import { type RunningRequest, recordingUnder, securityInfo } from './request-outcome.ts';
import { runningRequest } from './running-request.fixture.ts';
import { joinSession } from './session-past.ts';

const NOW = 1_795_231_800_000;
const clock = { now: () => NOW, monotonic: () => 0 };

const nameOf = (ref: SessionRef) => ('name' in ref ? `${ref.keyId} ${ref.name}` : `${ref.keyId} ${ref.sessionId}`);

type Change = Parameters<SessionStore['update']>[1];
type Tell = Parameters<SessionStore['update']>[2];

class FakeSessions implements SessionStore {
  readonly kept = new Map<string, SessionScore>();
  readonly calls: string[] = [];
  readonly reported: GatewayEvent[] = [];

  async read(keyId: string, name: string) {
    this.calls.push('read');
    return this.kept.get(`${keyId} ${name}`);
  }

  /** Each end user has one session. */
  async join(keyId: string, endUserId: string) {
    this.calls.push('join');
    const sessionId = `ses_of_${endUserId}`;
    return { sessionId, score: this.kept.get(`${keyId} ${sessionId}`) };
  }

  async update(ref: SessionRef, change: Change, report: Tell) {
    this.calls.push('update');
    const known = this.kept.get(nameOf(ref));
    const changed = change(known);
    this.kept.set(nameOf(ref), changed);
    const event = report?.(known, changed);
    if (event !== undefined) this.reported.push(event);
  }
}
const outOfReach: SessionStore = {
  read: () => Promise.reject(new StoreUnavailable('sessions table: TimeoutError')),
  join: () => Promise.reject(new StoreUnavailable('sessions table: TimeoutError')),
  update: () => Promise.reject(new StoreUnavailable('sessions table: TimeoutError')),
};
const depsWith = (sessions: SessionStore) =>
  ({ sessions, clock, digestKeys: { hashes: async (text: string) => [text] } }) as unknown as PipelineDeps;

interface Turn {
  readonly sessionId?: string | null;
  readonly endUserId?: string | null;
  readonly keyId?: string;
  readonly score?: number;
}

function requestOf({ sessionId = null, endUserId = null, keyId = 'key_1', score = 0 }: Turn): RunningRequest {
  const tracking = { sessionId, endUserId, environment: null, appVersion: null, tags: {} };
  const owner = { ...TEST_KEY, id: keyId };
  const request = runningRequest({ key: owner, clock, tracking });
  request.outcome.inspection.scored(score);
  request.outcome.endsAs('completed');
  return request;
}

const join = ({ context, outcome }: RunningRequest, sessions: SessionStore) =>
  outcome.joins(joinSession(context, outcome, depsWith(sessions)));

/** The suspicion before the turn, and the stored data after it. */
async function take(turn: Turn, sessions: SessionStore): Promise<number> {
  const request = requestOf(turn);
  const past = await join(request, sessions);
  await rememberTurn(request, depsWith(sessions));
  return past;
}

describe("a session's history", () => {
  it('is the score of its earlier turns, and belongs to one key', async () => {
    const sessions = new FakeSessions();
    await take({ sessionId: 's', score: 0.8 }, sessions);
    expect(await take({ sessionId: 's' }, sessions)).toBeCloseTo(0.5);
    expect(await take({ sessionId: 't' }, sessions)).toBe(0);
    expect(await take({ sessionId: 's', keyId: 'key_2' }, sessions)).toBe(0);
  });

  it("is that of the end user's open session if the caller names none; the response names it", async () => {
    const sessions = new FakeSessions();
    await take({ endUserId: 'ann', score: 0.8 }, sessions);
    expect(await take({ endUserId: 'ann' }, sessions)).toBeCloseTo(0.5);
    expect(await take({ endUserId: 'bob' }, sessions)).toBe(0);
    expect(await take({ endUserId: 'ann', sessionId: 'named' }, sessions)).toBe(0);
    const request = requestOf({ endUserId: 'ann' });
    await join(request, sessions);
    expect(securityInfo(request.context, request.outcome).session_id).toBe('ses_of_ann');
  });

  it.each([
    ['a request of no session', {}, 'completed', []],
    ['an ordinary turn', { sessionId: 's', score: 0.3 }, 'completed', ['read']],
    ['a request that was refused', { sessionId: 's', score: 0.9 }, 'refused', ['read']],
  ] as const)('is not written by %s', async (_, turn, outcome, calls) => {
    const sessions = new FakeSessions();
    const request = requestOf(turn);
    request.outcome.endsAs(outcome);
    await join(request, sessions);
    await rememberTurn(request, depsWith(sessions));
    expect(sessions.calls).toEqual(calls);
  });

  it.each([['s', null, 's'] as const, [null, 'ann', null] as const])(
    'is skipped if the store is unavailable, which is reported and recorded',
    async (sessionId, endUserId, reported) => {
      const request = requestOf({ score: 0.9, sessionId, endUserId });
      expect(await join(request, outOfReach)).toBe(0);
      await rememberTurn(request, depsWith(outOfReach));
      expect(securityInfo(request.context, request.outcome)).toMatchObject({
        session_id: reported,
        coverage: { skipped: ['session score', 'session memory'] },
      });
      expect(request.outcome.memory?.hasOccurred('a condition')).toBeUndefined();
      const notes = ['session not read: sessions table: TimeoutError'];
      if (sessionId !== null) notes.push('session not written: sessions table: TimeoutError');
      expect(request.outcome.internal).toBe(notes.join('; '));
    },
  );
});

describe('what a session learns for tool calls', () => {
  const news = { seen: ['a@evil.test'], typed: [], occurred: [] };
  const next = async (sessions: FakeSessions, turn: Turn, found = news) => {
    const request = requestOf(turn);
    await join(request, sessions);
    await request.outcome.learns(async () => found);
    await rememberTurn(request, depsWith(sessions));
    return request.outcome;
  };

  it('is written once, with the score or without', async () => {
    const sessions = new FakeSessions();
    for (const score of [0, 0, 0.8]) await next(sessions, { sessionId: 's', score });
    expect(sessions.calls).toEqual(['read', 'update', 'read', 'read', 'update']);
    expect(sessions.kept.get('key_1 s')).toMatchObject({ highest: 0.8, values: [expect.any(String)] });
  });

  it('is nothing without a session, and a fault in it is noted', async () => {
    const sessions = new FakeSessions();
    expect((await next(sessions, {})).news).toBeUndefined();
    const request = requestOf({ sessionId: 's' });
    await join(request, sessions);
    await request.outcome.learns(() => Promise.reject(new Error('a fault')));
    expect([request.outcome.news, request.outcome.internal]).toEqual([undefined, 'session learned nothing: a fault']);
  });
});

describe('a session that its policy flags', () => {
  const turns = async (scores: readonly number[], flagsSessionFrom = 0.5) => {
    const sessions = new FakeSessions();
    for (const score of scores) {
      const request = requestOf({ sessionId: 's', endUserId: 'ann', score });
      request.outcome.recording = recordingUnder({
        capture: 'none',
        flagsAttacksFrom: flagsSessionFrom,
        tallyShadow: () => undefined,
      } as unknown as Policy);
      request.outcome.asked = { model: 'gpt-4o', stream: false };
      await join(request, sessions);
      await rememberTurn(request, depsWith(sessions));
    }
    return sessions.reported;
  };

  it('is reported once, by the request that reached the score', async () => {
    expect(await turns([0.7, 0.45])).toMatchObject([
      {
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        type: 'session.flagged',
        created: new Date(NOW).toISOString(),
        data: {
          requestId: 'req_1',
          keyId: 'key_1',
          sessionId: 's',
          endUserId: 'ann',
          model: 'gpt-4o',
          threatScore: 0.55,
        },
      },
    ]);
    expect(await turns([0.9, 0.9, 0.9, 0.9])).toMatchObject([{ data: { threatScore: 0.6 } }]);
  });

  it('is not reported before, nor if its policy flags no attacks', async () => {
    expect(await turns([0.7])).toEqual([]);
    expect(await turns([0.9, 0.9], Number.POSITIVE_INFINITY)).toEqual([]);
  });
});
