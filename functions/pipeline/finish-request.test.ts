import { describe, expect, it } from '@jest/globals';
import type { Refusal } from '../control/limits/index.ts';
import { noSessions } from '../control/sessions/no-sessions.fixture.ts';
import { policyOf } from '../inspection/index.ts';
import { GatewayError, StoreUnavailable } from '../kernel/errors/index.ts';
import type { RequestRef } from '../kernel/http/index.ts';
import {
  createKeySchema,
  type GatewayEvent,
  type PolicySettings,
  type RequestRecord,
  SYNTHETIC_CHECK_KEY_ID,
} from '../kernel/model/index.ts';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import { ModelCatalog } from '../translation/index.ts';
import { addFailure, storeRecord } from './finish-request.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { Tracking } from './request-context.ts';
import { RefusalNotices } from './request-events.ts';
import type { RequestSummary } from './request-log.ts';
import { type Outcome, type RunningRequest, recordingUnder } from './request-outcome.ts';
import { runningRequest } from './running-request.fixture.ts';

const NOW = Date.parse('2026-11-21T09:30:00.000Z');
const key = {
  ...createKeySchema.parse({ name: 'test', environment: 'Staging' }),
  id: 'key_1',
  state: 'active' as const,
  last4: 'aaaa',
  createdAt: '2026-11-21T09:00:00.000Z',
  secretHash: '',
};
const MODELS = new ModelCatalog({ 'openai/gpt-4o': { input: 100, output: 100 } });
const STATES = { requests: { admitted: false, remaining: 0, fullInMs: 1, nextInMs: 1 }, tokens: undefined };
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A request with its own clock, and its stored data. */
function world(tracking: Partial<Tracking> = {}, keyId = key.id) {
  const time = { ms: 5_000 };
  const clock = { now: () => NOW + time.ms, monotonic: () => time.ms };
  const records: RequestRecord[] = [];
  const lines: RequestSummary[] = [];
  const lost: string[][] = [];
  const events: GatewayEvent[] = [];
  const backgroundTasks = new BackgroundTasks();
  const deps = {
    clock,
    backgroundTasks,
    records: {
      write: async (record: RequestRecord, event?: GatewayEvent) => {
        await turn();
        time.ms += 1_000;
        records.push(record);
        if (event !== undefined) events.push(event);
      },
    },
    log: {
      record: (line: RequestSummary) => lines.push(line),
      lost: ({ requestId }: RequestRef, what: string, error: Error) => lost.push([requestId, what, error.message]),
    },
    refusals: new RefusalNotices(),
    sessions: noSessions,
  } as unknown as PipelineDeps;
  const request = runningRequest({
    route: '/v1/chat/completions',
    key: { ...key, id: keyId },
    clock,
    models: MODELS,
    startedAt: 4_990,
    tracking: { sessionId: null, endUserId: null, environment: null, appVersion: null, tags: {}, ...tracking },
  });
  const close = async () => {
    storeRecord(request, deps);
    await backgroundTasks.idle();
    return records[0] as RequestRecord;
  };
  return {
    request,
    context: request.context,
    outcome: request.outcome,
    deps,
    time,
    records,
    lines,
    lost,
    events,
    close,
  };
}

const OF_ALL = { id: 'a/b', category: 'c', severity: 'high', message: 'm', owasp: 'o', atlas: null };
const ruleOf = (type: string) => ({ ...OF_ALL, type });

describe('what a shadow policy would have done', () => {
  const rules = [{ id: 'zeus', literals: ['zeus'], action: 'block' as const }];
  const found = (id: string) =>
    ({ rule: { ...ruleOf('obfuscation'), id }, score: 1, start: 0, end: 4, decodedFrom: [] }) as never;
  const location = { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 4 } as const;
  const actionOn = async (id: string, shadow: PolicySettings) => {
    const { outcome, close } = world();
    outcome.recording = recordingUnder(policyOf({ unreadable: 'block', rules, shadow } as PolicySettings));
    outcome.inspection.findings.add(found(id), 'block', location);
    return (await close()).shadow?.action;
  };

  it('includes findings that are not made in texts', async () => {
    expect(await actionOn('files/unreadable', { unreadable: 'block' })).toBe('block');
    expect(await actionOn('files/unreadable', { unreadable: 'allow' })).toBe('allow');
    expect(await actionOn('moderation/hate', { input: { obfuscation: { action: 'block', threshold: 0.9 } } })).toBe(
      'block',
    );
  });

  it('includes no finding in a text that it did not make itself, as one that it allows', async () => {
    expect(await actionOn('custom/zeus', { rules })).toBe('allow');
    expect(
      await actionOn('code-injection/script-tag', { input: { obfuscation: { action: 'block', threshold: 0.5 } } }),
    ).toBe('allow');
  });
});

