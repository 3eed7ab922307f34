import { createDynamoClient } from '../adapters/aws/clients.ts';
import { DynamoAggregates } from '../adapters/dynamo/dynamo-aggregates.ts';
import { DynamoApprovalStore } from '../adapters/dynamo/dynamo-approval-store.ts';
import { DynamoAuditLog } from '../adapters/dynamo/dynamo-audit-log.ts';
import { DynamoDocumentStore, POLICY_DOCUMENT } from '../adapters/dynamo/dynamo-document-store.ts';
import { DynamoKeyStore } from '../adapters/dynamo/dynamo-key-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { logAudit, logWaitingApprovals } from '../adapters/telemetry/json-log.ts';
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
}

/** The checks on AWS, or on services with the same APIs. */
export function composeKeyWatch({ tables, auditRetentionDays }: KeyWatchConfig): KeyWatch {
  const dynamo = createDynamoClient();
  const keys = new DynamoKeyStore(dynamo, tables.keys);
  const deps = {
    policies: new DynamoDocumentStore(dynamo, tables.policies, POLICY_DOCUMENT),
    aggregates: new DynamoAggregates(dynamo, tables.aggregates, systemClock),
    audit: new DynamoAuditLog(dynamo, tables.audit, auditRetentionDays),
    clock: systemClock,
    onAudited: logAudit,
  };
  const desk = new DynamoApprovalStore(dynamo, tables.approvals, systemClock);
  return {
    keys: () => reportExpiringKeys({ keys, clock: systemClock }),
    rollout: () => watchRollout(deps),
    approvals: async () => logWaitingApprovals((await readWaiting(desk, systemClock.now())).length),
  };
}
