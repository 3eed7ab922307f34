import { createDynamoClient } from '../adapters/aws/clients.ts';
import { DynamoAggregates } from '../adapters/dynamo/dynamo-aggregates.ts';
import { DynamoAlertStates } from '../adapters/dynamo/dynamo-alert-states.ts';
import { DynamoApprovalStore } from '../adapters/dynamo/dynamo-approval-store.ts';
import { DynamoAuditLog } from '../adapters/dynamo/dynamo-audit-log.ts';
import {
  ALERTS_DOCUMENT,
  DynamoDocumentStore,
  POLICY_DOCUMENT,
  TEAMS_DOCUMENT,
} from '../adapters/dynamo/dynamo-document-store.ts';
import { DynamoKeyStore } from '../adapters/dynamo/dynamo-key-store.ts';
import { DynamoLimitStore } from '../adapters/dynamo/dynamo-limit-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { logAudit, logFailedAlert, logWaitingApprovals } from '../adapters/telemetry/json-log.ts';
import { evaluateAlerts } from '../control/alerts/index.ts';
import { readWaiting } from '../control/approvals/index.ts';
import { reportExpiringKeys } from '../control/keys/index.ts';
import { watchRollout } from '../control/rollout/index.ts';

export interface KeyWatchConfig {
  readonly tables: TablesOf<'key-watch'>;
  readonly auditRetentionDays: number;
}

/** Checks to run regularly. Each rejects if it must be repeated. */
export interface KeyWatch {
  /** Reports keys that expire soon. @returns how many */
  keys(): Promise<number>;
  /** Withdraws a roll-out that blocks too much. @returns whether it did */
  rollout(): Promise<boolean>;
  /** Logs how many tool calls wait for a person, with the metric. */
  approvals(): Promise<void>;
  /** Evaluates alerts and emits events for changes. @returns how many changed */
  alerts(): Promise<number>;
}

/** The checks on AWS, or on services with the same APIs. */
export function composeKeyWatch({ tables, auditRetentionDays }: KeyWatchConfig): KeyWatch {
  const dynamo = createDynamoClient();
  const keys = new DynamoKeyStore(dynamo, tables.keys);
  const aggregates = new DynamoAggregates(dynamo, tables.aggregates, systemClock);
  const deps = {
    policies: new DynamoDocumentStore(dynamo, tables.policies, POLICY_DOCUMENT),
    aggregates,
    audit: new DynamoAuditLog(dynamo, tables.audit, auditRetentionDays),
    clock: systemClock,
    onAudited: logAudit,
  };
  const alertDeps = {
    alerts: new DynamoDocumentStore(dynamo, tables.policies, ALERTS_DOCUMENT),
    states: new DynamoAlertStates(dynamo, tables.policies),
    aggregates,
    keys,
    teams: new DynamoDocumentStore(dynamo, tables.policies, TEAMS_DOCUMENT),
    limits: new DynamoLimitStore({ client: dynamo, settling: dynamo }, tables.limits, systemClock),
    clock: systemClock,
    onFailure: logFailedAlert,
  };
  const desk = new DynamoApprovalStore(dynamo, tables.approvals, systemClock);
  return {
    keys: () => reportExpiringKeys({ keys, clock: systemClock }),
    rollout: () => watchRollout(deps),
    alerts: () => evaluateAlerts(alertDeps),
    approvals: async () => logWaitingApprovals((await readWaiting(desk, systemClock.now())).length),
  };
}
