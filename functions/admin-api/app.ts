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
import { providerRoutes } from './routes/providers.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { settingsRoute } from './routes/settings.ts';
import { singleSignOnRoutes } from './routes/single-sign-on.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** Signing in and out of the dashboard: open to callers without a key. */
export function signInRoutes(deps: AdminDeps): Route[] {
  return [...sessionRoutes(deps), ...singleSignOnRoutes(deps)];
}

/** Routes for administrators only; each change and each read of captured text is in the audit log. */
export function adminRoutes(deps: AdminDeps): Route[] {
  return [
    ...keyRoutes(deps),
    ...webhookRoutes(deps),
    ...deliveryRoutes(deps),
    ...policyRoutes(deps),
    ...policyTrialRoutes(deps),
    ...providerRoutes(deps),
    settingsRoute(deps),
    deleteEndUserRoute(deps),
    auditRoute(deps),
    ...analyticsAdminRoutes(deps),
  ];
}

/** The admin API, with dashboard sessions renewed while they are used. */
export function createAdminApp(admin: AdminDeps, analytics: AnalyticsDeps, options: AppOptions): App {
  const routes = [...signInRoutes(admin), ...adminRoutes(admin), ...analyticsRoutes(analytics)];
  return withRenewal(createApp(routes, options), admin);
}

/** Renews a session while it is used: a successful response has a cookie for another hour. */
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
      // The request was handled, and the old cookie stays valid for a while.
    }
    return response;
  };
}
