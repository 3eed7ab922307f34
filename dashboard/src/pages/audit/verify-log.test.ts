import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ChainEnd, endAt, hashOf, nextRecord, recordText } from '../../../../functions/control/audit/index.ts';
import { verifyChain } from '../../../../functions/control/audit/verify-chain.ts';
import type { AuditFact } from '../../../../functions/kernel/model/index.ts';
import { type Anchor, type AuditEntry, readAnchor, type VerifyProgress, verifyLog } from './verify-log.ts';

const NOW_MS = Date.parse('2026-11-21T00:00:00Z');

function factAt(at: number): AuditFact {
  return {
    at: new Date(NOW_MS + at * 1000).toISOString(),
    actor: { type: 'key', id: 'key_1' },
    action: 'key.updated',
    target: { type: 'key', id: `key_${at}` },
    before: { tags: { 10: 'ten', 2: 'two', b: 'é😀' } },
    after: { expiresAt: null },
    from: { address: '192.0.2.1', requestId: 'req_1' },
  };
}

/** In the API's form, oldest first. */
function logOf(length: number): AuditEntry[] {
  let end: ChainEnd | undefined;
  return Array.from({ length }, (_, at) => {
    const text = recordText(nextRecord(`aud_${at}`, factAt(at), end));
    const record = JSON.parse(text);
    end = endAt({ record, hash: hashOf(text) });
    return { ...record, object: 'audit.entry', hash: end.hash };
  });
}

async function* pagesOf(log: readonly AuditEntry[], head: ChainEnd | null, size: number) {
  const newestFirst = log.toReversed();
  for (let at = 0; at === 0 || at < newestFirst.length; at += size) {
    yield { data: newestFirst.slice(at, at + size), head };
  }
}

async function verify(log: readonly AuditEntry[], head: ChainEnd | null, anchor?: Anchor): Promise<VerifyProgress> {
  let last: VerifyProgress | undefined;
  for await (const progress of verifyLog(pagesOf(log, head, 3), anchor, NOW_MS)) last = progress;
  return last as VerifyProgress;
}

const headOf = (log: readonly AuditEntry[]) => log.at(-1) as AuditEntry;

type Change = (log: AuditEntry[], at: number) => void;
const CHANGES: readonly Change[] = [
  () => {},
  (log, at) => log.splice(at, 1),
  (log, at) => log.splice(at, 2),
  (log, at) => log.reverse().splice(at, 0),
  (log, at) => {
    log[at] = { ...(log[at] as AuditEntry), action: 'key.revoked' };
  },
  (log, at) => {
    log[at] = { ...(log[at] as AuditEntry), hash: 'f'.repeat(64) };
  },
];

describe('verification of the log in the browser', () => {
  it('reports faults at the same records as the command', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 9 }),
        fc.nat(20),
        fc.constantFrom(...CHANGES),
        async (length, where, change) => {
          const log = logOf(length);
          const head = log.at(-1) ?? null;
          if (length > 0) change(log, where % length);
          const entries = log.toReversed().map(({ object: _, hash, ...record }) => ({ record, hash }));
          const iterate = async function* () {
            yield* entries;
          };
          const report = await verifyChain(iterate(), { head: head ?? undefined, expiredBeforeMs: 0 });
          const progress = await verify(log, head);
          const places = (faults: readonly { seq: number }[]) => [...new Set(faults.map(({ seq }) => seq))].sort();
          expect(places(progress.faults)).toEqual(places(report.faults));
          expect(progress.isDone).toBe(true);
          expect(progress.checked).toBe(log.length);
        },
      ),
    );
  });

  it('compares the log with an anchor that was stored elsewhere', async () => {
    const log = logOf(5);
    const noted = { seq: 2, hash: (log[1] as AuditEntry).hash };
    expect((await verify(log, headOf(log), noted)).faults).toEqual([]);
    expect((await verify(log, headOf(log), { ...noted, hash: '0'.repeat(64) })).faults).toHaveLength(1);
    expect((await verify(log, headOf(log), { ...noted, seq: 9 })).faults).toHaveLength(1);
  });

  it('parses an anchor in the form that the command prints, and no other text', () => {
    const hash = 'a'.repeat(64);
    expect(readAnchor(` 12:${hash}\n`)).toEqual({ seq: 12, hash });
    for (const text of ['', '12', `0:${hash}`, `1:${hash}:2`, `1:${hash}0`, `x:${hash}`])
      expect(readAnchor(text)).toBeUndefined();
  });
});
