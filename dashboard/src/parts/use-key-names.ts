import { useQueries } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { KeyView } from '../api/types.ts';
import { usePermission } from '../session/session-context.tsx';

/** Names of keys by id, as far as the reader may know them; analytics holds ids alone. */
export function useKeyNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const mayRead = usePermission('admin');
  return useQueries({
    queries: (mayRead ? [...new Set(ids)] : []).map((id) => ({
      queryKey: [`/v1/admin/keys/${encodeURIComponent(id)}`],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call<KeyView>('GET', `/v1/admin/keys/${encodeURIComponent(id)}`, { signal }),
      staleTime: 60_000,
      retry: false,
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data.name] as const]))),
  });
}
