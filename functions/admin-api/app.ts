import {
  alertOperations,
  analyticsOperations,
  approvalOperations,
  auditOperations,
  callerIdentityOperations,
  credentialOperations,
  deliveryOperations,
  endUserOperations,
  identityOperations,
  keyOperations,
  keyToolOperations,
  mcpServerOperations,
  policyOperations,
  priceOperations,
  providerOperations,
  recordOperations,
  replayOperations,
  routeOperations,
  settingsOperations,
  signInOperations,
  singleSignOnOperations,
  teamOperations,
  viewOperations,
  webhookOperations,
} from '../contract/index.ts';
import { type App, type AppOptions, createApp, type Route } from '../kernel/http/index.ts';
import { type AccessDeps, sessionOf } from './access.ts';
import type { AdminDeps, AnalyticsDeps } from './admin-deps.ts';
import { operationRoutes } from './operation-routes.ts';
import { ALERT_HANDLERS } from './routes/alerts.ts';
import { ANALYTICS_HANDLERS } from './routes/analytics.ts';
import { APPROVAL_HANDLERS } from './routes/approvals.ts';
import { AUDIT_HANDLERS } from './routes/audit.ts';
import { CREDENTIAL_HANDLERS } from './routes/credentials.ts';
import { DELIVERY_HANDLERS } from './routes/deliveries.ts';
import { END_USER_HANDLERS } from './routes/end-users.ts';
import { CALLER_IDENTITY_HANDLERS, IDENTITY_HANDLERS } from './routes/identity.ts';
import { KEY_TOOL_HANDLERS } from './routes/key-tools.ts';
import { KEY_HANDLERS } from './routes/keys.ts';
import { MCP_SERVER_HANDLERS } from './routes/mcp-servers.ts';
import { PLAYGROUND_HANDLERS, playgroundOperations } from './routes/playground.ts';
import { POLICY_HANDLERS } from './routes/policy.ts';
import { REPLAY_HANDLERS } from './routes/policy-trials.ts';
import { PRICE_HANDLERS } from './routes/prices.ts';
import { PROVIDER_HANDLERS } from './routes/providers.ts';
import { RECORD_HANDLERS } from './routes/records.ts';
import { ROUTE_HANDLERS } from './routes/routes.ts';
import { SIGN_IN_HANDLERS } from './routes/sessions.ts';
import { SETTINGS_HANDLERS } from './routes/settings.ts';
import { SINGLE_SIGN_ON_HANDLERS } from './routes/single-sign-on.ts';
import { TEAM_HANDLERS } from './routes/teams.ts';
import { VIEW_HANDLERS } from './routes/views.ts';
import { WEBHOOK_HANDLERS } from './routes/webhooks.ts';

/** Signing in and out of the dashboard: open to callers without a key. */
export function signInRoutes(deps: AdminDeps): Route[] {
  return [
    ...operationRoutes(signInOperations, SIGN_IN_HANDLERS, deps),
    ...operationRoutes(singleSignOnOperations, SINGLE_SIGN_ON_HANDLERS, deps),
  ];
}

/** Routes for administrators, and for the permission `approvals`; each change and each read of captured text is in the audit log. */
export function adminRoutes(deps: AdminDeps): Route[] {
  return [
    ...operationRoutes(keyOperations, KEY_HANDLERS, deps),
    ...operationRoutes(teamOperations, TEAM_HANDLERS, deps),
    ...operationRoutes(keyToolOperations, KEY_TOOL_HANDLERS, deps),
    ...operationRoutes(alertOperations, ALERT_HANDLERS, deps),
    ...operationRoutes(webhookOperations, WEBHOOK_HANDLERS, deps),
    ...operationRoutes(deliveryOperations, DELIVERY_HANDLERS, deps),
    ...operationRoutes(policyOperations, POLICY_HANDLERS, deps),
    ...operationRoutes(replayOperations, REPLAY_HANDLERS, deps),
    ...operationRoutes(playgroundOperations, PLAYGROUND_HANDLERS, deps),
    ...operationRoutes(providerOperations, PROVIDER_HANDLERS, deps),
    ...operationRoutes(mcpServerOperations, MCP_SERVER_HANDLERS, deps),
    ...operationRoutes(credentialOperations, CREDENTIAL_HANDLERS, deps),
    ...operationRoutes(routeOperations, ROUTE_HANDLERS, deps),
    ...operationRoutes(priceOperations, PRICE_HANDLERS, deps),
    ...operationRoutes(identityOperations, IDENTITY_HANDLERS, deps),
    ...operationRoutes(callerIdentityOperations, CALLER_IDENTITY_HANDLERS, deps),
    ...operationRoutes(settingsOperations, SETTINGS_HANDLERS, deps),
    ...operationRoutes(endUserOperations, END_USER_HANDLERS, deps),
    ...operationRoutes(approvalOperations, APPROVAL_HANDLERS, deps),
    ...operationRoutes(auditOperations, AUDIT_HANDLERS, deps),
    ...operationRoutes(viewOperations, VIEW_HANDLERS, deps),
    ...operationRoutes(recordOperations, RECORD_HANDLERS, deps),
  ];
}

/** Routes for the permission `analytics`. */
export function analyticsRoutes(deps: AnalyticsDeps): Route[] {
  return operationRoutes(analyticsOperations, ANALYTICS_HANDLERS, deps);
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
