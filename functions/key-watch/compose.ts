import { createDynamoClient } from '../adapters/aws/clients.ts';
import { DynamoAggregates } from '../adapters/dynamo/dynamo-aggregates.ts';
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
import { ALERT_STATES, DynamoStateStore, REPORT_STATES } from '../adapters/dynamo/dynamo-state-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { logAudit, logFailedAlert, logWaitingApprovals } from '../adapters/telemetry/json-log.ts';
import { evaluateAlerts } from '../control/alerts/index.ts';
import { readWaiting } from '../control/approvals/index.ts';
import { reportExpiringKeys } from '../control/keys/index.ts';
import { watchRollout } from '../control/rollout/index.ts';
import { reportMonth } from '../control/spend/index.ts';
import type { KeyWatchSettings } from './env.ts';

export interface KeyWatchConfig {
  readonly tables: TablesOf<'key-watch'>;
  readonly settings: KeyWatchSettings;
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
  /** Reports what a calendar month has cost, once it is over. @returns the month */
  spend(): Promise<string | undefined>;
}

/** The checks on AWS, or on services with the same APIs. */
export function composeKeyWatch({ tables, settings }: KeyWatchConfig): KeyWatch {
  const dynamo = createDynamoClient();
  const keys = new DynamoKeyStore(dynamo, tables.keys);
  const aggregates = new DynamoAggregates(dynamo, tables.aggregates, systemClock);
  const policies = new DynamoDocumentStore(dynamo, tables.policies, POLICY_DOCUMENT);
  const teams = new DynamoDocumentStore(dynamo, tables.policies, TEAMS_DOCUMENT);
  const deps = {
    policies,
    aggregates,
    audit: new DynamoAuditLog(dynamo, tables.audit, settings.auditRetentionDays),
    clock: systemClock,
    onAudited: logAudit,
  };
  const alertDeps = {
    alerts: new DynamoDocumentStore(dynamo, tables.policies, ALERTS_DOCUMENT),
    states: new DynamoStateStore(dynamo, tables.policies, ALERT_STATES),
    aggregates,
    keys,
    teams,
    limits: new DynamoLimitStore({ client: dynamo, settling: dynamo }, tables.limits, systemClock),
    clock: systemClock,
    onFailure: logFailedAlert,
  };
  const reportDeps = {
    states: new DynamoStateStore(dynamo, tables.policies, REPORT_STATES),
    clock: systemClock,
    timeZone: settings.spendReportTimeZone,
    topicArns: settings.spendReportTopicArns,
    aggregateDays: settings.aggregateDays,
    ...{ aggregates, keys, teams, policies },
  };
  const desk = new DynamoApprovalStore(dynamo, tables.approvals, systemClock);
  return {
    keys: () => reportExpiringKeys({ keys, clock: systemClock }),
    rollout: () => watchRollout(deps),
    alerts: () => evaluateAlerts(alertDeps),
    spend: () => reportMonth(reportDeps),
    approvals: async () => logWaitingApprovals((await readWaiting(desk, systemClock.now())).length),
  };
}
