import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** What the operations stack looks at of a function. */
export interface WatchedFunction {
  readonly handler: lambda.Function;
  readonly logGroup: logs.LogGroup;
}

/** Every function by its name. */
export type WatchedFunctions = Readonly<
  Record<'gateway' | 'adminApi' | 'usageCounter' | 'eventRelay' | 'keyWatch' | 'webhookDelivery', WatchedFunction>
>;

/** A function with its log, as lib/constructs/create-function.ts makes them. */
export function watched({ node }: Construct): WatchedFunction {
  return {
    handler: node.findChild('Function') as lambda.Function,
    logGroup: node.findChild('Logs') as logs.LogGroup,
  };
}
