import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { recordOf } from '../control/analytics/record.fixture.ts';
import { createInspector, InspectionReport, Policy, type ruleOf } from '../inspection/index.ts';
import {
  type Capture,
  type PolicySettings,
  PRESETS,
  type RecordedFinding,
  type RequestRecord,
  THREAT_TYPES,
  type ThreatType,
} from '../kernel/model/index.ts';
import { Replay } from './replay.ts';

type Rule = NonNullable<ReturnType<typeof ruleOf>>;

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
const engine = { ruleOf: (id: string) => RULES.get(id), inspector: createInspector([]) };

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

/** A request as inspected live, and its record. */
function judged(
  policy: Policy,
  settings: PolicySettings,
  all: readonly { rule: Rule; score: number; part: 'input' | 'output' }[],
): RequestRecord {
  const report = new InspectionReport().findings;
  for (const [at, { rule: found, score, part }] of all.entries()) {
    const finding = { rule: found, score, start: at, end: at + 1, decodedFrom: [] };
    const surface = part === 'input' ? 'user' : 'output';
    if (settings.allow?.some(({ literal, rules }) => literal === undefined && rules?.includes(found.id))) continue;
    const location = { part, message: null, field: 'messages[0].content', start: at, end: at + 1 };
    if (policy.notes(finding, surface)) report.note(finding, location);
    report.add(finding, policy.decide(finding, surface), location);
  }
  return recordOf({ action: report.action, findings: [...report.threats] });
}

const found = (id: string, field = 'messages[0].content', part: 'input' | 'output' = 'input'): RecordedFinding => ({
  type: RULES.get(id)?.type ?? 'secret',
  rule: id,
  severity: 'medium',
  score: 0.9,
  action: 'flag',
  location: { part, message: null, field, start: 0, end: 1 },
});
const decide = (settings: PolicySettings, ...findings: RecordedFinding[]) =>
  new Replay(settings, engine).byFindings(recordOf({ findings })).action;

describe('a replay by findings', () => {
  it('of the policy that a request was judged by decides as it was decided', () => {
    fc.assert(
      fc.property(policies, findings, (settings, all) => {
        const past = judged(new Policy(settings), settings, all);
        const replayed = new Replay(settings, engine).byFindings(past);
        expect(replayed.action).toBe(past.action);
        for (const { live, replayed: now } of replayed.findings) expect(now).toBe(live);
      }),
      { numRuns: 500 },
    );
  });

  it('of monitor, which tells everything, decides for any policy as that would have', () => {
    fc.assert(
      fc.property(policies, findings, (settings, all) => {
        const reported = all.filter(({ score }) => score >= 0.5);
        const past = judged(new Policy({ preset: 'monitor' }), {}, reported);
        const { action } = judged(new Policy(settings), settings, reported);
        expect(new Replay(settings, engine).byFindings(past).action).toBe(action);
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
    expect(decide(block, found('plain/jailbreak', 'tools[0].function.description'))).toBe('flag');
    expect(decide(block, found('plain/jailbreak', 'toolsmith'))).toBe('block');
  });

  it('does what the policy says about content that could not be read', () => {
    expect(decide({ unreadable: 'block' }, found('files/unreadable'))).toBe('block');
    expect(decide({ unreadable: 'flag' }, found('files/unreadable'))).toBe('flag');
    expect(decide({ preset: 'strict' }, found('files/unreadable'))).toBe('allow');
  });

  it('goes by the type where the rule is gone', () => {
    expect(decide({ preset: 'strict' }, found('gone/secret', 'choices[0].content', 'output'))).toBe('redact');
  });
});

describe('a replay by text', () => {
  const capture = (content: string, fields: Partial<Capture> = {}): Capture => ({
    mode: 'full',
    request: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
    answer: [{ channel: 'choices[0].content', text: 'I know Zeus, and hera too.' }],
    truncated: false,
    ...fields,
  });
  const zeus: PolicySettings = { rules: [{ id: 'zeus', literals: ['Zeus'], action: 'block', surfaces: ['user'] }] };
  const hera: PolicySettings = { rules: [{ id: 'hera', literals: ['hera'], action: 'redact', type: 'secret' }] };
  const byText = (settings: PolicySettings, kept: Capture, fields: Partial<RequestRecord> = {}) =>
    new Replay(settings, engine).byText(recordOf(fields), kept);

  it('finds what records lack: by rules that are new, in requests and in responses', async () => {
    const custom = { type: 'secret', live: 'allow' } as const;
    expect(await byText(zeus, capture('Who is Zeus?'))).toEqual({
      action: 'block',
      findings: [{ ...custom, rule: 'custom/zeus', field: 'messages[0].content', replayed: 'block' }],
    });
    expect(await byText(hera, capture('Who is Zeus?'))).toEqual({
      action: 'redact',
      findings: [{ ...custom, rule: 'custom/hera', field: 'choices[0].content', replayed: 'redact' }],
    });
    expect(await byText({}, capture('Who is Zeus?'))).toEqual({ action: 'allow', findings: [] });
  });

  it('recognises a finding by its place, and lists those that would be gone', async () => {
    const location = { part: 'input', message: 0, field: 'messages[0].content', start: 7, end: 11 } as const;
    const reported = { ...found('custom/zeus'), location };
    expect((await byText(zeus, capture('Who is Zeus?'), { findings: [reported] }))?.findings).toMatchObject([
      { type: 'secret', rule: 'custom/zeus', live: 'flag', replayed: 'block' },
    ]);
    expect((await byText({}, capture('Who is Zeus?'), { findings: [reported] }))?.findings).toMatchObject([
      { type: 'secret', rule: 'custom/zeus', live: 'flag', replayed: 'allow' },
    ]);
  });

  it('flags what stands in reasoning, which passes untouched', async () => {
    const answer = [{ channel: 'choices[0].reasoning_content', text: 'hera', isReadOnly: true as const }];
    expect((await byText(hera, capture('Hi', { answer })))?.action).toBe('flag');
  });

  it("reads requests of Anthropic's API too", async () => {
    const system = 'Zeus';
    const request = JSON.stringify({
      model: 'm',
      max_tokens: 9,
      system,
      messages: [{ role: 'user', content: 'Zeus' }],
    });
    const replayed = await byText(zeus, capture('', { request }), { route: '/v1/messages' });
    // The operator's text is not a user's.
    expect(replayed?.findings).toMatchObject([
      { type: 'secret', rule: 'custom/zeus', live: 'allow', replayed: 'block' },
    ]);
  });

  it('leaves to the record what is not whole, and other routes', async () => {
    expect(await byText(zeus, capture('Zeus', { mode: 'redacted' }))).toBeUndefined();
    expect(await byText(zeus, capture('Zeus', { truncated: true }))).toBeUndefined();
    expect(await byText(zeus, capture('Zeus'), { route: '/v1/guard' })).toBeUndefined();
    expect(await byText(zeus, capture('', { request: '{"input":"Zeus"}' }))).toBeUndefined();
  });
});
