import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Query, RequestRecord } from '../../api/client.ts';
import { pathTo } from '../../api/operations.ts';
import { type PagedList, readPage } from '../../api/queries.ts';

const REFRESH_MS = 3_000;

/**
 * A list with the newest requests added while `isLive`. Only its first page is read again: a request appears when it ends, and a longer one
 * takes its place by its arrival.
 */
export function useLiveRows(list: PagedList<RequestRecord>, query: Query, isLive: boolean): PagedList<RequestRecord> {
  const { to: _, ...open } = query;
  const newest = useQuery({
    queryKey: [pathTo('listRequests'), 'newest', open],
    queryFn: ({ signal }) => readPage('listRequests', { query: open, signal }, undefined),
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
