import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { type FindingsEvent, findingsEventSchema, THREAT_TYPES } from '../../kernel/model/index.ts';
import { type ExportDeps, exportFindings } from './export-findings.ts';
import { faultsOf } from './ocsf-schema.fixture.ts';
import { type OcsfFinding, toOcsf } from './to-ocsf.ts';

const ORIGIN = {
  call: 'send_email',
  argument: 'to',
  user: false,
  sources: [{ message: 3, tool: 'read_mail', field: 'body', start: 4, end: 30, as: 'prose' as const }],
  ordered: true,
};
const action = fc.constantFrom('allow' as const, 'flag' as const, 'redact' as const, 'ask' as const, 'block' as const);
const threat = fc.record({
  type: fc.constantFrom(...THREAT_TYPES),
  category: fc.constant('override'),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  severity: fc.constantFrom('low' as const, 'medium' as const, 'high' as const, 'critical' as const),
  action,
  rule: fc.constantFrom('injection/override', 'classifier/injection', 'custom/ours'),
  message: fc.constant('Text that overrides instructions.'),
  location: fc.constant({ part: 'input' as const, message: 0, field: 'messages[0].content', start: 0, end: 9 }),
  owasp: fc.constant('LLM01:2025'),
  atlas: fc.constantFrom('AML.T0054', 'AML.T0051.000', null),
  origin: fc.constantFrom(undefined, ORIGIN),
});
const event: fc.Arbitrary<FindingsEvent> = fc.record({
  id: fc.uuid().map((id) => `evt_${id}`),
  created: fc.constant('2026-11-21T09:30:00.000Z'),
  type: fc.constantFrom('threat.detected' as const, 'request.blocked' as const),
  data: fc.record(
    {
      requestId: fc.constant('req_1'),
      keyId: fc.constant('key_1'),
      environment: fc.constant('Production'),
      sessionId: fc.constant('s1'),
      endUserId: fc.constant('ann'),
      model: fc.constant('gpt-4o'),
      threatScore: fc.double({ min: 0, max: 1, noNaN: true }),
      action,
      detectedThreats: fc.array(threat, { maxLength: 20 }),
    },
    { requiredKeys: ['requestId', 'keyId', 'environment', 'detectedThreats'] },
  ),
});
const one = (fields: Partial<FindingsEvent['data']> = {}, id = 'evt_1'): FindingsEvent => ({
  id,
  created: '2026-11-21T09:30:00.000Z',
  type: 'request.blocked',
  data: {
    requestId: 'req_1',
    keyId: 'key_1',
    environment: 'Production',
    action: 'block',
    detectedThreats: [
      {
        type: 'jailbreak',
        category: 'persona',
        score: 0.91,
        severity: 'high',
        action: 'block',
        rule: 'jailbreak/persona',
        message: 'A persona without rules.',
        location: { part: 'input', message: 0, field: 'messages[0].content', start: 3, end: 20 },
        owasp: 'LLM01:2025',
        atlas: 'AML.T0051.000',
      },
    ],
    ...fields,
  },
});

