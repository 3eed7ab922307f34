import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react';
import type { Permission } from '../api/types.ts';
import { readSession, type SignedIn, signIn, signOut } from './session-api.ts';

interface SessionValue {
  /** undefined while it is asked for. */
  readonly session: SignedIn | null | undefined;
  readonly error: Error | null;
  retry(): void;
  signIn(key: string): Promise<void>;
  signOut(): Promise<void>;
}

const SessionContext = createContext<SessionValue | undefined>(undefined);
export const SESSION_QUERY = ['session'] as const;

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: SESSION_QUERY,
    queryFn: ({ signal }) => readSession(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { refetch } = query;

  const enter = useCallback(
    async (key: string) => {
      const session = await signIn(key);
      forgetAll(client);
      client.setQueryData(SESSION_QUERY, session);
    },
    [client],
  );
  const leave = useCallback(async () => {
    await signOut();
    client.setQueryData(SESSION_QUERY, null);
    forgetAll(client);
  }, [client]);

  const value = useMemo<SessionValue>(
    () => ({
      session: query.data,
      error: query.error,
      retry: () => void refetch(),
      signIn: enter,
      signOut: leave,
    }),
    [query.data, query.error, refetch, enter, leave],
  );
  return <SessionContext value={value}>{children}</SessionContext>;
}

/** Nothing that the last reader saw is shown to the next. */
function forgetAll(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_QUERY[0] });
}

export function useSession(): SessionValue {
  const value = useContext(SessionContext);
  if (value === undefined) throw new Error('There is no SessionProvider above.');
  return value;
}

/** Whether who is signed in may do this; the server decides all the same. */
export function usePermission(wanted: Permission): boolean {
  const { session } = useSession();
  return session != null && (session.permissions.includes(wanted) || session.permissions.includes('admin'));
}
