import { type Asked, metKill, metStores, type StoredRecord } from '../ledger.ts';
import { plannedEnding } from './endings.ts';
import type { Invariant } from './invariant.ts';

/**
 * Every request with a response has one record. It has at most one if its process was killed before the record was written, or if
 * the log reports the record as lost, which happens only while the stores are unavailable.
 */
export const oneRecordEach: Invariant = {
  name: 'every request has exactly one record; at most one where its process was killed or the log says that it was lost',
  least: 100,
  check: ({ asked, found, disturbances }) => {
    const times = countsOf(found.records.map(({ id }) => id));
    const lost = new Set(found.lost);
    const violations: string[] = [];
    let excused = 0;
    const answered = asked.filter(({ requestId }) => requestId !== undefined);
    for (const one of answered) {
      const { id, requestId = '' } = one;
      if (times.has(requestId)) continue;
      if (metKill(one, disturbances) || (lost.has(requestId) && metStores(one, disturbances)) || isUnknownKey(one))
        excused += 1;
      else violations.push(`case ${id} (${requestId}, ${one.kind}, ${one.fault}, ${one.status}) has no record`);
    }
    for (const [id, count] of times) if (count > 1) violations.push(`${id} has ${count} records`);
    // A write may have succeeded although all responses were lost, but only while the stores fail.
    for (const id of found.lost) {
      const one = answered.find(({ requestId }) => requestId === id);
      if (one !== undefined && !metStores(one, disturbances))
        violations.push(`the record of ${id} was lost while the stores worked`);
    }
    return { checked: answered.length + found.records.length, excused, violations };
  },
};

/** A key that could not be looked up: a request of an unknown key has no record. */
function isUnknownKey({ status, code }: Asked): boolean {
  return status === 503 && code === 'unavailable';
}

/** Records that no response named are at most as many as the requests that ended without a response. */
export const noRecordInvented: Invariant = {
  name: 'every record belongs to a request',
  least: 100,
  check: ({ asked, found, keys }) => {
    const known = new Set(asked.flatMap(({ requestId }) => requestId ?? []));
    const violations = keys.flatMap(({ id }) => {
      const unnamed = found.records.filter((record) => record.keyId === id && !known.has(record.id)).length;
      const unanswered = asked.filter(({ keyId, requestId }) => keyId === id && requestId === undefined).length;
      return unnamed > unanswered
        ? [`${id}: ${unnamed} records without a request, ${unanswered} requests without a response`]
        : [];
    });
    return { checked: found.records.length, excused: 0, violations };
  },
};

/** The record has the caller's result and exactly the usage that the provider reported. */
export const recordsTrue: Invariant = {
  name: 'each record has the result that its caller saw, and the usage that its provider reported',
  least: 100,
  check: (ledger) => {
    const { asked, found, calls } = ledger;
    const byId = new Map(found.records.map((record) => [record.id, record]));
    const told = new Map(calls.flatMap(({ caseId, usage }) => (usage === undefined ? [] : [[caseId, usage]])));
    const violations: string[] = [];
    let checked = 0;
    for (const one of asked) {
      const record = byId.get(one.requestId ?? '');
      // What broke off on the way to its caller may have ended in any way.
      if (record === undefined || one.ending === 'broken') continue;
      checked += 1;
      const differs = difference(one, record);
      const usage = told.get(one.id);
      if (differs !== undefined) violations.push(`case ${one.id} (${one.kind}, ${one.fault}): ${differs}`);
      else if (
        one.ending === 'whole' &&
        (record.tokens.input !== usage?.input || record.tokens.output !== usage?.output)
      ) {
        violations.push(
          `case ${one.id}: ${JSON.stringify(record.tokens)} in the record, ${JSON.stringify(usage)} reported`,
        );
      }
    }
    return { checked, excused: 0, violations };
  },
};

function difference(asked: Asked, { state, status, errorCode, keyId, sessionId }: StoredRecord): string | undefined {
  if (keyId !== asked.keyId) return `the record is of ${keyId}`;
  if (sessionId !== null && sessionId !== asked.sessionId) return `the record is of the session ${sessionId}`;
  if (asked.ending === 'left') return state === 'cancelled' ? undefined : `left, and recorded as ${state}`;
  if (status !== asked.status || errorCode !== (asked.code ?? null)) {
    return `${asked.status} ${asked.code}, and recorded as ${status} ${errorCode}`;
  }
  const expected = stateOf(asked);
  return state === expected ? undefined : `${expected}, and recorded as ${state}`;
}

function stateOf(asked: Asked): string {
  if (asked.code === 'request_cancelled') return 'cancelled';
  if (asked.code === 'content_filter') return 'blocked';
  if (asked.ending === 'whole') return asked.kind === 'blocked' ? plannedEnding(asked).state : 'completed';
  return 'failed';
}

export function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
