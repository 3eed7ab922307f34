import type { Io } from './admin/run-admin.ts';
import { callOf } from './entry.ts';
import { runCommand } from './sign-in/run-command.ts';
import { type Session, SessionStore } from './sign-in/session-store.ts';
import { callFailure, refusalOf, SignInError } from './sign-in/sign-in-error.ts';

const USAGE = `Usage: ${callOf('token')} --gateway URL

Prints a valid token of your sign-in for this gateway, to send in place of a key, and nothing else on standard output.
It gets a new one from the identity provider where that is needed. Exit code 1: sign in first, with ${callOf('login')}.
Programs that call it may keep the token for five minutes.`;
/** How long callers keep a token: Claude Code five minutes. A minute more is for clocks that differ. */
const KEPT_MS = 6 * 60_000;

/** svc token: prints the token of a session. */
export function token(args: readonly string[], io: Io = process): Promise<number> {
  return runCommand(args, io, {
    usage: USAGE,
    run: async (gateway) => {
      io.stdout.write(`${(await freshSession(gateway, new SessionStore(io.env))).value}\n`);
    },
  });
}

async function freshSession(gateway: string, store: SessionStore): Promise<Session> {
  const session = await store.read(gateway);
  if (session === undefined) throw notSignedIn(gateway);
  if (isFresh(session)) return session;
  return store.locked(gateway, async () => {
    // Another process may have refreshed it, or signed out, in the meantime.
    const current = await store.read(gateway);
    if (current === undefined) throw notSignedIn(gateway);
    return isFresh(current) ? current : refreshed(current, store);
  });
}

/** Whether the token is valid for as long as callers keep it. A short-lived one is used for half of its life. */
function isFresh({ receivedAt, expiresAt }: Session): boolean {
  return Date.now() < expiresAt - Math.min(KEPT_MS, (expiresAt - receivedAt) / 2);
}

async function refreshed(session: Session, store: SessionStore): Promise<Session> {
  const { gateway, issuer, refreshToken, expiresAt } = session;
  try {
    if (refreshToken === undefined) throw notSignedIn(gateway);
    const { Provider } = await import('./sign-in/provider.ts');
    const next = { ...session, ...(await (await Provider.connect(session)).refresh(session)) };
    await store.write(next);
    return next;
  } catch (error) {
    const isOver = refusalOf(error) === 'invalid_grant';
    if (isOver) await store.write({ ...session, refreshToken: undefined });
    if (Date.now() < expiresAt) return session;
    throw isOver ? notSignedIn(gateway) : callFailure(`The identity provider ${issuer}`, error);
  }
}

function notSignedIn(gateway: string): SignInError {
  return new SignInError(`You are not signed in. Run: ${callOf('login')} --gateway ${gateway}`);
}
