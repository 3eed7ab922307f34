import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, type Query } from '../api/client.ts';
import type { Page } from '../api/types.ts';

export interface PagedList<T> {
  readonly rows: readonly T[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  readonly error: Error | null;
  loadMore(): void;
  retry(): void;
}

const PAGE_SIZE = 100;

/** A list of the API, page by page by its own cursors; what is filtered and sorted there is never all held here at once. */
export function usePagedList<T>(
  path: string,
  query: Query,
  options: { readonly refreshMs?: number } = {},
): PagedList<T> {
  const list = useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) =>
      call<Page<T>>('GET', path, { query: { ...query, limit: PAGE_SIZE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<T>) => page.nextCursor ?? undefined,
    ...(options.refreshMs === undefined ? {} : { refetchInterval: options.refreshMs }),
  });
  const { data, isPending, isFetchingNextPage, hasNextPage, error, fetchNextPage, refetch } = list;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return {
    rows,
    isLoading: isPending,
    isLoadingMore: isFetchingNextPage,
    hasMore: hasNextPage,
    error,
    loadMore: () => void fetchNextPage(),
    retry: () => void (data === undefined ? refetch() : fetchNextPage()),
  };
}
