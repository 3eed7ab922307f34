import { Validations } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { rolloutOf, type Settings } from '../settings/settings.ts';
import { createFunction, type FunctionEnvironment, type FunctionProps } from './create-function.ts';
import { liveAlias } from './live-alias.ts';
import { GradualRollout } from './rollout.ts';

/** `timeout` is the longest answer, streaming included. */
export interface StreamingFunctionProps<Env> extends FunctionProps<Env> {
  /** Instances of the live version that are kept started. */
  readonly provisionedConcurrency?: number | undefined;
  /** How its alias moves to a new version. */
  readonly settings: Pick<Settings, 'stage' | 'rollout'>;
}

/**
 * A function behind a URL of its own that streams its answers. Its role may write its own logs and nothing else until
 * the stack grants more.
 */
export class StreamingFunction<Env extends FunctionEnvironment> extends Construct implements iam.IGrantable {
  readonly grantPrincipal: iam.IPrincipal;
  readonly handler: lambda.IFunction;
  /** What callers reach, by whichever way they come and whichever version it is: URL and permissions stay as they are when it moves. */
  readonly alias: lambda.Alias;
  /** `https://ID.lambda-url.REGION.on.aws/`, with the closing slash. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: StreamingFunctionProps<Env>) {
    super(scope, id);

    const { handler, role } = createFunction(this, props);
    const live = liveAlias(handler, props.provisionedConcurrency);
    const rollout = rolloutOf(props.settings);
    if (rollout !== 'none') new GradualRollout(this, 'Rollout', { rollout, alias: live });
    // AuthType NONE: callers bring a key of ours in the header where their SDK puts it, and the handler checks it before
    // anything else. AWS_IAM would ask every OpenAI client to sign its requests with AWS credentials instead.
    const functionUrl = live.addFunctionUrl({
      authType: lambda.FunctionUrlAuthType.NONE,
      invokeMode: lambda.InvokeMode.RESPONSE_STREAM,
    });

    this.grantPrincipal = role;
    this.handler = handler;
    this.alias = live;
    this.url = functionUrl.url;
    Validations.of(handler).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked through its URL or a REST API, and so synchronously: dead letters come from asynchronous invocations.',
    });
  }
}
