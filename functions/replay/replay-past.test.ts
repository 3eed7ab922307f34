import { describe, expect, it } from '@jest/globals';
import type { RecordPosition, RecordQuery } from '../control/analytics/index.ts';
import { recordOf } from '../control/analytics/record.fixture.ts';
import { createInspector } from '../inspection/index.ts';
import type { Capture, RecordedFinding, RequestRecord } from '../kernel/model/index.ts';
import { Replay } from './replay.ts';
import { MAX_MS, MAX_ROWS, type ReplayRange, replayPast } from './replay-past.ts';
import { MAX_EXAMPLES } from './replay-report.ts';

const engine = { ruleOf: () => undefined, inspector: createInspector([]) };
const [strict, monitor] = (['strict', 'monitor'] as const).map((preset) => new Replay({ preset }, engine)) as [
  Replay,
  Replay,
];
const NOON = Date.parse('2026-06-01T12:00:00Z');
const RANGE: ReplayRange = { from: '2026-06-01T00:00:00.000Z', to: '2026-06-02T00:00:00.000Z', texts: false };

const jailbreak = (score: number): RecordedFinding => ({
  type: 'jailbreak',
  rule: 'jailbreak/some',
  severity: 'high',
  score,
  action: score >= 0.85 ? 'block' : 'flag',
  location: { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 4 },
});

/** Newest first: flagged and blocked in turn, every third of another key. */
const past = (count: number): RequestRecord[] =>
  Array.from({ length: count }, (_, at) => {
    const finding = jailbreak(at % 2 === 0 ? 0.7 : 0.9);
    return recordOf({
      time: new Date(NOON - at).toISOString(),
      keyId: at % 3 === 0 ? 'key_a' : 'key_b',
      action: finding.action,
      findings: [finding],
      threats: { jailbreak: at === 0 ? 21 : 1 },
    });
  });

function deps(records: readonly RequestRecord[], replayFor: (keyId: string) => Replay, stepMs = 0) {
  const asked: RecordQuery[] = [];
  const texts = new Map<string, Capture>();
  let monotonic = 0;
  return {
    asked,
    texts,
    records: {
      async page(query: RecordQuery, limit: number, after: RecordPosition | undefined) {
        asked.push(query);
        monotonic += stepMs;
        const start = after === undefined ? 0 : records.findIndex(({ id }) => id === after.id) + 1;
        const rows = records.slice(start, start + limit).map((record) => ({ record, marks: {} }));
        const last = rows.at(-1)?.record;
        const more = start + limit < records.length;
        return { rows, read: rows.length, next: more && last ? { time: last.time, id: last.id } : undefined };
      },
    },
    captures: { read: async (id: string) => texts.get(id) },
    clock: { monotonic: () => monotonic },
    replayFor: async (keyId: string) => replayFor(keyId),
  };
}

describe('a report', () => {
  it('counts what was done, what would have been, and what of that is another: by action, key, type and rule', async () => {
    const records = past(10);
    const { report, next } = await replayPast(
      RANGE,
      undefined,
      deps(records, () => strict),
    );
    const change = { live: 'flag', replayed: 'block' };
    expect(report).toEqual({
      requests: 10,
      fromText: 0,
      incomplete: 1,
      live: { allow: 0, flag: 5, redact: 0, ask: 0, block: 5 },
      replayed: { allow: 0, flag: 0, redact: 0, ask: 0, block: 10 },
      changed: 5,
      changes: [{ ...change, requests: 5 }],
      keys: [
        { keyId: 'key_b', ...change, requests: 3 },
        { keyId: 'key_a', ...change, requests: 2 },
      ],
      types: [{ type: 'jailbreak', ...change, findings: 5 }],
      rules: [{ rule: 'jailbreak/some', type: 'jailbreak', ...change, findings: 5 }],
      examples: [0, 2, 4, 6, 8].map((at) => {
        const { id: requestId, time, keyId } = records[at] as RequestRecord;
        return { requestId, time, keyId, ...change };
      }),
      callRules: [],
      callExamples: [],
    });
    expect(next).toBeUndefined();
  });

  it("decides about each key's requests by what counts for that key", async () => {
    const { report } = await replayPast(
      RANGE,
      undefined,
      deps(past(9), (id) => (id === 'key_a' ? strict : monitor)),
    );
    expect(report.replayed).toMatchObject({ block: 3, flag: 6 });
  });

  it('reads the requests of one key alone where one is named', async () => {
    const { report } = await replayPast(
      { ...RANGE, keyId: 'key_a' },
      undefined,
      deps(past(9), () => strict),
    );
    expect(report.requests).toBe(3);
  });

  it('goes on where the page before ended, and counts each request once', async () => {
    const records = past(2 * MAX_ROWS + 7);
    const seen: number[] = [];
    let after: RecordPosition | undefined;
    do {
      const page = await replayPast(
        RANGE,
        after,
        deps(records, () => monitor),
      );
      expect(page.report.examples.length).toBe(Math.min(MAX_EXAMPLES, page.report.changed));
      seen.push(page.report.requests);
      after = page.next;
    } while (after !== undefined);
    expect(seen).toEqual([MAX_ROWS, MAX_ROWS, 7]);
  });

  it('ends its page after ten seconds, wherever it is, and goes on from there', async () => {
    const records = past(250);
    const seen: number[] = [];
    let after: RecordPosition | undefined;
    do {
      const page = await replayPast(
        RANGE,
        after,
        deps(records, () => strict, MAX_MS / 2),
      );
      seen.push(page.report.requests);
      after = page.next;
    } while (after !== undefined);
    // The second read of a page ends its time: one of its rows is decided about.
    expect(seen).toEqual([101, 101, 48]);
  });
});

describe('with texts', () => {
  const withText = { ...RANGE, texts: true };
  const zeus = new Replay({ rules: [{ id: 'zeus', literals: ['Zeus'], action: 'block' }] }, engine);
  const text: Capture = {
    mode: 'full',
    request: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Zeus' }] }),
    answer: [],
    truncated: false,
  };

  it('requests whose text is kept are judged by it, others by their findings, and without either not at all', async () => {
    const kept = recordOf({ capture: 'full' });
    const records = [kept, recordOf({ capture: 'full' }), recordOf(), ...past(1)];
    const all = deps(records, () => zeus);
    all.texts.set(kept.id, text);
    const { report } = await replayPast(withText, undefined, all);
    expect(report).toMatchObject({ requests: 2, fromText: 1, changed: 1 });
    expect(report.examples).toMatchObject([{ requestId: kept.id, live: 'allow', replayed: 'block' }]);
    expect(all.asked[0]?.withFindings).toBe(false);
  });

  it('no text is read unless it is asked for', async () => {
    const kept = { ...(past(1)[0] as RequestRecord), capture: 'full' as const };
    const all = deps([kept], () => zeus);
    all.texts.set(kept.id, text);
    expect((await replayPast(RANGE, undefined, all)).report).toMatchObject({ requests: 1, fromText: 0, changed: 0 });
    expect(all.asked[0]?.withFindings).toBe(true);
  });

  it('findings that a record left out are not taken for new ones', async () => {
    const kept = recordOf({ capture: 'full', threats: { secret: 21 }, action: 'block', findings: [] });
    const all = deps([kept], () => zeus);
    all.texts.set(kept.id, text);
    expect((await replayPast(withText, undefined, all)).report).toMatchObject({ incomplete: 1, rules: [], types: [] });
  });
});
