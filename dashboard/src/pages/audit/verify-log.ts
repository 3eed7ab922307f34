import type { AuditList } from '../../api/client.ts';

export type AuditEntry = AuditList['data'][number];

export interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

export interface Fault {
  readonly seq: number;
  readonly problem: string;
}

export interface VerifyProgress {
  readonly checked: number;
  readonly newest: Anchor | undefined;
  readonly faults: readonly Fault[];
  readonly isDone: boolean;
}

/** Default retention of audit records: seven years. */
const KEPT_MS = 2557 * 86_400_000;

/**
 * Reads the log from its newest record to its oldest, computes every hash, and reports records that were changed, removed, added
 * or moved; yields after each page. The admin command `audit verify` does the same outside the browser.
 */
export async function* verifyLog(
  pages: AsyncIterable<Pick<AuditList, 'data' | 'head'>>,
  anchor: Anchor | undefined,
  nowMs: number,
): AsyncGenerator<VerifyProgress, void> {
  const faults: Fault[] = [];
  const expected: Anchor[] = anchor === undefined ? [] : [anchor];
  const seen = new Map<number, string>();
  let newest: Anchor | undefined;
  let newer: AuditEntry | undefined;
  let checked = 0;
  let isFirst = true;
  for await (const { data, head } of pages) {
    if (isFirst && head !== null) expected.push(head);
    isFirst = false;
    for (const entry of data) {
      const hash = await hashOf(entry);
      if (hash !== entry.hash) faults.push({ seq: entry.seq, problem: 'The record does not match its hash.' });
      newest ??= { seq: entry.seq, hash };
      if (newer !== undefined) faults.push(...between(entry.seq, hash, newer));
      if (expected.some(({ seq }) => seq === entry.seq)) seen.set(entry.seq, hash);
      newer = entry;
      checked += 1;
    }
    yield { checked, newest, faults, isDone: false };
  }
  if (newer !== undefined) faults.push(...beginning(newer, nowMs));
  for (const { seq, hash } of expected) {
    const found = seen.get(seq);
    if (found === undefined) faults.push({ seq, problem: 'The record is gone.' });
    else if (found !== hash) faults.push({ seq, problem: 'The record differs from the anchor.' });
  }
  yield { checked, newest, faults, isDone: true };
}

/** SHA-256 of the record: the entry without the fields that the API adds, members in their order. */
async function hashOf({ object: _object, hash: _hash, ...record }: AuditEntry): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(record)));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function between(seq: number, hash: string, newer: AuditEntry): Fault[] {
  if (newer.seq > seq + 1) return [{ seq: newer.seq, problem: `Records ${seq + 1} to ${newer.seq - 1} are gone.` }];
  if (newer.seq !== seq + 1) return [{ seq: newer.seq, problem: 'The record is out of order.' }];
  return newer.previousHash === hash
    ? []
    : [{ seq: newer.seq, problem: `Does not follow from record ${seq} as stored.` }];
}

function beginning({ seq, previousHash, previousAt }: AuditEntry, nowMs: number): Fault[] {
  if (seq === 1)
    return previousHash === null ? [] : [{ seq, problem: 'Is the first record and names an earlier one.' }];
  const hasExpired = previousAt !== null && Date.parse(previousAt) < nowMs - KEPT_MS;
  return hasExpired ? [] : [{ seq, problem: 'Earlier records are gone that have not expired.' }];
}

/** Parses `SEQ:HASH`; undefined if the text has another form. */
export function readAnchor(text: string): Anchor | undefined {
  const [seq = '', hash = '', ...rest] = text.trim().split(':');
  const isAnchor = rest.length === 0 && /^[1-9]\d{0,14}$/.test(seq) && /^[0-9a-f]{64}$/.test(hash);
  return isAnchor ? { seq: Number(seq), hash } : undefined;
}
