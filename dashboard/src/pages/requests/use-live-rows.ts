import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, type Page, type Query, type RequestRecord } from '../../api/client.ts';
import type { PagedList } from '../../api/queries.ts';

const REFRESH_MS = 3_000;
const PATH = '/v1/analytics/requests';

/**
 * A list with the newest requests added while `isLive`. Only its first page is read again: a request appears when it ends, and a longer one
 * takes its place by its arrival.
 */
export function useLiveRows(list: PagedList<RequestRecord>, query: Query, isLive: boolean): PagedList<RequestRecord> {
  const { to: _, ...open } = query;
  const newest = useQuery({
    queryKey: [PATH, 'newest', open],
    queryFn: ({ signal }) => call<Page<RequestRecord>>('GET', PATH, { query: { ...open, limit: 100 }, signal }),
    enabled: isLive,
    refetchInterval: REFRESH_MS,
  });
  const latest = isLive ? newest.data?.data : undefined;
  const rows = useMemo(() => (latest === undefined ? list.rows : mergeNewest(list.rows, latest)), [list.rows, latest]);
  return { ...list, rows, error: list.error ?? (isLive ? newest.error : null) };
}

/** Both lists in one, newest first, each request once. */
export function mergeNewest(rows: readonly RequestRecord[], newest: readonly RequestRecord[]): RequestRecord[] {
  const known = new Map([...rows, ...newest].map((record) => [record.id, record]));
  return [...known.values()].sort((a, b) => (`${a.time}${a.id}` < `${b.time}${b.id}` ? 1 : -1));
}
