import { type App, type AppOptions, createApp, type Route } from '../core/http/router.ts';
import { type AccessDeps, sessionOf } from './access.ts';
import type { AdminDeps, AnalyticsDeps } from './admin-deps.ts';
import { analyticsAdminRoutes, analyticsRoutes } from './routes/analytics.ts';
import { auditRoute } from './routes/audit.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { deleteEndUserRoute } from './routes/end-users.ts';
import { keyRoutes } from './routes/keys.ts';
import { policyRoutes } from './routes/policy.ts';
import { policyTrialRoutes } from './routes/policy-trials.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { singleSignOnRoutes } from './routes/single-sign-on.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** Signing in and out of the dashboard: open to callers without a key. */
export function signInRoutes(deps: AdminDeps): Route[] {
  return [...sessionRoutes(deps), ...singleSignOnRoutes(deps)];
}

/** What administrators alone may do; each change, and each look at what people wrote, is in the audit log. */
export function adminRoutes(deps: AdminDeps): Route[] {
  return [
    ...keyRoutes(deps),
    ...webhookRoutes(deps),
    ...deliveryRoutes(deps),
    ...policyRoutes(deps),
    ...policyTrialRoutes(deps),
    deleteEndUserRoute(deps),
    auditRoute(deps),
    ...analyticsAdminRoutes(deps),
  ];
}

/** The admin API, with sessions of the dashboard renewed while they are used. */
export function createAdminApp(admin: AdminDeps, analytics: AnalyticsDeps, options: AppOptions): App {
  const routes = [...signInRoutes(admin), ...adminRoutes(admin), ...analyticsRoutes(analytics)];
  return withRenewal(createApp(routes, options), admin);
}

/** Lets a session go on while it is used: what it asked for successfully is answered with a cookie that lasts another hour. */
function withRenewal(app: App, deps: AccessDeps): App {
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
