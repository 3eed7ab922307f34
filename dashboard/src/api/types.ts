import type { Figures, KeyView, RequestRecord, Summary, Threat } from '../../../functions/admin-api/contract.ts';

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
  KeyView,
  Mark,
  PolicyReplay,
  PolicyVersionList,
  PolicyVersionView,
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

/** Answer of `GET /admin/keys/{id}/usage`. */
export interface KeyUsage {
  readonly requests: { readonly limit: number; readonly remaining: number; readonly fullAt: string };
  readonly tokens: { readonly limit: number; readonly remaining: number; readonly fullAt: string } | null;
  readonly budget: { readonly usd: number; readonly remainingUsd: number; readonly resetAt: string } | null;
  readonly concurrent: { readonly limit: number; readonly remaining: number } | null;
}

/** Answer of `GET /analytics/requests/{id}`. */
export type RequestDetail = Omit<RequestRecord, 'findings'> & { readonly findings: readonly Threat[] };

/** Answer of `GET /analytics/summary` with `groupBy`; `label` is a key's name. */
export type GroupedSummary = Omit<Summary, 'groups'> & {
  readonly groups?: readonly (NonNullable<Summary['groups']>[number] & { readonly label?: string | null })[];
};
