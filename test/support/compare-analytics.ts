import { Totals } from '../../functions/control/analytics/totals.ts';
import {
  type Figures,
  GROUPS,
  type RequestRecord,
  type Session,
  type Summary,
  type Timeseries,
} from '../../functions/kernel/model/index.ts';

/** Reads an address under `/v1` as an administrator; throws if the status is not 200. */
export type ReadAnalytics = <T>(path: string) => Promise<T>;
type Filter = Readonly<Record<string, string>>;

/** A whole list of the analytics API, page by page. */
export async function readList<T>(read: ReadAnalytics, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: { data: T[]; nextCursor: string | null } = await read(
      `${path}${path.includes('?') ? '&' : '?'}${query}`,
    );
    items.push(...page.data);
    cursor = page.nextCursor;
  }
  return items;
}

export interface Comparison {
  /** Ways in which totals and the recount were compared. */
  readonly compared: number;
  /** What differed, in words; empty where analytics are exact. */
  readonly differences: string[];
}

/**
 * Compares analytics with a recount of the raw records: totals, groups and series, under several filters, and sessions.
 * @param range `from` and `to` of all requests; the API's default if absent
 */
export async function compareAnalytics(
  read: ReadAnalytics,
  records: readonly RequestRecord[],
  filters: readonly Filter[],
  range: Filter = {},
): Promise<Comparison> {
  const within = new URLSearchParams(range).toString();
  const differences: string[] = [];
  let compared = 0;
  const compare = (what: string, told: object, counted: object) => {
    compared += 1;
    if (JSON.stringify(sorted(told)) !== JSON.stringify(sorted(counted))) differences.push(what);
  };
  for (const filter of filters) {
    const query = new URLSearchParams({ ...filter, ...range }).toString();
    const of = records.filter((record) =>
      Object.entries(filter).every(([name, value]) => record[name as keyof RequestRecord] === value),
    );
    const { object: _, from: __, to: ___, ...summary } = await read<Summary>(`/analytics/summary?${query}`);
    compare(`summary ${query}`, summary, figuresOf(of));
    for (const groupBy of GROUPS) {
      const { groups = [] } = await read<Summary>(`/analytics/summary?${query}&groupBy=${groupBy}`);
      for (const { group, label: _, ...figures } of groups) {
        compare(
          `${query} ${groupBy} ${group}`,
          figures,
          figuresOf(of.filter((record) => isIn(record, groupBy, group))),
        );
      }
      const groupsOf = (record: RequestRecord) =>
        groupBy === 'threatType' ? Object.keys(record.threats) : [record[groupBy] ?? null];
      const names = new Set(of.flatMap(groupsOf).filter((name) => groupBy !== 'endUserId' || name !== null));
      compare(`${query} groups of ${groupBy}`, { names: groups.length }, { names: names.size });
    }
    const { data } = await read<Timeseries>(`/analytics/timeseries?${query}&interval=hour`);
    for (const { time, ...figures } of data) {
      const hour = of.filter((record) => record.time.slice(0, 13) === time.slice(0, 13));
      compare(`${query} ${time}`, figures, figuresOf(hour));
    }
  }
  const inSessions = Map.groupBy(
    records.filter(({ sessionId }) => sessionId !== null),
    ({ sessionId, keyId }) => `${sessionId} of ${keyId}`,
  );
  const sessions = await readList<Session>(read, `/analytics/sessions?${within}`);
  compare('number of sessions', { sessions: sessions.length }, { sessions: inSessions.size });
  for (const session of sessions) {
    const name = `${session.id} of ${session.keyId}`;
    const { latencyMs: _, timeToFirstTokenMs: __, ...figures } = figuresOf(inSessions.get(name) ?? []);
    const told = Object.keys(figures).map((field) => [field, session[field as keyof Session]]);
    compare(`session ${name}`, Object.fromEntries(told), figures);
  }
  return { compared, differences };
}

function figuresOf(records: readonly RequestRecord[]): Figures {
  const totals = new Totals();
  for (const record of records) totals.add(record);
  return totals.toFigures();
}

function isIn(record: RequestRecord, groupBy: (typeof GROUPS)[number], group: string | null): boolean {
  if (groupBy === 'threatType') return group !== null && Object.hasOwn(record.threats, group);
  return (record[groupBy] ?? null) === group;
}

/** With the same order of members however it came about. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, sorted(item)]),
  );
}
