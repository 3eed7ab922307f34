import { ApiError, call, setCsrfToken } from '../api/client.ts';
import type { Permission } from '../api/types.ts';

/** Who is signed in, as the server says; the key itself never comes back. */
export interface SignedIn {
  readonly object: 'session';
  readonly keyId: string | null;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expiresAt: string;
  readonly csrfToken: string;
}

export interface SignInOptions {
  readonly object: 'session.options';
  readonly oidc: { readonly label: string; readonly startUrl: string } | null;
}

const PATH = '/v1/admin/session';

/** The session of this browser; null where there is none. */
export async function readSession(signal?: AbortSignal): Promise<SignedIn | null> {
  try {
    return remember(await call<SignedIn>('GET', PATH, signal === undefined ? {} : { signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return remember(null);
    throw error;
  }
}

/** Throws an ApiError with 401 where the key is none, and 403 where it may not see the dashboard. */
export async function signIn(key: string): Promise<SignedIn> {
  return remember(await call<SignedIn>('POST', PATH, { body: { key } }));
}

export async function signOut(): Promise<void> {
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
