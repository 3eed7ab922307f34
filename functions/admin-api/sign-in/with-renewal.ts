import type { App } from '../../core/http/router.ts';
import { type AccessDeps, sessionOf } from '../access.ts';

/** Lets a session go on while it is used: what it asked for successfully is answered with a cookie that lasts another hour. */
export function withRenewal(app: App, deps: AccessDeps): App {
  return async (request, context) => {
    const response = await app(request, context);
    if (response.status >= 400 || response.cookies !== undefined) return response;
    try {
      const session = await sessionOf(request, deps);
      if (session && deps.sessions.isDueForRenewal(session)) {
        return { ...response, cookies: [await deps.sessions.write(session)] };
      }
    } catch {
      // What was asked for is done, and the old cookie goes on for a while.
    }
    return response;
  };
}
