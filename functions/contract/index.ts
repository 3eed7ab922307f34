import { analyticsOperations } from './analytics.ts';
import { auditOperations } from './audit.ts';
import { deliveryOperations } from './deliveries.ts';
import { endUserOperations } from './end-users.ts';
import { keyOperations } from './keys.ts';
import type { Operation } from './operation.ts';
import { policyOperations } from './policy.ts';
import { providerOperations } from './providers.ts';
import { recordOperations } from './records.ts';
import { replayOperations } from './replay.ts';
import { settingsOperations } from './settings.ts';
import { signInOperations, singleSignOnOperations } from './sign-in.ts';
import { webhookOperations } from './webhooks.ts';

const BY_ID = {
  ...signInOperations,
  ...singleSignOnOperations,
  ...keyOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...policyOperations,
  ...replayOperations,
  ...providerOperations,
  ...settingsOperations,
  ...endUserOperations,
  ...auditOperations,
  ...analyticsOperations,
  ...recordOperations,
} satisfies Readonly<Record<string, Operation>>;
/** The operations with the types of their schemas. */
export type Operations = typeof BY_ID;

/** Every operation of the admin and analytics API, by its id. The document has them in this order. */
export const OPERATIONS: Readonly<Record<string, Operation>> = BY_ID;

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
export { analyticsOperations, type KeyNameList, type TimeseriesQuery } from './analytics.ts';
export { type AuditList, auditOperations } from './audit.ts';
export { type DeliveryList, deliveryOperations } from './deliveries.ts';
export { type EndUserDeletion, endUserOperations } from './end-users.ts';
export { type CreatedKey, type KeyList, type KeyUsage, keyOperations } from './keys.ts';
export { defineOperations, type LazyOperation, type Operation, type OperationSchemas } from './operation.ts';
export {
  type EffectivePolicy,
  type KeyPolicy,
  type PolicyScores,
  type PolicySource,
  type PolicyVersionList,
  type PolicyVersionView,
  policyOperations,
} from './policy.ts';
export {
  type ModelRoute,
  type ModelRouteList,
  type ProviderList,
  type ProviderTest,
  type ProviderView,
  providerOperations,
} from './providers.ts';
export { recordOperations } from './records.ts';
export { type PolicyReplay, type ReplayRequest, replayOperations, UNKNOWN_TO_REPLAYS } from './replay.ts';
export { type Settings, settingsOperations } from './settings.ts';
export {
  type DashboardSession,
  type SessionDeletion,
  type SessionOptions,
  signInOperations,
  singleSignOnOperations,
} from './sign-in.ts';
export { type Field, type JsonSchema, toFields, toWire } from './to-fields.ts';
export {
  type CreatedWebhook,
  type WebhookDeletion,
  type WebhookList,
  type WebhookTest,
  webhookOperations,
} from './webhooks.ts';
