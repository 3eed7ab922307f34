import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Policy, type PolicySettings, PRESETS } from '../inspect/policy.ts';
import type { Rule } from '../inspect/rule.ts';
import { SecurityReport } from '../inspect/security-report.ts';
import { THREAT_TYPES, type ThreatType } from '../model/threat.ts';
import type { PastFinding, PastRequest } from '../ports/past-findings.ts';
import { Replay, replayAll } from './replay.ts';

const rule = (id: string, type: ThreatType, fields: Partial<Rule> = {}): Rule => ({
  id,
  type,
  category: 'some',
  severity: 'medium',
  score: 0.9,
  view: 'raw',
  patterns: [],
  surfaces: [],
  message: '',
  owasp: '',
  atlas: null,
  ...fields,
});
const RULES = new Map(
  [
    ...THREAT_TYPES.map((type) => rule(`plain/${type}`, type)),
    rule('personal-data/email', 'pii', { category: 'email' }),
    rule('test-text/block', 'prompt_injection', { forcedAction: 'block' }),
    rule('obfuscation/encoded', 'obfuscation', { signal: 'encoded' }),
  ].map((one) => [one.id, one]),
);
const ruleOf = (id: string) => RULES.get(id);

const direction = fc.dictionary(
  fc.constantFrom(...THREAT_TYPES),
  fc.record({
    action: fc.constantFrom('off' as const, 'flag' as const, 'redact' as const, 'block' as const),
    threshold: fc.constantFrom(0.3, 0.6, 0.9),
  }),
);
const policies: fc.Arbitrary<PolicySettings> = fc.record(
  {
    preset: fc.constantFrom(...PRESETS),
    input: direction,
    output: direction,
    allow: fc.constantFrom([], [{ rules: ['plain/jailbreak'] }], [{ literal: 'x', rules: ['plain/secret'] }]),
  },
  { requiredKeys: [] },
);
const findings = fc.array(
  fc.record({
    rule: fc.constantFrom(...RULES.values()),
    score: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
    part: fc.constantFrom('input' as const, 'output' as const),
  }),
  { maxLength: 6 },
);

/** A request as it is judged live, and as its record has it. */
function judged(
  policy: Policy,
  settings: PolicySettings,
  all: readonly { rule: Rule; score: number; part: PastFinding['part'] }[],
): PastRequest {
  const report = new SecurityReport();
  for (const { rule: found, score, part } of all) {
    const finding = { rule: found, score, start: 0, end: 1, decodedFrom: [] };
    const surface = part === 'input' ? 'user' : 'output';
    if (settings.allow?.some(({ literal, rules }) => literal === undefined && rules?.includes(found.id))) continue;
    const location = { part, message: null, field: 'messages[0].content', start: 0, end: 1 };
    if (policy.notes(finding, surface)) report.note(finding, location);
    report.add(finding, policy.decide(finding, surface), location);
  }
  return request(
    report.threats.map(({ type, rule: id, score, location: { part, field } }) => ({
      type,
      rule: id,
      score,
      part,
      field,
    })),
    { action: report.action },
  );
}

function request(past: readonly PastFinding[], fields: Partial<PastRequest> = {}): PastRequest {
  const time = '2026-06-01T00:00:00.000Z';
  return { id: 'req_1', time, keyId: 'key_1', action: 'flag', findings: past, findingCount: past.length, ...fields };
}
const found = (id: string, fields: Partial<PastFinding> = {}): PastFinding => ({
  type: RULES.get(id)?.type ?? 'secret',
  rule: id,
  score: 0.9,
  part: 'input',
  field: 'messages[0].content',
  ...fields,
});
const decide = (settings: PolicySettings, ...past: PastFinding[]) => new Replay(settings, ruleOf).decide(request(past));

