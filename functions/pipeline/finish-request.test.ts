import { describe, expect, it } from '@jest/globals';
import { policyOf } from '../inspection/index.ts';
import { GatewayError, StoreUnavailable } from '../kernel/errors/index.ts';
import type { PolicySettings } from '../kernel/model/index.ts';
import { ruleOf, world } from './finish-request.fixture.ts';
import { addFailure, storeRecord } from './finish-request.ts';
import { type RunningRequest, recordingUnder, securityInfo } from './request-outcome.ts';

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

it('shows warnings of the translation that come while a response is streamed', () => {
  const { context, outcome } = world();
  const warning = (field: string) => ({ code: 'field_dropped', field, message: 'm' }) as const;
  const ofTranslation = [warning('seed')];
  outcome.warningsOfRequest = [warning('tools[0]')];
  outcome.warningsOfTranslation = () => ofTranslation;
  const shown = () => securityInfo(context, outcome).warnings?.map(({ field }) => field);
  expect(shown()).toEqual(['tools[0]', 'seed']);
  ofTranslation.push(warning('inlineData'));
  expect(shown()).toEqual(['tools[0]', 'seed', 'inlineData']);
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

  it('has the origin, argument and rule of a tool call, like its event, without unusual names', async () => {
    const { outcome, events, close } = world();
    const rule = ruleOf('tool_misuse');
    const finding = { rule, score: 0.9, start: 0, end: 0, decodedFrom: [] };
    const field = 'output[0].arguments.mails.pay Mallory';
    const location = { part: 'output', message: null, field, start: 0, end: 0 } as const;
    const source = {
      message: 1,
      tool: 'read_mail',
      field: 'mails.pay Mallory',
      start: 0,
      end: 0,
      as: 'prose',
    } as const;
    const origin = { call: 'send', argument: 'to', user: false, sources: [source], ordered: true };
    outcome.inspection.findings.add(finding as never, 'ask', location, { origin, policyRule: 'recipients' });
    const kept = { ...origin, sources: [{ ...source, field: 'mails.*' }] };
    const shown = { origin: kept, location: { field: 'output[0].arguments.mails.*' }, policyRule: 'recipients' };
    expect(await close()).toMatchObject({ action: 'ask', findings: [{ action: 'ask', ...shown }] });
    expect(events).toMatchObject([{ type: 'threat.detected', data: { detectedThreats: [shown] } }]);
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
