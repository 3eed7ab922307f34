import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { type TableUser, tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import type { GatewayEnv } from '../../functions/gateway/env.ts';
import type { Settings } from '../settings.ts';
import type { DataStack } from '../stacks/data-stack.ts';

/** What each function is made of: the stage's settings, what holds state, and the folder that scripts/build.mjs wrote. */
export interface FunctionContext {
  readonly settings: Settings;
  readonly data: DataStack;
  readonly code: lambda.Code;
}

/** The variables that hold the names of the tables that a function uses. */
export function tableNames<User extends TableUser>(user: User, { tables }: DataStack) {
  return tableVariables(user, (table) => tables[table].tableName);
}

/** The origins whose pages may call, as both functions behind URLs read them. */
export function corsOrigins({ corsOrigins }: Settings): Pick<GatewayEnv, 'SVC_CORS_ORIGINS'> {
  return corsOrigins === undefined ? {} : { SVC_CORS_ORIGINS: corsOrigins.join() };
}

/** The least that is logged, for those who log. */
export function logLevel({ logLevel }: Pick<Settings, 'logLevel'>): { SVC_LOG_LEVEL?: string } {
  return logLevel === undefined ? {} : { SVC_LOG_LEVEL: logLevel };
}

/** How both functions behind URLs know the distribution before them. */
export function frontDoor({ settings, data }: FunctionContext): Partial<GatewayEnv> {
  return {
    ...(data.originSecret !== undefined && { SVC_ORIGIN_SECRET_ARN: data.originSecret.secretArn }),
    ...(settings.onlyThroughDistribution === true && { SVC_ONLY_THROUGH_DISTRIBUTION: 'true' }),
  };
}

/** How long audit records are kept, for those who write them. */
export function auditDays({ retentionDays }: Settings): { SVC_AUDIT_RETENTION_DAYS?: string } {
  return retentionDays?.audit === undefined ? {} : { SVC_AUDIT_RETENTION_DAYS: String(retentionDays.audit) };
}

/** How long records are kept, for those who write or count them. */
export function recordDays({ retentionDays }: Settings): { SVC_RECORD_DAYS?: string } {
  return retentionDays?.records === undefined ? {} : { SVC_RECORD_DAYS: String(retentionDays.records) };
}