describe('a request that has ended', () => {
  it('stores one record, dated by its arrival, whose times end with the response', async () => {
    const { context, outcome, time, records, lines, close } = world();
    outcome.asked = { model: 'gpt-4o', stream: true };
    outcome.routed = { targets: [{ provider: 'openai', model: 'gpt-4o' }], alternativeModels: [], route: undefined };
    outcome.usage.report({ inputTokens: 12, outputTokens: 3 });
    outcome.endsAs('completed');
    time.ms += 20;
    outcome.times.firstPieceSent();
    time.ms += 70;
    expect(await close()).toEqual({
      id: 'req_1',
      traceId: context.trace.traceId,
      time: '2026-11-21T09:30:04.990Z',
      keyId: 'key_1',
      environment: 'Staging',
      sessionId: null,
      endUserId: null,
      appVersion: null,
      attempts: 0,
      route: '/v1/chat/completions',
      provider: 'openai',
      model: 'gpt-4o',
      stream: true,
      state: 'completed',
      status: 200,
      errorCode: null,
      action: 'allow',
      threatScore: 0,
      turnScore: 0,
      findings: [],
      threats: {},
      tokens: { input: 12, output: 3 },
      costUsd: 0.0015,
      inputCostUsd: 0.0012,
      latencyMs: 100,
      timeToFirstTokenMs: 30,
      processingMs: 10,
      stages: { auth: [0, 10], stream: [30, 100] },
      capture: 'none',
      shadow: null,
    });
    expect([records.length, lines.length, lines[0]?.durationMs]).toEqual([1, 1, 100]);
  });

  it('does not delay the response', async () => {
    const { request, deps, records } = world();
    storeRecord(request, deps);
    expect(records).toEqual([]);
    await deps.backgroundTasks.idle();
    expect(records).toHaveLength(1);
  });

  const failed =
    (code: 'provider_error' | 'invalid_value' | 'content_filter' | 'rate_limit_exceeded') =>
    (request: RunningRequest) =>
      void addFailure(request, new GatewayError(code, 'x'));
  const ended =
    (ending: 'completed' | 'blocked') =>
    ({ outcome }: RunningRequest) =>
      outcome.endsAs(ending);
  it.each([
    ['was served', ended('completed'), 'completed', 200, null],
    ['was blocked', failed('content_filter'), 'blocked', 400, 'content_filter'],
    ['was declined', ended('blocked'), 'blocked', 200, null],
    ['was refused', failed('invalid_value'), 'failed', 400, 'invalid_value'],
    ['was over its limit', failed('rate_limit_exceeded'), 'failed', 429, 'rate_limit_exceeded'],
    ['failed', failed('provider_error'), 'failed', 502, 'provider_error'],
    [
      'failed after its status was sent',
      (request: RunningRequest) => {
        request.outcome.sentStatus(200);
        failed('provider_error')(request);
      },
      'failed',
      200,
      'provider_error',
    ],
    [
      'was left by its caller',
      (request: RunningRequest) => {
        request.lifetime.stop('cancelled');
        failed('provider_error')(request);
      },
      'cancelled',
      null,
      'request_cancelled',
    ],
    [
      'was left by its caller in the middle of a stream',
      (request: RunningRequest) => {
        request.outcome.sentStatus(200);
        request.lifetime.stop('cancelled');
      },
      'cancelled',
      200,
      null,
    ],
    [
      'took too long',
      (request: RunningRequest) => {
        request.outcome.sentStatus(200);
        request.lifetime.stop('expired');
        failed('provider_error')(request);
      },
      'expired',
      200,
      'provider_timeout',
    ],
  ] as const)('says how it ended: %s', async (_, happen, state, status, errorCode) => {
    const { request, close } = world();
    happen(request);
    expect(await close()).toMatchObject({ state, status, errorCode });
  });

  it('has the known part of the cost and names the unknown one', async () => {
    for (const [model, usage, cost, unknown] of [
      ['gpt-4o', { inputTokens: 10, outputTokens: 5 }, 0.0015, undefined],
      ['gpt-4o', { inputTokens: 10 }, 0.001, ['outputTokens']],
      ['gpt-unknown', { inputTokens: 10, outputTokens: 5 }, null, ['tokens']],
      ['gpt-4o', null, null, undefined],
    ] as const) {
      const { outcome, close } = world();
      outcome.routed = { targets: [{ provider: 'openai', model }], alternativeModels: [], route: undefined };
      if (usage !== null) outcome.usage.report(usage);
      const { costUsd, unknownCharges } = await close();
      expect([costUsd, unknownCharges]).toEqual([cost, unknown]);
    }
  });

  it('names the charges of a call that timed out before the fallback, since its provider may bill it', async () => {
    const timeout = new GatewayError('provider_timeout', 'The provider did not respond in time.', { fallback: 'now' });
    const refused = new GatewayError('provider_error', 'The provider failed.', { fallback: 'now' });
    const fallback = { provider: 'openai', model: 'gpt-4o' };
    for (const [failure, unknown] of [
      [timeout, ['furtherModel']],
      [refused, undefined],
    ] as const) {
      const { outcome, lines, close } = world();
      outcome.calls.begin('anthropic', 'claude-sonnet-4-6').failed(failure);
      outcome.routed = { targets: [fallback], alternativeModels: [], route: undefined };
      outcome.calls.begin(fallback.provider, fallback.model);
      outcome.usage.report({ inputTokens: 10, outputTokens: 5 });
      expect(await close()).toMatchObject({ costUsd: 0.0015, ...(unknown && { unknownCharges: unknown }) });
      expect(lines.at(-1)?.unknownCharges ?? []).toEqual(unknown ?? []);
    }
  });

  it('has the cost of the judging model apart from its own', async () => {
    const { outcome, lines, close } = world();
    outcome.routed = { targets: [{ provider: 'openai', model: 'gpt-4o' }], alternativeModels: [], route: undefined };
    outcome.usage.report({ inputTokens: 10, outputTokens: 5 });
    outcome.inspection.judged(900_000);
    outcome.inspection.judged(-500_000);
    expect(await close()).toMatchObject({ costUsd: 0.0015, judgeCostUsd: 0.0004 });
    expect(lines).toMatchObject([{ costUsd: 0.0015, judgeCostUsd: 0.0004 }]);
  });

  it('counts every finding and stores the strongest twenty', async () => {
    const { outcome, close } = world();
    const rule = ruleOf('jailbreak');
    for (let at = 0; at < 30; at += 1) {
      const finding = { rule, score: at / 100, start: at, end: at + 1, decodedFrom: [] };
      const location = { part: 'input', message: 0, field: 'metadata.secret plan', start: at, end: at + 1 } as const;
      outcome.inspection.findings.add(finding as never, 'flag', location);
    }
    const { findings, threats } = await close();
    expect(threats).toEqual({ jailbreak: 30 });
    expect(findings).toHaveLength(20);
    expect(findings[0]).toEqual({
      type: 'jailbreak',
      rule: 'a/b',
      severity: 'high',
      score: 0.29,
      action: 'flag',
      location: { part: 'input', message: 0, field: 'metadata.*', start: 29, end: 30 },
    });
  });

  it('has the origin of a tool call, like its event, without unusual names', async () => {
    const { outcome, events, close } = world();
    const rule = ruleOf('tool_misuse');
    const finding = { rule, score: 0.9, start: 0, end: 0, decodedFrom: [] };
    const location = { part: 'output', message: null, field: 'output', start: 0, end: 0 } as const;
    const source = {
      message: 1,
      tool: 'read_mail',
      field: 'mails.pay Mallory',
      start: 0,
      end: 0,
      as: 'prose',
    } as const;
    const origin = { call: 'send', argument: 'to', user: false, sources: [source], ordered: true };
    outcome.inspection.findings.add(finding as never, 'ask', location, { origin });
    const kept = { ...origin, sources: [{ ...source, field: 'mails.*' }] };
    expect(await close()).toMatchObject({ action: 'ask', findings: [{ action: 'ask', origin: kept }] });
    expect(events).toMatchObject([{ type: 'threat.detected', data: { detectedThreats: [{ origin: kept }] } }]);
  });

  it('stays valid if its record cannot be written, which is logged', async () => {
    const { request, deps, lines, lost } = world();
    const records = { write: () => Promise.reject(new StoreUnavailable('records table: timeout')) };
    storeRecord(request, { ...deps, records });
    await deps.backgroundTasks.idle();
    expect([lines.length, lost]).toEqual([1, [['req_1', 'record', 'records table: timeout']]]);
  });

  it.each([
    ['production', 'Production'],
    ['STAGING', 'Staging'],
    ['canary', 'canary'],
    [null, 'Staging'],
  ])('belongs to the environment of its tag: %s', async (environment, expected) => {
    const { outcome, events, close } = world({ environment });
    outcome.endsAs('blocked');
    expect((await close()).environment).toBe(expected);
    expect(events).toMatchObject([{ data: { environment: expected } }]);
  });
});

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
