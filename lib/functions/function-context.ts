import type * as events from 'aws-cdk-lib/aws-events';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type TableUser, tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import type { GatewayEnv } from '../../functions/gateway/env.ts';
import type { FunctionEnvironment } from '../constructs/create-function.ts';
import type { FargateGateway } from '../constructs/fargate-gateway.ts';
import { distributionOf, isOnlyThroughDistribution, type Settings } from '../settings/settings.ts';
import type { DataStack } from '../stacks/data-stack.ts';

/** The stage's settings, the data stack, and the function's folder that scripts/build.mjs wrote. */
export interface FunctionContext {
  readonly settings: Settings;
  readonly data: DataStack;
  readonly code: lambda.Code;
}

/** Environment variables with the names of a function's tables. */
export function tableNames<User extends TableUser>(user: User, { tables }: DataStack) {
  return tableVariables(user, (table) => tables[table].tableName);
}

/** The environment variables by which gateway and admin API recognize the distribution. */
export function frontDoor(
  settings: Settings,
  { originSecret }: DataStack,
): Pick<GatewayEnv, 'SVC_ORIGIN_SECRET_ARN' | 'SVC_ONLY_THROUGH_DISTRIBUTION'> {
  return {
    ...(distributionOf(settings) !== undefined && { SVC_ORIGIN_SECRET_ARN: originSecret.secretArn }),
    ...(isOnlyThroughDistribution(settings) && { SVC_ONLY_THROUGH_DISTRIBUTION: 'true' }),
  };
}

/** A function and its log group, for the operations stack. */
export interface WatchedFunction {
  readonly handler: lambda.Function;
  readonly logGroup: logs.LogGroup;
  /** The rule that runs it; undefined if it has no schedule. */
  readonly schedule: events.Rule | undefined;
}

/** The gateway, for the operations stack. */
export interface WatchedGateway {
  /** A dimension of the metrics that the gateway writes. */
  readonly functionName: string;
  readonly logGroup: logs.LogGroup;
  /** undefined in other homes, which have none of the metrics of Lambda's functions. */
  readonly handler: lambda.Function | undefined;
  /** With `compute: web-function`: the name of its endpoint, a dimension of Lambda's metrics. */
  readonly endpointName: string | undefined;
  /** With `compute: fargate`. */
  readonly containers: Pick<FargateGateway<FunctionEnvironment>, 'service' | 'loadBalancer' | 'targets'> | undefined;
}

/**
 * All functions but the gateway by name, except those that only a deployment invokes, which fails with them. `findingsExport` exists with a SIEM
 * target, `originSecretRotation` with a distribution, `syntheticCheck` unless it is off.
 */
export type WatchedFunctions = Readonly<
  Record<'adminApi' | 'usageCounter' | 'eventRelay' | 'keyWatch' | 'webhookDelivery', WatchedFunction> &
    Partial<Record<'findingsExport' | 'originSecretRotation' | 'syntheticCheck', WatchedFunction>>
>;

/** The function and log group of a construct that used lib/constructs/create-function.ts. */
export function watched({ node }: Construct): WatchedFunction {
  return {
    handler: node.findChild('Function') as lambda.Function,
    logGroup: node.findChild('Logs') as logs.LogGroup,
    schedule: (node.tryFindChild('Schedule') ?? node.tryFindChild('Sweep')) as events.Rule | undefined,
  };
}
