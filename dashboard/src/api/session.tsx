import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react';
import { ApiError, call, type Permission, setCsrfToken } from './client.ts';

/** Who is signed in, as the server says; the key itself never comes back. */
interface SignedIn {
  readonly object: 'session';
  readonly keyId: string | null;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expiresAt: string;
  readonly csrfToken: string;
}

interface SignInOptions {
  readonly object: 'session.options';
  readonly oidc: { readonly label: string; readonly startUrl: string } | null;
}

const PATH = '/v1/admin/session';

/** The session of this browser; null where there is none. */
async function readSession(signal?: AbortSignal): Promise<SignedIn | null> {
  try {
    return remember(await call<SignedIn>('GET', PATH, signal === undefined ? {} : { signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return remember(null);
    throw error;
  }
}

/** Throws an ApiError with 401 where the key is none, and 403 where it may not see the dashboard. */
async function signIn(key: string): Promise<SignedIn> {
  return remember(await call<SignedIn>('POST', PATH, { body: { key } }));
}

async function signOut(): Promise<void> {
  await call('DELETE', PATH);
  remember(null);
}

export async function readSignInOptions(signal: AbortSignal): Promise<SignInOptions> {
  return await call<SignInOptions>('GET', `${PATH}/options`, { signal });
}

function remember<T extends SignedIn | null>(session: T): T {
  setCsrfToken(session?.csrfToken);
  return session;
}

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
