import { type App, type AppOptions, createApp, type Route } from '../core/http/router.ts';
import type { AdminDeps } from './admin-service.ts';
import type { AnalyticsDeps } from './analytics/analytics-service.ts';
import { analyticsCaptureRoute } from './routes/analytics-capture.ts';
import { analyticsRequestRoute } from './routes/analytics-request.ts';
import { analyticsRequestsRoute } from './routes/analytics-requests.ts';
import { analyticsSessionRoute } from './routes/analytics-session.ts';
import { analyticsSessionsRoute } from './routes/analytics-sessions.ts';
import { analyticsSummaryRoute } from './routes/analytics-summary.ts';
import { analyticsThreatsRoute } from './routes/analytics-threats.ts';
import { analyticsTimeseriesRoute } from './routes/analytics-timeseries.ts';
import { auditRoute } from './routes/audit.ts';
import { createKeyRoute } from './routes/create-key.ts';
import { createWebhookRoute } from './routes/create-webhook.ts';
import { deleteEndUserRoute } from './routes/delete-end-user.ts';
import { deleteWebhookRoute } from './routes/delete-webhook.ts';
import { getKeyRoute } from './routes/get-key.ts';
import { getWebhookRoute } from './routes/get-webhook.ts';
import { keyUsageRoute } from './routes/key-usage.ts';
import { listDeliveriesRoute } from './routes/list-deliveries.ts';
import { listKeysRoute } from './routes/list-keys.ts';
import { listWebhooksRoute } from './routes/list-webhooks.ts';
import { markThreatRoute } from './routes/mark-threat.ts';
import { oidcCallbackRoute, oidcStartRoute } from './routes/oidc.ts';
import { playgroundGuardRoute } from './routes/playground-guard.ts';
import { getPolicyRoute, listPolicyVersionsRoute, putPolicyRoute } from './routes/policy.ts';
import { redeliverRoute } from './routes/redeliver.ts';
import { replayPolicyRoute } from './routes/replay-policy.ts';
import { revokeKeyRoute } from './routes/revoke-key.ts';
import { rotateKeyRoute } from './routes/rotate-key.ts';
import { rotateWebhookSecretRoute } from './routes/rotate-webhook-secret.ts';
import { createSessionRoute, deleteSessionRoute, getSessionRoute, sessionOptionsRoute } from './routes/session.ts';
import { testWebhookRoute } from './routes/test-webhook.ts';
import { updateKeyRoute } from './routes/update-key.ts';
import { updateWebhookRoute } from './routes/update-webhook.ts';
import { withRenewal } from './sign-in/with-renewal.ts';

/** Signing in and out of the dashboard: open to who has shown no key yet. */
export function sessionRoutes(deps: AdminDeps): Route[] {
  return [
    createSessionRoute(deps),
    getSessionRoute(deps),
    deleteSessionRoute(deps),
    sessionOptionsRoute(deps),
    oidcStartRoute(deps),
    oidcCallbackRoute(deps),
  ];
}

/** What administrators alone may do; each change, and each look at what people wrote, is in the audit log. */
export function adminRoutes(deps: AdminDeps): Route[] {
  return [
    createKeyRoute(deps),
    listKeysRoute(deps),
    getKeyRoute(deps),
    keyUsageRoute(deps),
    updateKeyRoute(deps),
    revokeKeyRoute(deps),
    rotateKeyRoute(deps),
    createWebhookRoute(deps),
    listWebhooksRoute(deps),
    getWebhookRoute(deps),
    updateWebhookRoute(deps),
    deleteWebhookRoute(deps),
    rotateWebhookSecretRoute(deps),
    testWebhookRoute(deps),
    listDeliveriesRoute(deps),
    redeliverRoute(deps),
    getPolicyRoute(deps),
    putPolicyRoute(deps),
    listPolicyVersionsRoute(deps),
    replayPolicyRoute(deps),
    playgroundGuardRoute(deps),
    deleteEndUserRoute(deps),
    auditRoute(deps),
    markThreatRoute(deps),
    analyticsCaptureRoute(deps),
  ];
}

/** What the permission `analytics` reads. */
export function analyticsRoutes(deps: AnalyticsDeps): Route[] {
  return [
    analyticsSummaryRoute(deps),
    analyticsTimeseriesRoute(deps),
    analyticsThreatsRoute(deps),
    analyticsRequestsRoute(deps),
    analyticsRequestRoute(deps),
    analyticsSessionsRoute(deps),
    analyticsSessionRoute(deps),
  ];
}

export function createAdminApp(admin: AdminDeps, analytics: AnalyticsDeps, options: AppOptions): App {
  const routes = [...sessionRoutes(admin), ...adminRoutes(admin), ...analyticsRoutes(analytics)];
  return withRenewal(createApp(routes, options), admin);
}