describe('a replay', () => {
  it('of the policy that a request was judged by decides as it was decided', () => {
    fc.assert(
      fc.property(policies, findings, (settings, all) => {
        const past = judged(new Policy(settings), settings, all);
        expect(new Replay(settings, ruleOf).decide(past)).toBe(past.action);
      }),
      { numRuns: 500 },
    );
  });

  it('of monitor, which tells everything, decides for any policy as that would have', () => {
    fc.assert(
      fc.property(policies, findings, (settings, all) => {
        const told = all.filter(({ score }) => score >= 0.5);
        const past = judged(new Policy({ preset: 'monitor' }), {}, told);
        expect(new Replay(settings, ruleOf).decide(past)).toBe(judged(new Policy(settings), settings, told).action);
      }),
      { numRuns: 500 },
    );
  });

  it("knows a policy's own rules and topics by their names, and none of another policy's", () => {
    const own: PolicySettings = {
      rules: [{ id: 'zeus', literals: ['Zeus'], action: 'block' }],
      bannedTopics: [{ name: 'gambling', action: 'flag' }],
    };
    expect(decide(own, found('custom/zeus'))).toBe('block');
    expect(decide(own, found('topic/gambling'))).toBe('flag');
    expect(decide(own, found('custom/hera'), found('topic/politics'), found('custom/gambling'))).toBe('allow');
    expect(decide({}, found('custom/zeus'))).toBe('allow');
  });

  it('never acts on definitions, which are flagged at most', () => {
    const block: PolicySettings = { preset: 'strict' };
    expect(decide(block, found('plain/jailbreak', { field: 'tools[0].function.description' }))).toBe('flag');
    expect(decide(block, found('plain/jailbreak', { field: 'toolsmith' }))).toBe('block');
  });

  it('goes by the type where the rule is gone', () => {
    expect(decide({ preset: 'strict' }, found('gone/secret', { part: 'output' }))).toBe('redact');
  });
});

describe('a report', () => {
  const past = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      request([found('plain/jailbreak', { score: at % 2 === 0 ? 0.7 : 0.9 })], {
        id: `req_${at}`,
        time: new Date(Date.parse('2026-06-01T00:00:00Z') - at).toISOString(),
        keyId: at % 3 === 0 ? 'key_a' : 'key_b',
        action: at % 2 === 0 ? 'flag' : 'block',
        findingCount: at === 0 ? 21 : 1,
      }),
    );
  async function* from(requests: readonly PastRequest[]) {
    yield* requests;
  }

  it('counts what was done and what would have been, and names the latest that differ', async () => {
    const strict = new Replay({ preset: 'strict' }, ruleOf);
    const report = await replayAll(from(past(10)), async () => strict);
    expect(report).toMatchObject({
      requests: 10,
      incomplete: 1,
      live: { allow: 0, flag: 5, redact: 0, block: 5 },
      replayed: { allow: 0, flag: 0, redact: 0, block: 10 },
      changed: 5,
      readBackTo: null,
    });
    expect(report.examples.map(({ requestId }) => requestId)).toEqual(['req_0', 'req_2', 'req_4', 'req_6', 'req_8']);
    expect(report.examples[0]).toEqual({
      requestId: 'req_0',
      time: '2026-06-01T00:00:00.000Z',
      keyId: 'key_a',
      live: 'flag',
      replayed: 'block',
    });
  });

  it("decides about each key's requests by what counts for that key", async () => {
    const [strict, monitor] = [new Replay({ preset: 'strict' }, ruleOf), new Replay({ preset: 'monitor' }, ruleOf)];
    const { replayed } = await replayAll(from(past(9)), async (keyId) => (keyId === 'key_a' ? strict : monitor));
    expect(replayed).toMatchObject({ block: 3, flag: 6 });
  });

  it('reads 5,000 requests at most and says how far back it came', async () => {
    const monitor = new Replay({ preset: 'monitor' }, ruleOf);
    const requests = past(5_001);
    const report = await replayAll(from(requests), async () => monitor);
    expect([report.requests, report.readBackTo]).toEqual([5_000, requests[4_999]?.time]);
    expect(report.examples).toHaveLength(50);
  });
});
