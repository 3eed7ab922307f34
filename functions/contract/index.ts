/**
 * What the operations of the admin and analytics API are: each operation once, its types, and its fields as data. `operations.ts` has
 * them together; there is a file for each resource.
 */
export type {
  CreateKey,
  CreateWebhook,
  Figures,
  Group,
  Interval,
  KeyView,
  Mark,
  RequestDetail,
  RequestRecord,
  Session,
  Summary,
  Threat,
  ThreatDetail,
  Timeseries,
  UpdateKey,
  UpdateWebhook,
  WebhookView,
} from '../kernel/model/index.ts';
export { alertOperations } from './alerts.ts';
export { analyticsOperations } from './analytics.ts';
export type { TimeseriesQuery } from './analytics-queries.ts';
export { approvalOperations } from './approvals.ts';
export { type AuditList, auditOperations } from './audit.ts';
export type { BodyOf, CallOf, ListId, OperationId, QueryOf, ResponseOf, RowOf } from './calls.ts';
export { credentialOperations } from './credentials.ts';
export { deliveryOperations } from './deliveries.ts';
export { endUserOperations } from './end-users.ts';
export { callerIdentityOperations, identityOperations } from './identity.ts';
export { keyToolOperations } from './key-tools.ts';
export { type CreatedKey, type KeyList, type KeyUsage, keyOperations } from './keys.ts';
export { mcpServerOperations } from './mcp-servers.ts';
export { defineOperations, type LazyOperation, type Operation, type OperationSchemas } from './operation.ts';
export { OPERATIONS } from './operations.ts';
export {
  type EffectivePolicy,
  type PolicyScores,
  type PolicySource,
  type PolicyVersionView,
  policyOperations,
} from './policy.ts';
export { priceOperations } from './prices.ts';
export {
  type ProviderList,
  type ProviderTest,
  type ProviderView,
  providerOperations,
} from './providers.ts';
export { recordOperations } from './records.ts';
export { type PolicyReplay, replayOperations, UNKNOWN_TO_REPLAYS } from './replay.ts';
export { type ModelRoute, type ModelRouteList, routeOperations } from './routes.ts';
export { readServiceAccountKey, type ServiceAccountKey } from './service-account.ts';
export { type Settings, settingsOperations } from './settings.ts';
export {
  type DashboardSession,
  signInOperations,
  singleSignOnOperations,
} from './sign-in.ts';
export { teamOperations } from './teams.ts';
export { defaultsOf, type Field, type JsonSchema, toFields, toWire } from './to-fields.ts';
export { viewOperations } from './views.ts';
export {
  type CreatedWebhook,
  webhookOperations,
} from './webhooks.ts';
