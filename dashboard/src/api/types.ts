import type { Figures, KeyView, RequestRecord, Threat } from '../../../functions/admin-api/contract.ts';

/** The types of the contract by the names that this page uses, and what it asks of them. */
export type {
  AuditList,
  CreatedKey,
  CreatedWebhook,
  CreateKey,
  CreateWebhook,
  DeliveryList,
  Figures,
  Group,
  KeyList,
  KeyUsage,
  KeyView,
  Mark,
  PolicyReplay,
  PolicyVersionList,
  PolicyVersionView,
  RequestDetail,
  RequestRecord,
  Session,
  Summary,
  Threat,
  Timeseries,
  UpdateKey,
  UpdateWebhook,
  WebhookList,
  WebhookTest,
  WebhookView,
} from '../../../functions/admin-api/contract.ts';

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

export type Permission = KeyView['permissions'][number];
export type Environment = KeyView['environment'];
export type Action = RequestRecord['action'];
export type Severity = Threat['severity'];
export type ThreatType = Threat['type'];
export type Percentiles = Figures['latencyMs'];
