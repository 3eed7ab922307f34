import type { Invariant } from './invariant.ts';
import { countsOf } from './records.ts';

export const totalsAddUp: Invariant = {
  name: 'totals, groups, series and sessions of analytics are a recount of the records',
  least: 30,
  check: ({ found }) => {
    const { compared, differences, requests } = found.analytics;
    const short =
      requests === found.records.length ? [] : [`${requests} requests in total, ${found.records.length} records`];
    return { checked: compared, excused: 0, violations: [...differences, ...short] };
  },
};

/** By what callers wrote down: each session's requests are those that were sent under its name and have a record. */
export const sessionsAddUp: Invariant = {
  name: 'each session counts the requests that callers sent in it',
  least: 5,
  check: ({ asked, found }) => {
    const recorded = new Set(found.records.map(({ id }) => id));
    const known = new Set(asked.flatMap(({ requestId }) => requestId ?? []));
    const sent = countsOf(
      asked.flatMap(({ sessionId, keyId, requestId = '' }) =>
        sessionId !== undefined && recorded.has(requestId) ? [`${sessionId} of ${keyId}`] : [],
      ),
    );
    // Those of which no caller ever got the id.
    const unnamed = countsOf(
      found.records.flatMap(({ id, keyId, sessionId }) =>
        sessionId !== null && !known.has(id) ? [`${sessionId} of ${keyId}`] : [],
      ),
    );
    const names = new Set([...sent.keys(), ...found.analytics.sessions.keys()]);
    const violations = [...names].flatMap((name) => {
      const expected = (sent.get(name) ?? 0) + (unnamed.get(name) ?? 0);
      const told = found.analytics.sessions.get(name) ?? 0;
      return told === expected ? [] : [`${name}: ${told} requests, ${expected} were sent`];
    });
    return { checked: names.size, excused: unnamed.size, violations };
  },
};
