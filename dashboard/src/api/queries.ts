import { keepPreviousData, useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CallOf, ListId, OperationId, ResponseOf, RowOf } from '../../../functions/contract/index.ts';
import type { Query, RequestDetail } from './client.ts';
import { readKeyName } from './key-names.ts';
import { type CallOptions, call, pathTo } from './operations.ts';
import { useMay } from './session.tsx';

export interface PagedList<T> {
  readonly rows: readonly T[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  readonly error: Error | null;
  /** ISO 8601: records newer than this were searched; null if all were, or if the list is not of records. */
  readonly searchedTo: string | null;
  /** Of figures: the requests that were read, if the range has more. */
  readonly sampled: number | null;
  /** Pages at the end without a row: none of the rows that they searched matched the filters. */
  readonly emptyPages: number;
  loadMore(): void;
  retry(): void;
  /** All rows loaded so far, from the first page on. */
  refresh(): void;
}

const PAGE_SIZE = 100;

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
  /** Of lists of records: the time back to which they were searched; null at the end. */
  readonly searchedTo?: string | null;
  /** Of figures: whether the range has more requests than were read. */
  readonly isCut?: boolean;
  readonly requests?: number;
}

/** A read for `useQuery`. */
export interface Reading<T> {
  /** Begins with the path, so that a change can reload all reads of a resource. */
  readonly queryKey: readonly unknown[];
  queryFn(context: { readonly signal: AbortSignal }): Promise<T>;
}

/** The read of an operation. */
export function reading<Id extends OperationId>(id: Id, options: CallOf<Id>): Reading<ResponseOf<Id>> {
  const { params, query } = options as LooseCall;
  return {
    queryKey: [pathTo(id, params), ...(query === undefined ? [] : [query])],
    queryFn: ({ signal }) => call(id, { ...(options as object), signal } as unknown as CallOptions<Id>),
  };
}

interface LooseCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
}

/** A page of a list of the API. */
export function readPage<Id extends ListId>(
  id: Id,
  options: CallOptions<Id>,
  cursor: string | undefined,
): Promise<Page<RowOf<Id>>> {
  const query = { ...(options as LooseCall).query, limit: PAGE_SIZE, cursor };
  return call(id, { ...options, query } as unknown as CallOptions<Id>) as unknown as Promise<Page<RowOf<Id>>>;
}

/** A list of the API, loaded page by page with its cursors. The server filters and sorts. `keepsRows`: until those of another order are read. */
export function usePagedList<Id extends ListId>(id: Id, options: CallOf<Id>, keepsRows = false): PagedList<RowOf<Id>> {
  const client = useQueryClient();
  const { queryKey } = reading(id, options);
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      readPage(id, { ...(options as object), signal } as unknown as CallOptions<Id>, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<RowOf<Id>>) => page.nextCursor ?? undefined,
    ...(keepsRows && { placeholderData: keepPreviousData }),
  });
  const { data, isPending, isFetchingNextPage, hasNextPage, error, fetchNextPage, refetch, isPlaceholderData } = list;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return {
    rows,
    isLoading: isPending,
    isLoadingMore: isFetchingNextPage,
    hasMore: hasNextPage && !isPlaceholderData,
    error,
    emptyPages: emptyPagesOf(data?.pages ?? []),
    searchedTo: data?.pages.at(-1)?.searchedTo ?? null,
    sampled: sampledOf(data?.pages.at(-1)),
    loadMore: () => void fetchNextPage(),
    refresh: () => void client.resetQueries({ queryKey }),
    retry: () => void (data === undefined ? refetch() : fetchNextPage()),
  };
}

function sampledOf(page: Page<unknown> | undefined): number | null {
  return page?.isCut === true ? (page.requests ?? null) : null;
}

function emptyPagesOf(pages: readonly Page<unknown>[]): number {
  return pages.length - 1 - pages.findLastIndex(({ data }) => data.length > 0);
}

const queryOf = (id: string) => ({
  // Begins like every query of keys, so that a change of a key reloads its name too.
  queryKey: [pathTo('listKeys'), 'name', id],
  queryFn: () => readKeyName(id),
  staleTime: 60_000,
  retry: false,
});

/** Names of keys and teams by id, those loaded so far. */
export function useKeyNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(useMay('listKeyNames') ? ids : [])];
  return useQueries({
    queries: distinct.map(queryOf),
    combine: (results) => toNames(distinct.map((id, at) => [id, results[at]?.data])),
  });
}

const RECORD_TRIES = 10;
const RECORD_PAUSE_MS = 1_000;

/** The record of a request, which is written after its response; undefined until then. */
export function useRecord(requestId: string | undefined): RequestDetail | undefined {
  const record = useQuery({
    ...reading('getRequest', { params: { id: requestId ?? '' } }),
    enabled: requestId !== undefined,
    retry: RECORD_TRIES,
    retryDelay: RECORD_PAUSE_MS,
  });
  return record.data;
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

/** A list that is complete. */
export function completeList<Row>(rows: readonly Row[]): PagedList<Row> {
  return {
    ...{ rows, isLoading: false, isLoadingMore: false, hasMore: false, error: null },
    ...{ searchedTo: null, sampled: null, emptyPages: 0 },
    loadMore: () => {},
    retry: () => {},
    refresh: () => {},
  };
}
