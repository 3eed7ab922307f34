import { Validations } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { createFunction, type FunctionEnvironment, type FunctionProps } from './create-function.ts';

/** `timeout` is the longest answer, streaming included. */
export type StreamingFunctionProps<Env> = FunctionProps<Env>;

/**
 * A function behind a URL of its own that streams its answers. Its role may write its own logs and nothing else until
 * the stack grants more.
 */
export class StreamingFunction<Env extends FunctionEnvironment> extends Construct implements iam.IGrantable {
  readonly grantPrincipal: iam.IPrincipal;
  readonly handler: lambda.IFunction;
  /** What takes requests, by whichever way they come. */
  readonly alias: lambda.Alias;
  /** `https://ID.lambda-url.REGION.on.aws/`, with the closing slash. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: StreamingFunctionProps<Env>) {
    super(scope, id);

    const { handler, role } = createFunction(this, props);
    // AuthType NONE: callers bring a key of ours in the header where their SDK puts it, and the handler checks it before
    // anything else. AWS_IAM would ask every OpenAI client to sign its requests with AWS credentials instead.
    this.alias = handler.addAlias('live');
    const functionUrl = this.alias.addFunctionUrl({
      authType: lambda.FunctionUrlAuthType.NONE,
      invokeMode: lambda.InvokeMode.RESPONSE_STREAM,
    });

    this.grantPrincipal = role;
    this.handler = handler;
    this.url = functionUrl.url;
    Validations.of(handler).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked through its URL or a REST API, and so synchronously: dead letters come from asynchronous invocations.',
    });
  }
}
