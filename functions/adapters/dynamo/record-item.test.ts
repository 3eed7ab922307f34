import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyRecord, recordOf } from '../../control/analytics/record.fixture.ts';
import { type RequestRecord, STAGES } from '../../kernel/model/index.ts';
import { compactRecord, hasCapture, type RecordAttributes, readRecordItem } from './record-item.ts';

const attributesOf = (record: RequestRecord): RecordAttributes => ({
  sk: `${record.time}#${record.id}`,
  keyPk: `7#${record.keyId}`,
  ...(record.endUserId !== null && { endUserPk: `7#${record.endUserId}` }),
  record: compactRecord(record),
});

const time = fc.integer({ min: 0, max: 9_999_999 }).map((micros) => micros / 1_000);
const stages = fc.dictionary(fc.constantFrom(...STAGES), fc.tuple(time, time), { noNullPrototype: true });
const finding = fc.record(
  {
    type: fc.constantFrom('pii', 'jailbreak'),
    rule: fc.string(),
    severity: fc.constantFrom('low', 'critical'),
    score: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
    action: fc.constantFrom('allow', 'block'),
    location: fc.record({
      part: fc.constantFrom('input', 'output'),
      message: fc.option(fc.nat()),
      field: fc.string(),
      start: fc.nat(),
      end: fc.nat(),
    }),
    policyRule: fc.string(),
  },
  { requiredKeys: ['type', 'rule', 'severity', 'score', 'action', 'location'], noNullPrototype: true },
);
const rare = fc.record(
  {
    stages,
    findings: fc.array(finding, { maxLength: 3 }),
    endUserId: fc.option(fc.string({ minLength: 1 })),
    alias: fc.string(),
    rollout: fc.nat(),
    calls: fc.constant([{ provider: 'openai', model: 'm', startMs: 1, endMs: null, failure: null }]),
    shadow: fc.constantFrom(null, { action: 'block', threats: { pii: 1 } }),
    traceId: fc.stringMatching(/^[0-9a-f]{32}$/),
    capture: fc.constantFrom('none', 'full'),
    later: fc.constant({ any: 1 }),
  },
  { noNullPrototype: true },
);

describe('a compact record', () => {
  it('is read as it was', () => {
    fc.assert(
      fc.property(anyRecord, rare, (record, fields) => {
        const whole = JSON.parse(JSON.stringify({ ...record, ...fields })) as RequestRecord;
        expect(readRecordItem(attributesOf(whole))).toEqual(whole);
        expect(hasCapture(compactRecord(whole))).toBe(whole.capture !== 'none');
      }),
    );
  });

  it('keeps an end user whose name has the separator', () => {
    const record = recordOf({ endUserId: 'a#b', keyId: 'key_2' });
    expect(readRecordItem(attributesOf(record))).toEqual(record);
  });

  it('has the names and usual values with which earlier ones were stored', () => {
    const stored = {
      sk: '2026-11-30T20:49:50.964Z#req_01a22e38997454af4692a5151cd1c45f',
      keyPk: '3#key_1',
      record:
        '{"t":"ab","e":"Development","s":"ses_1","v":"1.0","o":"/v1/embeddings","p":"openai","m":"gpt-4o","n":2,"u":"req_up","w":true,"z":"failed","c":502,"x":"provider_error","a":"flag","h":0.5,"r":0.4,"f":[{"t":"pii","r":"iban","v":"high","s":0.9,"a":"flag","l":[1,null,"choices[0].content",1,2]}],"d":{"pii":1},"k":{"i":3,"o":4,"c":2,"r":1},"q":0.1,"i":0.05,"l":20,"y":5,"j":3,"g":[0,1,2,3,-1,-1,-1,-1,4,5],"b":{"team":"shop"},"rb":{"tier":"gold"},"capture":"full","later":1}',
    };
    expect(readRecordItem(stored)).toEqual({
      ...{ id: 'req_01a22e38997454af4692a5151cd1c45f', time: '2026-11-30T20:49:50.964Z', keyId: 'key_1' },
      ...{ traceId: 'ab', environment: 'Development', sessionId: 'ses_1', endUserId: null, appVersion: '1.0' },
      ...{ route: '/v1/embeddings', provider: 'openai', model: 'gpt-4o', attempts: 2, upstreamRequestId: 'req_up' },
      ...{ stream: true, state: 'failed', status: 502, errorCode: 'provider_error', action: 'flag' },
      ...{ threatScore: 0.5, turnScore: 0.4, threats: { pii: 1 } },
      findings: [
        {
          ...{ type: 'pii', rule: 'iban', severity: 'high', score: 0.9, action: 'flag' },
          location: { part: 'output', message: null, field: 'choices[0].content', start: 1, end: 2 },
        },
      ],
      tokens: { input: 3, output: 4, cachedInput: 2, reasoning: 1 },
      ...{ costUsd: 0.1, inputCostUsd: 0.05, latencyMs: 20, timeToFirstTokenMs: 5, processingMs: 3 },
      stages: { auth: [0, 1], admit: [2, 3], provider: [4, 5] },
      ...{ tags: { team: 'shop' }, requestTags: { tier: 'gold' }, capture: 'full', shadow: null, later: 1 },
    });
    expect(
      readRecordItem({ ...stored, record: '{"o":"/v1/chat/completions","k":{"i":null,"o":null},"l":1,"j":1}' }),
    ).toEqual({
      ...{ id: 'req_01a22e38997454af4692a5151cd1c45f', time: '2026-11-30T20:49:50.964Z', keyId: 'key_1' },
      ...{
        environment: 'Production',
        sessionId: null,
        endUserId: null,
        appVersion: null,
        route: '/v1/chat/completions',
      },
      ...{ provider: null, model: null, attempts: 1, stream: false, state: 'completed', status: 200, errorCode: null },
      ...{
        action: 'allow',
        threatScore: 0,
        turnScore: 0,
        findings: [],
        threats: {},
        tokens: { input: null, output: null },
      },
      ...{ costUsd: null, latencyMs: 1, timeToFirstTokenMs: null, processingMs: 1, capture: 'none', shadow: null },
    });
  });

  it.each(['', '{', 'null', '{}'])('of another form is refused: %s', (record) => {
    expect(() => readRecordItem({ sk: 'time#id', keyPk: '1#key', record })).toThrow();
  });
});

it('a whole record of the first releases gets its missing fields', () => {
  const { attempts: _, shadow: __, ...old } = recordOf({ provider: null });
  expect(readRecordItem({ record: JSON.stringify(old) })).toMatchObject({ attempts: 0, shadow: null, id: old.id });
});
