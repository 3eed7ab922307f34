import { describe, expect, it } from '@jest/globals';
import type { AuditFact } from '../../kernel/model/index.ts';
import { type AuditEntry, hashOf, nextRecord, recordText } from './audit-record.ts';
import { findEntries } from './find-entries.ts';

const START_MS = Date.parse('2026-11-01T00:00:00.000Z');
const PERSON = { type: 'person', subject: 'u-1', email: 'ann@example.com' } as const;

/** A log in which entry n is of minute n; `change` sets what is special in it. */
function logOf(count: number, change: (seq: number) => Partial<AuditFact> = () => ({})) {
  const all: AuditEntry[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const fact: AuditFact = {
      at: new Date(START_MS + seq * 60_000).toISOString(),
      actor: { type: 'key', id: 'key_a' },
      action: 'key.updated',
      target: { type: 'key', id: `key_${seq}` },
      before: null,
      after: null,
      from: null,
      ...change(seq),
    };
    const record = nextRecord(`aud_${seq}`, fact, undefined);
    all.push({ record: { ...record, seq }, hash: hashOf(recordText(record)) });
  }
  let reads = 0;
  return {
    reads: () => reads,
    list: async (limit: number, cursor?: string) => {
      reads += 1;
      const newest = cursor === undefined ? count : Number(cursor);
      const oldest = Math.max(1, newest - limit + 1);
      const entries = all.slice(oldest - 1, newest).toReversed();
      return { entries, head: undefined, ...(oldest > 1 && { nextCursor: String(oldest - 1) }) };
    },
  };
}

/** The numbers of all entries that match, page by page. */
async function seqsOf(filter: Parameters<typeof findEntries>[0], limit: number, log: ReturnType<typeof logOf>) {
  const pages: number[][] = [];
  let cursor: string | undefined;
  do {
    const page = await findEntries(filter, limit, cursor, log);
    pages.push(page.entries.map(({ record }) => record.seq));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe('entries of the audit log', () => {
  it('are found once each, in pages of at most the limit', async () => {
    const log = logOf(250, (seq) => (seq % 50 === 0 ? { action: 'policy.updated' } : {}));
    expect(await seqsOf({ action: 'policy.updated' }, 2, log)).toEqual([[250, 200], [150, 100], [50]]);
  });

  it.each([
    [{ actor: 'key_b' }, { actor: { type: 'key', id: 'key_b' } }],
    [{ actor: 'u-1' }, { actor: PERSON }],
    [{ actor: 'Ann@Example.com' }, { actor: PERSON }],
    [{ actor: 'operator' }, { actor: { type: 'operator' } }],
    [{ targetType: 'policy' }, { target: { type: 'policy', id: '7' } }],
    [{ target: 'team_x' }, { target: { type: 'team', id: 'team_x' } }],
  ] as const)('match %j', async (filter, special) => {
    const log = logOf(5, (seq) => (seq === 3 ? special : {}));
    expect(await seqsOf(filter, 10, log)).toEqual([[3]]);
  });

  it('are not before `from`, and before `to`; what is older is not read', async () => {
    const log = logOf(1_000);
    const filter = { from: START_MS + 990 * 60_000, to: START_MS + 993 * 60_000 };
    expect(await seqsOf(filter, 10, log)).toEqual([[992, 991, 990]]);
    expect(log.reads()).toBe(1);
  });

  it('are looked for in 1,000 entries a page, with the time back to which they were searched', async () => {
    const log = logOf(2_500);
    const page = await findEntries({ actor: 'key_none' }, 10, undefined, log);
    expect(page).toMatchObject({ entries: [], nextCursor: '1500', searchedTo: '2026-11-02T01:01:00.000Z' });
    expect(log.reads()).toBe(10);
  });

  it('are all listed without a filter, with the page that was asked for', async () => {
    const log = logOf(3);
    expect(await seqsOf({ actor: undefined }, 2, log)).toEqual([[3, 2], [1]]);
  });
});
