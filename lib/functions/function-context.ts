import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type TableUser, tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import type { GatewayEnv } from '../../functions/gateway/env.ts';
import type { Settings } from '../settings/settings.ts';
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

/** The variable by which both functions behind URLs recognize the distribution before them. */
export function frontDoor({ originSecret }: DataStack): Pick<GatewayEnv, 'SVC_ORIGIN_SECRET_ARN'> {
  return originSecret === undefined ? {} : { SVC_ORIGIN_SECRET_ARN: originSecret.secretArn };
}

/** What the operations stack looks at of a function. */
export interface WatchedFunction {
  readonly handler: lambda.Function;
  readonly logGroup: logs.LogGroup;
}

/**
 * Every function by its name, but for those that a deployment alone asks: where they fail it fails, and who deploys is told. The
 * last two are there where findings go to a SIEM, and where there is a distribution.
 */
export type WatchedFunctions = Readonly<
  Record<'gateway' | 'adminApi' | 'usageCounter' | 'eventRelay' | 'keyWatch' | 'webhookDelivery', WatchedFunction> &
    Partial<Record<'findingsExport' | 'originSecretRotation', WatchedFunction>>
>;

/** A function with its log, as lib/constructs/create-function.ts makes them. */
export function watched({ node }: Construct): WatchedFunction {
  return {
    handler: node.findChild('Function') as lambda.Function,
    logGroup: node.findChild('Logs') as logs.LogGroup,
  };
}
