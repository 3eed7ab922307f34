import { describe, expect, it } from '@jest/globals';
import type { Refusal } from '../control/limits/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { SYNTHETIC_CHECK_KEY_ID } from '../kernel/model/index.ts';
import { ruleOf, world } from './finish-request.fixture.ts';
import { addFailure, storeRecord } from './finish-request.ts';
import type { Outcome } from './request-outcome.ts';

const CALLER = { teamId: 'team_1', identity: { issuer: 'https://login.example.com', subject: 'sue' } };
const STATES = { requests: { admitted: false, remaining: 0, fullInMs: 1, nextInMs: 1 }, tokens: undefined };

describe('a request over a limit', () => {
  const RESET_MS = Date.parse('2026-11-22T00:00:00.000Z');
  const refused = (refusal?: Refusal) => {
    const all = world({ endUserId: 'ann', environment: 'canary' });
    if (refusal !== undefined) all.outcome.admission = { verdict: { admitted: false, refusal, states: STATES } };
    all.outcome.asked = { model: 'gpt-4o', stream: false };
    addFailure(all.request, new GatewayError('rate_limit_exceeded', 'x'));
    return all;
  };
  const refusal = { limit: 'requests', retryInMs: 100, resetAtMs: RESET_MS } as const;
  const data = { requestId: 'req_1', keyId: 'key_1', environment: 'canary', endUserId: 'ann', model: 'gpt-4o' };

  it('is reported once a minute, with the number of refusals', async () => {
    const { request, deps, time, events, close } = refused(refusal);
    for (let at = 0; at < 3; at += 1) await close();
    expect(events).toEqual([
      {
        id: 'evt_1',
        type: 'rate_limit.exceeded',
        created: expect.any(String),
        data: { ...data, limit: 'requests', resetTime: '2026-11-22T00:00:00.000Z', count: 1 },
      },
    ]);
    time.ms += 60_000;
    storeRecord(request, deps);
    await deps.backgroundTasks.idle();
    expect(events[1]).toMatchObject({ type: 'rate_limit.exceeded', data: { count: 3 } });
  });

  it('is reported as a spent budget, with the tag that shares it', async () => {
    const tagBudget = { tag: 'team', value: 'data', usd: 1, period: 'day' } as const;
    const { events, close } = refused({ ...refusal, limit: 'budget', tagBudget });
    await close();
    const tag = { name: 'team', value: 'data' };
    expect(events).toMatchObject([{ type: 'budget.exceeded', data: { ...data, limit: 'budget', tag, count: 1 } }]);
  });

  it.each<[string, Refusal]>([
    ['rate_limit.exceeded', refusal],
    ['budget.exceeded', { ...refusal, limit: 'budget' }],
  ])('names the team and the identity of its caller: %s', async (type, why) => {
    const { context, events, close } = refused(why);
    Object.assign(context.key, CALLER);
    await close();
    expect(events).toMatchObject([{ type, data: CALLER }]);
  });

  it('of its provider is not reported', async () => {
    const { events, close } = refused();
    await close();
    expect(events).toEqual([]);
  });
});

describe('an event with findings', () => {
  const rule = ruleOf('jailbreak');
  const find = ({ inspection }: Outcome, score: number, field: string) => {
    const finding = { rule, score, start: 0, end: 1, decodedFrom: [], evidence: 'pl****ed' };
    inspection.findings.add(finding as never, 'flag', { part: 'input', message: 0, field, start: 0, end: 1 });
  };

  it("is part of the record's write and has the strongest findings, without text of the caller", async () => {
    const { outcome, events, close } = world();
    outcome.endsAs('completed');
    for (let at = 0; at < 30; at += 1) find(outcome, at / 100, 'metadata.planted text');
    const record = await close();
    expect(events).toMatchObject([
      { id: 'evt_1', type: 'threat.detected', data: { requestId: record.id, action: 'flag' } },
    ]);
    const [event] = events;
    const detectedThreats = (event?.type === 'threat.detected' && event.data.detectedThreats) || [];
    expect(detectedThreats.map(({ score }) => score)).toEqual(record.findings.map(({ score }) => score));
    expect(detectedThreats[0]?.location).toMatchObject({ field: 'metadata.*' });
    expect(JSON.stringify(events)).not.toMatch(/planted|pl\*/);
  });

  it.each(['completed', 'blocked'] as const)('names the team and the identity of its caller: %s', async (ending) => {
    const { context, outcome, events, close } = world();
    Object.assign(context.key, CALLER);
    find(outcome, 0.9, 'x');
    outcome.endsAs(ending);
    await close();
    expect(events).toMatchObject([{ data: CALLER }]);
  });

  it('has the type of its outcome, and does not exist for a request that passed', async () => {
    const blocked = world();
    find(blocked.outcome, 0.9, 'x');
    blocked.outcome.endsAs('blocked');
    await blocked.close();
    expect(blocked.events).toMatchObject([{ type: 'request.blocked' }]);
    const passed = world();
    passed.outcome.endsAs('completed');
    await passed.close();
    expect(passed.events).toEqual([]);
  });

  it('does not exist for the synthetic check, whose test text is blocked every minute; its request is recorded', async () => {
    const check = world({}, SYNTHETIC_CHECK_KEY_ID);
    find(check.outcome, 0.9, 'x');
    check.outcome.endsAs('blocked');
    expect(await check.close()).toMatchObject({ keyId: SYNTHETIC_CHECK_KEY_ID, state: 'blocked' });
    expect(check.events).toEqual([]);
  });
});
