import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AuditFact } from '../../kernel/model/index.ts';
import { type AuditEntry, type ChainEnd, endAt, hashOf, nextRecord, recordText } from './audit-record.ts';
import { type ChainReport, verifyChain } from './verify-chain.ts';

const T0 = Date.parse('2026-06-01T00:00:00Z');
const timeOf = (at: number) => new Date(T0 + at * 1000).toISOString();

function factAt(at: number): AuditFact {
  return {
    at: timeOf(at),
    actor: { type: 'key', id: 'key_1' },
    action: 'key.updated',
    target: { type: 'key', id: `key_${at}` },
    before: { tags: { 10: 'ten', 2: 'two', b: 'é😀' } },
    after: { rateLimit: { requests: 1e9, period: 'hour' }, expiresAt: null },
    from: { address: '192.0.2.1', requestId: 'req_1' },
  };
}

/** A chain, oldest first, as it comes back from a store or an API: written and parsed. */
function chainOf(length: number): AuditEntry[] {
  const chain: AuditEntry[] = [];
  let end: ChainEnd | undefined;
  for (let at = 1; at <= length; at += 1) {
    const text = recordText(nextRecord(`aud_${at}`, factAt(at), end));
    const entry = { record: JSON.parse(text), hash: hashOf(text) };
    chain.push(entry);
    end = endAt(entry);
  }
  return chain;
}

async function* newestFirst(chain: readonly AuditEntry[]) {
  yield* [...chain].reverse();
}

function verify(chain: readonly AuditEntry[], head = chain.at(-1), expiredBeforeMs = 0): Promise<ChainReport> {
  return verifyChain(newestFirst(chain), { head: head && endAt(head), expiredBeforeMs });
}
const placesOf = ({ faults }: ChainReport) => faults.map(({ seq }) => seq);

describe('an untouched chain', () => {
  it('is whole, however long, and tells its end', async () => {
    for (const length of [0, 1, 2, 50]) {
      const chain = chainOf(length);
      const last = chain.at(-1);
      expect(await verify(chain)).toEqual({ count: length, end: last && endAt(last), faults: [] });
    }
  });

  it('is whole while its head lags behind', async () => {
    const chain = chainOf(5);
    for (const head of chain.slice(0, -1)) expect((await verify(chain, head)).faults).toEqual([]);
    expect((await verifyChain(newestFirst(chain), { head: undefined, expiredBeforeMs: 0 })).faults).toEqual([]);
  });

  it('may begin behind what has expired, and nowhere else', async () => {
    const chain = chainOf(6).slice(2);
    // Record 2 is from second 2.
    expect((await verify(chain, chain.at(-1), T0 + 2001)).faults).toEqual([]);
    expect(placesOf(await verify(chain, chain.at(-1), T0 + 2000))).toEqual([3]);
  });
});

const length = fc.integer({ min: 3, max: 12 });
const place = fc.nat(1_000);

describe('found is', () => {
  it('a change of any record, even with its hash made to fit', async () => {
    await fc.assert(
      fc.asyncProperty(length, place, fc.boolean(), async (count, where, withHash) => {
        const chain = chainOf(count);
        const at = where % count;
        const head = chain.at(-1);
        const record = { ...(chain[at] as AuditEntry).record, action: 'key.revoked' as const };
        const hash = withHash ? hashOf(recordText(record)) : (chain[at] as AuditEntry).hash;
        chain[at] = { record, hash };
        // Reported at the record itself, or at the one that no longer follows from it.
        const report = await verify(chain, head);
        expect(placesOf(report).every((seq) => seq === at + 1 || seq === at + 2)).toBe(true);
        expect(report.faults).not.toEqual([]);
      }),
    );
  });

  it('the deletion of any records, of the newest and the oldest too', async () => {
    await fc.assert(
      fc.asyncProperty(length, place, fc.integer({ min: 1, max: 3 }), async (count, where, deleted) => {
        const chain = chainOf(count);
        const head = chain.at(-1);
        const at = where % count;
        chain.splice(at, deleted);
        expect((await verify(chain, head)).faults).not.toEqual([]);
      }),
    );
  });

  it('the deletion of all', async () => {
    expect((await verify([], chainOf(3).at(-1))).faults).toEqual([{ seq: 3, problem: expect.any(String) }]);
  });

  it('any other order', async () => {
    await fc.assert(
      fc.asyncProperty(length, place, place, async (count, one, other) => {
        const chain = chainOf(count);
        const head = chain.at(-1);
        const [a, b] = [one % count, other % count];
        [chain[a], chain[b]] = [chain[b] as AuditEntry, chain[a] as AuditEntry];
        expect((await verify(chain, head)).faults.length > 0).toBe(a !== b);
      }),
    );
  });

  it('a record put in, repeated or numbered anew', async () => {
    await fc.assert(
      fc.asyncProperty(length, place, async (count, where) => {
        const chain = chainOf(count);
        const head = chain.at(-1);
        const at = where % count;
        const { record } = chain[at] as AuditEntry;
        const renumbered = { ...record, seq: record.seq + 1 };
        chain.splice(at + 1, 0, { record: renumbered, hash: hashOf(recordText(renumbered)) });
        expect((await verify(chain, head)).faults).not.toEqual([]);
      }),
    );
  });

  it('a chain that was written anew from some record on, head and all, where somebody noted a later record', async () => {
    const [before, after] = [chainOf(6), chainOf(6)];
    const noted = endAt(before[4] as AuditEntry);
    for (let at = 3; at < after.length; at += 1) {
      const text = recordText(nextRecord(`new_${at}`, factAt(at), endAt(after[at - 1] as AuditEntry)));
      after[at] = { record: JSON.parse(text), hash: hashOf(text) };
    }
    expect((await verify(after)).faults).toEqual([]);
    const head = endAt(after.at(-1) as AuditEntry);
    const report = await verifyChain(newestFirst(after), { head, anchors: [noted], expiredBeforeMs: 0 });
    expect(placesOf(report)).toEqual([5]);
    const cut = await verifyChain(newestFirst(before.slice(0, 3)), {
      head: endAt(before[2] as AuditEntry),
      anchors: [noted],
      expiredBeforeMs: 0,
    });
    expect(cut.faults).toEqual([{ seq: 5, problem: 'records from here back to 4 are gone' }]);
  });
});