describe('findings as OCSF tells them', () => {
  it('say where a call comes from, and that it was held back until someone approves it', () => {
    const threats = one().data.detectedThreats.map((threat) => ({
      ...threat,
      action: 'ask' as const,
      origin: ORIGIN,
      policyRule: 'accounts',
    }));
    const event = findingsEventSchema.parse(one({ action: 'ask', detectedThreats: threats }));
    expect(toOcsf(event)).toMatchObject([
      { action_id: 2, is_alert: true, unmapped: { action: 'ask', origin: ORIGIN, policyRule: 'accounts' } },
    ]);
  });

  it('are as the published schema has them, one for each threat, by ids of their own that stay', () => {
    fc.assert(
      fc.property(event, (told) => {
        const findings = toOcsf(told);
        expect(findings.flatMap(faultsOf)).toEqual([]);
        expect(findings).toHaveLength(Math.max(1, told.data.detectedThreats.length));
        expect(toOcsf(told)).toEqual(findings);
        const ids = findings.map(({ finding_info }) => (finding_info as { uid: string }).uid);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('say what it was, how sure, what was done, by which technique, and whose request it was', () => {
    expect(toOcsf(one({ model: 'gpt-4o', endUserId: 'ann' }))).toEqual([
      expect.objectContaining({
        class_uid: 2004,
        type_uid: 200_401,
        time: Date.parse('2026-11-21T09:30:00.000Z'),
        severity_id: 4,
        is_alert: true,
        action_id: 2,
        disposition_id: 2,
        confidence_id: 3,
        confidence_score: 91,
        finding_info: expect.objectContaining({
          uid: 'evt_1_0',
          types: ['jailbreak'],
          analytic: expect.objectContaining({ uid: 'jailbreak/persona', type_id: 1 }),
          attacks: [
            {
              technique: { uid: 'AML.T0051', src_url: 'https://atlas.mitre.org/techniques/AML.T0051' },
              sub_technique: { uid: 'AML.T0051.000', src_url: 'https://atlas.mitre.org/techniques/AML.T0051.000' },
            },
          ],
        }),
        resources: [
          { uid: 'key_1', type: 'API key' },
          { name: 'gpt-4o', type: 'Model' },
        ],
        unmapped: expect.objectContaining({ owasp: 'LLM01:2025', endUserId: 'ann', requestAction: 'block' }),
      }),
    ]);
  });

  it('tell of a request that was blocked for no finding', () => {
    const [finding] = toOcsf(one({ detectedThreats: [] }));
    expect(faultsOf(finding as object)).toEqual([]);
    expect(finding).toMatchObject({ disposition_id: 2, finding_info: { types: ['request.blocked'] } });
  });

  it('hold nothing of an event that is not known to be without text', () => {
    const [threat] = one().data.detectedThreats;
    const more = { ...one({ detectedThreats: [] }), secret: 'planted' };
    const read = findingsEventSchema.parse({
      ...more,
      data: { ...more.data, prompt: 'planted', detectedThreats: [{ ...threat, evidence: 'planted' }] },
    });
    expect(JSON.stringify(toOcsf(read))).not.toContain('planted');
  });

  it.each<[string, (finding: Record<string, unknown>) => void, string]>([
    ['a missing attribute', (finding) => delete finding.severity_id, 'severity_id: missing'],
    [
      'a number outside its enumeration',
      (finding) => Object.assign(finding, { severity_id: 7 }),
      'severity_id: wrong value',
    ],
    [
      'a caption of another number',
      (finding) => Object.assign(finding, { severity: 'Low' }),
      'severity: not the caption of severity_id',
    ],
    ['an attribute that is none', (finding) => Object.assign(finding, { text: 'x' }), 'text: unknown'],
    [
      'a type that is not of its class',
      (finding) => Object.assign(finding, { type_uid: 1 }),
      'type_uid: not of its class and activity',
    ],
    [
      'a fault further in',
      (finding) => Object.assign(finding, { metadata: { product: {} } }),
      'metadata.version: missing',
    ],
  ])('the check of the schema finds %s', (_what, break_, fault) => {
    const [finding] = structuredClone(toOcsf(one()));
    break_(finding as Record<string, unknown>);
    expect(faultsOf(finding as object)).toContain(fault);
  });
});

describe('the export', () => {
  /** A target that accepts what `takes` returns, and a clock that each call advances. */
  function world(takes: (finding: OcsfFinding) => boolean, { callMs = 0, away = false } = {}) {
    let nowMs = 0;
    const taken: string[] = [];
    const calls: number[] = [];
    const deps: ExportDeps = {
      target: {
        maxFindings: 10,
        maxBytes: 240 * 1024,
        maxFindingBytes: 100 * 1024,
        send: async (findings) => {
          calls.push(findings.length);
          nowMs += callMs;
          if (away) throw new StoreUnavailable('findings: TimeoutError');
          const left = findings.flatMap((finding, at) => (takes(finding) ? [] : [at]));
          taken.push(...findings.filter(takes).map(({ metadata }) => (metadata as { uid: string }).uid));
          return left;
        },
      },
      clock: { now: () => nowMs, monotonic: () => nowMs },
    };
    return { deps, taken, calls };
  }
  /** `id: why` of each message that comes again. */
  const failuresOf = async (...[messages, deps]: Parameters<typeof exportFindings>) =>
    [...(await exportFindings(messages, deps))].map(([id, error]) => `${id}: ${(error as Error).message}`);
  const messages = (count: number, threats = 1) =>
    Array.from({ length: count }, (_, at) => {
      const [threat] = one().data.detectedThreats;
      const detectedThreats = Array(threats).fill(threat);
      return { id: `m${at}`, body: JSON.stringify(one({ detectedThreats }, `evt_${at}`)) };
    });

  it('hands over everything in calls that the target takes', async () => {
    const { deps, taken, calls } = world(() => true);
    expect(await failuresOf(messages(4, 6), deps)).toEqual([]);
    expect([calls, taken.length, new Set(taken).size]).toEqual([[10, 10, 4], 24, 24]);
  });

  it('has only those messages come again of which something was not taken, and those that are none', async () => {
    const { deps } = world(({ metadata }) => (metadata as { uid: string }).uid !== 'evt_1_0');
    const odd = { id: 'odd', body: '{"type":"key.created","planted":"text"}' };
    expect(await failuresOf([...messages(3), odd], deps)).toEqual([
      'odd: the message is not an event with findings',
      'm1: findings: not accepted',
    ]);
  });

  it.each([[[0]], [[1]], [[2]], [[0, 2]]])(
    'sends all but messages at %j with a finding that is too long, in no extra call',
    async (places) => {
      const { deps, calls, taken } = world(() => true);
      const long = messages(3).map((message, at) =>
        places.includes(at)
          ? { ...message, body: message.body.replace('A persona without rules.', 'x'.repeat(110 * 1024)) }
          : message,
      );
      expect(await failuresOf(long, deps)).toEqual(places.map((at) => `m${at}: findings: too long for the target`));
      expect([calls, taken]).toEqual([
        [3 - places.length],
        [0, 1, 2].filter((at) => !places.includes(at)).map((at) => `evt_${at}_0`),
      ]);
    },
  );

  it('asks a target that is away once, and has all come again', async () => {
    const { deps, calls } = world(() => true, { away: true });
    const away = 'findings: TimeoutError';
    expect(await failuresOf(messages(3, 9), deps)).toEqual([`m0: ${away}`, `m1: ${away}`, `m2: ${away}`]);
    expect(calls).toEqual([10]);
  });

  it('begins no call when its time is over, and has the rest come again', async () => {
    const { deps, calls } = world(() => true, { callMs: 16_000 });
    const late = 'findings: no time left';
    expect(await failuresOf(messages(4, 10), deps)).toEqual([`m2: ${late}`, `m3: ${late}`]);
    expect(calls).toEqual([10, 10]);
  });
});
