import { useInfiniteQuery, useQueries, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, type Page, type Query } from './client.ts';
import { readKeyName } from './key-names.ts';
import { usePermission } from './session.tsx';

export interface PagedList<T> {
  readonly rows: readonly T[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  readonly error: Error | null;
  /** ISO 8601: records newer than this were searched; null if all were, or if the list is not of records. */
  readonly searchedTo: string | null;
  /** Pages at the end without a row: none of the rows that they searched matched the filters. */
  readonly emptyPages: number;
  loadMore(): void;
  retry(): void;
  /** All rows loaded so far, from the first page on. */
  refresh(): void;
}

const PAGE_SIZE = 100;

/** A list of the API, loaded page by page with its cursors. The server filters and sorts. */
export function usePagedList<T>(path: string, query: Query): PagedList<T> {
  const client = useQueryClient();
  const queryKey = [path, query] as const;
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      call<Page<T>>('GET', path, { query: { ...query, limit: PAGE_SIZE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<T>) => page.nextCursor ?? undefined,
  });
  const { data, isPending, isFetchingNextPage, hasNextPage, error, fetchNextPage, refetch } = list;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return {
    rows,
    isLoading: isPending,
    isLoadingMore: isFetchingNextPage,
    hasMore: hasNextPage,
    error,
    emptyPages: emptyPagesOf(data?.pages ?? []),
    searchedTo: data?.pages.at(-1)?.searchedTo ?? null,
    loadMore: () => void fetchNextPage(),
    refresh: () => void client.resetQueries({ queryKey }),
    retry: () => void (data === undefined ? refetch() : fetchNextPage()),
  };
}

function emptyPagesOf(pages: readonly Page<unknown>[]): number {
  return pages.length - 1 - pages.findLastIndex(({ data }) => data.length > 0);
}

const queryOf = (id: string) => ({
  // Begins like every query of keys, so that a change of a key reloads its name too.
  queryKey: ['/v1/admin/keys', 'name', id],
  queryFn: () => readKeyName(id),
  staleTime: 60_000,
  retry: false,
});

/** Names of keys by id, those loaded so far. */
export function useKeyNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(usePermission('analytics') ? ids : [])];
  return useQueries({
    queries: distinct.map(queryOf),
    combine: (results) => toNames(distinct.map((id, at) => [id, results[at]?.data])),
  });
}

/** Returns a function that loads the names of keys by id. */
export function useKeyNameReader(): (ids: readonly string[]) => Promise<ReadonlyMap<string, string>> {
  const client = useQueryClient();
  return async (ids) =>
    toNames(
      await Promise.all([...new Set(ids)].map(async (id) => [id, await client.fetchQuery(queryOf(id))] as const)),
    );
}

function toNames(pairs: readonly (readonly [string, string | null | undefined])[]): ReadonlyMap<string, string> {
  return new Map(pairs.flatMap(([id, name]) => (name == null ? [] : [[id, name]])));
}
