import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export type FunctionEnvironment = Readonly<Record<string, string | undefined>>;

export interface FunctionProps<Env> {
  readonly description: string;
  /** The bundle's folder; its `index.mjs` exports `handler`. */
  readonly code: lambda.Code;
  /** The type of the handler's environment schema, so that a missing variable does not compile. */
  readonly environment: Env;
  readonly memoryMb: number;
  readonly timeout: Duration;
  readonly reservedConcurrency?: number | undefined;
  readonly logRetentionDays: logs.RetentionDays;
  readonly tracing: boolean;
  /** Needed by a function that sends messages to the queue it reads: Lambda ends such loops after about 16 messages. */
  readonly recursiveLoop?: lambda.RecursiveLoop;
}

/**
 * A function whose role may only write its own logs until the stack grants more. Functions that serve traffic also get an alias
 * (`liveAlias`); those called only by a deployment or a rotation do not.
 */
export function createFunction<Env extends FunctionEnvironment>(
  scope: Construct,
  props: FunctionProps<Env>,
): { handler: lambda.Function; role: iam.Role } {
  const logGroup = new logs.LogGroup(scope, 'Logs', { retention: props.logRetentionDays });
  // Not CDK's default role, whose managed policy may write to every log group.
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
    // Lambda drops lines below INFO by default. Lines above it are left out by the function, which writes audits and metrics at INFO.
    ...(props.environment.SVC_LOG_LEVEL === 'debug' && { applicationLogLevelV2: lambda.ApplicationLogLevel.DEBUG }),
    tracing: props.tracing ? lambda.Tracing.ACTIVE : lambda.Tracing.DISABLED,
    ...(props.recursiveLoop !== undefined && { recursiveLoop: props.recursiveLoop }),
    // Kept for a way back. A version that a failed update created goes: otherwise the next attempt would fail, since it exists.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
  });
  acknowledgeTracing(handler, role, props.tracing);
  return { handler, role };
}

/** The variables that are set. */
export function definedOnly(environment: FunctionEnvironment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function acknowledgeTracing(handler: lambda.Function, role: iam.Role, tracing: boolean): void {
  if (tracing) {
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray supports no resources for PutTraceSegments and PutTelemetryRecords: AWS allows only "*".',
    });
  } else {
    Validations.of(handler).acknowledge({
      id: 'Serverless-LambdaTracing',
      reason: "Off by this stage's setting `tracing`: X-Ray is billed by the trace.",
    });
  }
}

/** The alias of the version in use; all invocations go through it. */
const LIVE = 'live';

/** CDK's types hide that an alias has its function's role. */
export type LiveAlias = lambda.Alias & lambda.IFunction;

/**
 * The alias `live`, which callers, streams, queues and schedules invoke. Each change of code or configuration publishes a version
 * that is retained, so the alias can move back. Lambda keeps `provisionedConcurrency` instances of the live version initialized.
 */
export function liveAlias(handler: lambda.Function, provisionedConcurrency?: number): LiveAlias {
  return handler.addAlias(LIVE, {
    ...(provisionedConcurrency !== undefined && { provisionedConcurrentExecutions: provisionedConcurrency }),
  }) as LiveAlias;
}
