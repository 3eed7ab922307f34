import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

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
