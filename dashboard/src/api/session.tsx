import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react';
import type { OperationId, ResponseOf } from '../../../functions/contract/index.ts';
import { ApiError, setCsrfToken } from './client.ts';
import { call } from './operations.ts';

/** The signed-in user according to the server, which never returns the key. */
type SignedIn = ResponseOf<'getDashboardSession'>;

type SignInOptions = ResponseOf<'getDashboardSessionOptions'>;

/** The session of this browser; null if there is none. */
async function readSession(signal?: AbortSignal): Promise<SignedIn | null> {
  try {
    return remember(await call('getDashboardSession', signal === undefined ? {} : { signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return remember(null);
    throw error;
  }
}

/** Throws an ApiError with status 401 for an unknown key, and 403 if the key may not see the dashboard. */
async function signIn(key: string): Promise<SignedIn> {
  return remember(await call('createDashboardSession', { body: { key } }));
}

async function signOut(): Promise<void> {
  await call('deleteDashboardSession', {});
  remember(null);
}

export async function readSignInOptions(signal: AbortSignal): Promise<SignInOptions> {
  return await call('getDashboardSessionOptions', { signal });
}

function remember<T extends SignedIn | null>(session: T): T {
  setCsrfToken(session?.csrfToken);
  return session;
}

interface SessionValue {
  /** undefined while loading. */
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

/** Clears cached data, so that the next user does not see it. */
function forgetAll(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_QUERY[0] });
}

export function useSession(): SessionValue {
  const value = useContext(SessionContext);
  if (value === undefined) throw new Error('SessionProvider is missing.');
  return value;
}

/** Whether the signed-in user may call an operation, by their permissions or their role in a team. The server checks it too. */
export function useMay(operation: OperationId): boolean {
  return useSession().session?.operations?.includes(operation) ?? false;
}
