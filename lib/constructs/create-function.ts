import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export type FunctionEnvironment = Readonly<Record<string, string | undefined>>;

export interface FunctionProps<Env> {
  readonly description: string;
  /** The bundle's folder, whose `index.mjs` exports `handler`. */
  readonly code: lambda.Code;
  /** Exactly what the handler's environment schema infers, so that a forgotten variable does not compile. */
  readonly environment: Env;
  readonly memoryMb: number;
  readonly timeout: Duration;
  readonly reservedConcurrency?: number | undefined;
  readonly logRetentionDays: logs.RetentionDays;
  readonly tracing: boolean;
  /** For one that sends messages to a queue of its own: Lambda ends such chains after some 16 messages otherwise. */
  readonly recursiveLoop?: lambda.RecursiveLoop;
}

/**
 * A function whose role may write its own logs and nothing else until the stack grants more. What serves has an alias besides
 * (live-alias.ts); what only a deployment or a rotation asks has none: a stack that is rolled back brings its code back, and
 * Secrets Manager names no alias as what it can ask.
 */
export function createFunction<Env extends FunctionEnvironment>(
  scope: Construct,
  props: FunctionProps<Env>,
): { handler: lambda.Function; role: iam.Role } {
  const logGroup = new logs.LogGroup(scope, 'Logs', { retention: props.logRetentionDays });
  // A role of our own: the managed policy that the function would get may write to every log group.
  const role = new iam.Role(scope, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);

  const handler = new lambda.Function(scope, 'Function', {
    description: props.description,
    code: props.code,
    handler: 'index.handler',
    runtime: lambda.Runtime.NODEJS_24_X,
    architecture: lambda.Architecture.ARM_64,
    role,
    environment: definedOnly(props.environment),
    memorySize: props.memoryMb,
    timeout: props.timeout,
    ...(props.reservedConcurrency !== undefined && { reservedConcurrentExecutions: props.reservedConcurrency }),
    logGroup,
    loggingFormat: lambda.LoggingFormat.JSON,
    tracing: props.tracing ? lambda.Tracing.ACTIVE : lambda.Tracing.DISABLED,
    ...(props.recursiveLoop !== undefined && { recursiveLoop: props.recursiveLoop }),
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
  });
  acknowledgeTracing(handler, role, props.tracing);
  return { handler, role };
}

function definedOnly(environment: FunctionEnvironment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function acknowledgeTracing(handler: lambda.Function, role: iam.Role, tracing: boolean): void {
  if (tracing) {
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources for PutTraceSegments and PutTelemetryRecords: AWS allows only "*" for them.',
    });
  } else {
    Validations.of(handler).acknowledge({
      id: 'Serverless-LambdaTracing',
      reason: "Off by this stage's setting `tracing`: X-Ray is paid for by the trace.",
    });
  }
}

/** What points to the version in use: nothing invokes a function that serves past it. */
const LIVE = 'live';

/** An alias has a role, where its function has one. */
export type LiveAlias = lambda.Alias & lambda.IFunction;

/**
 * `live`, by which a function is invoked that serves callers, streams, queues or schedules. Each change of its code or
 * configuration is a version of its own, which stays: the alias can be moved back. `provisionedConcurrency` instances of the
 * live version are kept started.
 */
export function liveAlias(handler: lambda.Function, provisionedConcurrency?: number): LiveAlias {
  return handler.addAlias(LIVE, {
    ...(provisionedConcurrency !== undefined && { provisionedConcurrentExecutions: provisionedConcurrency }),
  }) as LiveAlias;
}
