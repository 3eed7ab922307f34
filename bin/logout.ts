import type { Io } from './admin/run-admin.ts';
import { callOf } from './entry.ts';
import { Provider } from './sign-in/provider.ts';
import { runCommand, sayTo } from './sign-in/run-command.ts';
import { SessionStore } from './sign-in/session-store.ts';

const USAGE = `Usage: ${callOf('logout')} --gateway URL

Deletes the tokens of your sign-in for this gateway, and ends them at the identity provider if it offers that.
A token that was printed before is valid until it expires.`;

/** svc logout: revokes and deletes a session. */
export function logout(args: readonly string[], io: Io = process): Promise<number> {
  const store = new SessionStore(io.env);
  const say = sayTo(io);
  return runCommand(args, io, {
    usage: USAGE,
    run: (gateway) =>
      store.locked(gateway, async () => {
        const session = await store.read(gateway);
        // First, so that it is also gone if the provider does not respond.
        await store.remove(gateway);
        if (session === undefined) return say('You were not signed in.');
        if (session.refreshToken !== undefined) await (await Provider.connect(session)).revoke(session);
        say(`Signed out of ${gateway}.`);
      }),
  });
}
