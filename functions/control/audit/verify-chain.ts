import { type AuditEntry, type ChainEnd, hashOf, recordText } from './audit-record.ts';

export interface ChainFault {
  /** The record at or after which the chain is broken. */
  readonly seq: number;
  readonly problem: string;
}

export interface ChainReport {
  readonly count: number;
  /** The newest record; undefined for an empty chain. */
  readonly end: ChainEnd | undefined;
  readonly faults: readonly ChainFault[];
}

export interface ChainExpectations {
  /** The end of the chain according to the log. */
  readonly head: ChainEnd | undefined;
  /** Hashes that were stored outside of the log. */
  readonly anchors?: readonly { readonly seq: number; readonly hash: string }[];
  /** Records from before this time may have expired, milliseconds. */
  readonly expiredBeforeMs: number;
}

/**
 * Reads a chain from its newest record to its oldest and reports where a record was changed, removed, inserted or
 * moved. A replaced log with a matching head is detected only by an anchor.
 */
export async function verifyChain(
  newestFirst: AsyncIterable<AuditEntry>,
  { head, anchors = [], expiredBeforeMs }: ChainExpectations,
): Promise<ChainReport> {
  const faults: ChainFault[] = [];
  const seen = new Map<number, string>();
  const expected = new Map(anchors.map(({ seq, hash }) => [seq, hash]));
  if (head !== undefined && !expected.has(head.seq)) expected.set(head.seq, head.hash);
  let end: ChainEnd | undefined;
  let newer: AuditEntry | undefined;
  for await (const entry of newestFirst) {
    const { record } = entry;
    // Computed from the content, because the stored hash may be forged.
    const hash = hashOf(recordText(record));
    if (hash !== entry.hash) faults.push({ seq: record.seq, problem: 'the record does not match its hash' });
    end ??= { seq: record.seq, hash, at: record.at };
    if (newer !== undefined) faults.push(...between(record.seq, hash, newer));
    if (expected.has(record.seq)) seen.set(record.seq, hash);
    newer = entry;
  }
  if (newer !== undefined) faults.push(...beginning(newer, expiredBeforeMs));
  for (const [seq, hash] of expected) {
    const found = seen.get(seq);
    if (found === hash) continue;
    const oldest = newer?.record.seq ?? Number.POSITIVE_INFINITY;
    if (found !== undefined) faults.push({ seq, problem: 'the record differs from the anchor' });
    else if (end === undefined || seq > end.seq)
      faults.push({ seq, problem: `records from here back to ${(end?.seq ?? 0) + 1} are gone` });
    else if (seq > oldest) faults.push({ seq, problem: 'the record is gone' });
  }
  return { count: end === undefined ? 0 : end.seq - (newer?.record.seq ?? 1) + 1, end, faults };
}

/** The fault between a record and the newer one beside it. */
function between(seq: number, hash: string, { record: newer }: AuditEntry): ChainFault[] {
  if (newer.seq !== seq + 1) {
    const problem =
      newer.seq > seq + 1 ? `records ${seq + 1} to ${newer.seq - 1} are gone` : `record ${newer.seq} is out of order`;
    return [{ seq: newer.seq, problem }];
  }
  return newer.previousHash === hash
    ? []
    : [{ seq: newer.seq, problem: `does not follow from record ${seq} as stored` }];
}

/** A chain begins with record 1, or after expired records. */
function beginning({ record }: AuditEntry, expiredBeforeMs: number): ChainFault[] {
  if (record.seq === 1) {
    return record.previousHash === null ? [] : [{ seq: 1, problem: 'is the first record and names an earlier one' }];
  }
  const hasExpired = record.previousAt !== null && Date.parse(record.previousAt) < expiredBeforeMs;
  return hasExpired ? [] : [{ seq: record.seq, problem: `earlier records are gone that have not expired` }];
}
