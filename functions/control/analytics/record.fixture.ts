import fc from 'fast-check';
import type { RequestRecord } from '../../kernel/model/index.ts';

export const T0 = Date.parse('2026-11-21T09:30:00.000Z');
let made = 0;

/** A typical record, with the given fields. */
export function recordOf(fields: Partial<RequestRecord> = {}): RequestRecord {
  made += 1;
  return {
    id: `req_${made.toString(16).padStart(32, '0')}`,
    time: new Date(T0).toISOString(),
    keyId: 'key_1',
    environment: 'Production',
    sessionId: null,
    endUserId: null,
    appVersion: null,
    route: '/v1/chat/completions',
    attempts: 1,
    provider: 'openai',
    model: 'gpt-4o-mini',
    stream: false,
    state: 'completed',
    status: 200,
    errorCode: null,
    action: 'allow',
    threatScore: 0,
    turnScore: 0,
    findings: [],
    threats: {},
    tokens: { input: 10, output: 5 },
    costUsd: 0.000_004_5,
    latencyMs: 420.5,
    timeToFirstTokenMs: null,
    processingMs: 1.25,
    capture: 'none',
    shadow: null,
    ...fields,
  };
}

/** Records of a busy day: several keys, models, end users and sessions, every outcome, around two midnights. */
export const anyRecord: fc.Arbitrary<RequestRecord> = fc
  .record({
    time: fc.integer({ min: 0, max: 60 * 3_600_000 }).map((ms) => new Date(T0 + ms).toISOString()),
    keyId: fc.constantFrom('key_1', 'key_2', 'key_3'),
    teamId: fc.constantFrom(undefined, undefined, 'team_1', 'team_2'),
    tags: fc.constantFrom(undefined, { app: 'shop' }, { app: 'desk#1', tier: 'gold' }),
    requestTags: fc.constantFrom(undefined, undefined, { feature: 'search' }, { feature: 'chat', tier: 'other' }),
    environment: fc.constantFrom('Production', 'Staging', 'canary#1'),
    endUserId: fc.constantFrom(null, null, 'ann', 'bob#2'),
    sessionId: fc.constantFrom(null, null, 's1', 's2'),
    appVersion: fc.constantFrom(null, '1.0', '2.0'),
    model: fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4', null),
    state: fc.constantFrom('completed', 'completed', 'blocked', 'failed', 'cancelled', 'expired'),
    status: fc.constantFrom(200, 200, 400, 429, 503, null),
    action: fc.constantFrom('allow', 'allow', 'flag', 'redact', 'ask', 'block'),
    threats: fc.constantFrom({}, {}, { jailbreak: 1 }, { jailbreak: 2, pii: 3 }),
    turnScore: fc.constantFrom(0, 0, 0.4, 0.9),
    tokens: fc.record({
      input: fc.option(fc.nat(10_000), { nil: null }),
      output: fc.option(fc.nat(10_000), { nil: null }),
    }),
    unknownCharges: fc.constantFrom(undefined, undefined, ['tokens'], ['webSearch', 'serviceTier']),
    costUsd: fc.option(
      fc.nat(1_000_000).map((nanos) => nanos / 1e9),
      { nil: null },
    ),
    cache: fc.constantFrom(undefined, undefined, 'hit', 'miss'),
    toolChange: fc.constantFrom(undefined, undefined, 'changed' as const, 'removed' as const),
    savedUsd: fc.constantFrom(undefined, 0.000_004_5),
    latencyMs: fc.integer({ min: 1, max: 60_000 }),
    timeToFirstTokenMs: fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: null }),
  })
  .map((fields) => recordOf(JSON.parse(JSON.stringify(fields)) as Partial<RequestRecord>));
