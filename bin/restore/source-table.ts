import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  ListBackupsCommand,
  ResourceNotFoundException,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';

/** Of the tables that a restore creates, and deletes at its end: no other table may have it. */
const TEMPORARY = 'svc-restore-';
/** DynamoDB needs minutes, and hours for large tables. */
const RESTORED_MS = 12 * 3_600_000;
const POLL_MS = 10_000;

/** A moment within the last 35 days, or the newest backup, which DynamoDB also keeps of a deleted table; undefined for the table itself. */
export type RestorePoint = Date | 'newest-backup' | undefined;

/** The table that a restore copies: a new temporary one, or the table itself without a point. */
export function sourceFor(table: string, point: RestorePoint): string {
  return point === undefined ? table : `${TEMPORARY}${table.slice(0, 200)}-${randomBytes(3).toString('hex')}`;
}

/** Starts to restore a table into the temporary one, unless an earlier run did. Indexes are left out, which a copy does not use. */
export async function startRestore(
  dynamo: DynamoClient,
  table: string,
  TargetTableName: string,
  point: Exclude<RestorePoint, undefined>,
): Promise<void> {
  if ((await statusOf(dynamo, TargetTableName)) !== undefined) return;
  const common = { TargetTableName, GlobalSecondaryIndexOverride: [], BillingModeOverride: 'PAY_PER_REQUEST' as const };
  if (point === 'newest-backup') {
    const BackupArn = await newestBackupOf(dynamo, table);
    await dynamo.send(new RestoreTableFromBackupCommand({ ...common, BackupArn }));
  } else {
    const time = { SourceTableName: table, RestoreDateTime: point };
    await dynamo.send(new RestoreTableToPointInTimeCommand({ ...common, ...time }));
  }
}

/** undefined if the table does not exist. */
async function statusOf(dynamo: DynamoClient, TableName: string): Promise<string | undefined> {
  try {
    return (await dynamo.send(new DescribeTableCommand({ TableName }))).Table?.TableStatus;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function newestBackupOf(dynamo: DynamoClient, TableName: string): Promise<string> {
  const found: { readonly arn: string; readonly at: number }[] = [];
  let ExclusiveStartBackupArn: string | undefined;
  do {
    const page = await dynamo.send(new ListBackupsCommand({ TableName, BackupType: 'ALL', ExclusiveStartBackupArn }));
    for (const { BackupArn, BackupStatus, BackupCreationDateTime } of page.BackupSummaries ?? [])
      if (BackupArn !== undefined && BackupStatus === 'AVAILABLE')
        found.push({ arn: BackupArn, at: BackupCreationDateTime?.getTime() ?? 0 });
    ExclusiveStartBackupArn = page.LastEvaluatedBackupArn;
  } while (ExclusiveStartBackupArn !== undefined);
  const [newest] = found.sort((one, other) => other.at - one.at);
  if (newest === undefined) throw new Error(`the table '${TableName}' has no backup: restore it to a time with --at`);
  return newest.arn;
}

/** Resolves once the table can be read. @throws Error if it does not exist, or not within twelve hours */
export async function untilReadable(dynamo: DynamoClient, TableName: string): Promise<void> {
  const deadline = performance.now() + RESTORED_MS;
  for (;;) {
    const status = await statusOf(dynamo, TableName);
    if (status === undefined) throw new Error(`the table '${TableName}' does not exist`);
    if (status === 'ACTIVE') return;
    if (performance.now() > deadline) throw new Error(`the table '${TableName}' is still being restored`);
    await pause(POLL_MS);
  }
}

/** Deletes a temporary table; others stay. */
export async function deleteIfTemporary(dynamo: DynamoClient, TableName: string): Promise<void> {
  if (!TableName.startsWith(TEMPORARY)) return;
  await dynamo.send(new DeleteTableCommand({ TableName })).catch((error: unknown) => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  });
}
