import { type Duration, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface StreamingFunctionProps<Env> {
  readonly description: string;
  /** The bundle's folder, whose `index.mjs` exports `handler`. */
  readonly code: lambda.Code;
  /** Exactly what the handler's environment schema infers, so that a forgotten variable does not compile. */
  readonly environment: Env;
  readonly memoryMb: number;
  /** The longest answer, streaming included. */
  readonly timeout: Duration;
  readonly reservedConcurrency?: number | undefined;
  readonly logRetentionDays: logs.RetentionDays;
  readonly tracing: boolean;
}

/**
 * A function behind a URL of its own that streams its answers. Its role may write its own logs and nothing else until
 * the stack grants more.
 */
export class StreamingFunction<Env extends Readonly<Record<string, string | undefined>>>
  extends Construct
  implements iam.IGrantable
{
  readonly grantPrincipal: iam.IPrincipal;
  /** `https://ID.lambda-url.REGION.on.aws/`, with the closing slash. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: StreamingFunctionProps<Env>) {
    super(scope, id);

    const logGroup = new logs.LogGroup(this, 'Logs', { retention: props.logRetentionDays });
    // A role of our own: the managed policy that the function would get may write to every log group.
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);

    const handler = new lambda.Function(this, 'Function', {
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
    });
    // AuthType NONE: callers bring a key of ours in the header where their SDK puts it, and the handler checks it before
    // anything else. AWS_IAM would ask every OpenAI client to sign its requests with AWS credentials instead.
    const functionUrl = handler.addAlias('live').addFunctionUrl({
      authType: lambda.FunctionUrlAuthType.NONE,
      invokeMode: lambda.InvokeMode.RESPONSE_STREAM,
    });

    this.grantPrincipal = role;
    this.url = functionUrl.url;
    acknowledgeFindings(handler, role, props.tracing);
  }
}

function definedOnly(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function acknowledgeFindings(handler: lambda.Function, role: iam.Role, tracing: boolean): void {
  Validations.of(handler).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'Invoked through its URL only, and so synchronously: dead letters come from asynchronous invocations.',
  });
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
