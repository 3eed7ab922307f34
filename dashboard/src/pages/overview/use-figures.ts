import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { type Range, timesOf } from '../../parts/time-range.ts';

const REFRESH_MS = 10_000;

/** A figure of analytics over the range that ends now, asked for anew every few seconds where the page is live. */
export function useFigures<T>(path: string, range: Range, query: Readonly<Record<string, string>>, isLive: boolean) {
  return useQuery({
    queryKey: [path, range, query],
    queryFn: ({ signal }) => call<T>('GET', path, { query: { ...timesOf(range, Date.now()), ...query }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? REFRESH_MS : false,
  });
}
