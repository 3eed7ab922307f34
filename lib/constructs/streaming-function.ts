import { Duration, Validations } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { DIMENSIONS, METRICS } from '../../functions/kernel/model/index.ts';
import { rolloutOf, type Settings } from '../settings/settings.ts';
import type { Rollout } from '../settings/stage-settings.ts';
import { ownMetric } from './alarm.ts';
import { createFunction, type FunctionEnvironment, type FunctionProps, liveAlias } from './create-function.ts';

/** `timeout` limits the whole response, streaming included. */
export interface StreamingFunctionProps<Env> extends FunctionProps<Env> {
  /** Instances of the live version that Lambda keeps initialized. */
  readonly provisionedConcurrency?: number | undefined;
  /** Whether it has a public URL. */
  readonly hasUrl: boolean;
  /** Select how its alias moves to a new version. */
  readonly settings: Pick<Settings, 'stage' | 'rollout'>;
}

/**
 * A function that streams its responses, with a URL or behind a REST API. Its role may only write its own logs until
 * the stack grants more.
 */
export class StreamingFunction<Env extends FunctionEnvironment> extends Construct implements iam.IGrantable {
  readonly grantPrincipal: iam.IPrincipal;
  readonly handler: lambda.IFunction;
  /** The target of all front doors; URL and permissions stay unchanged when it moves to a new version. */
  readonly alias: lambda.Alias;
  /** `https://ID.lambda-url.REGION.on.aws/`, with the closing slash; undefined without a URL. */
  readonly url: string | undefined;

  constructor(scope: Construct, id: string, props: StreamingFunctionProps<Env>) {
    super(scope, id);

    const { handler, role } = createFunction(this, props);
    const live = liveAlias(handler, props.provisionedConcurrency);
    const rollout = rolloutOf(props.settings);
    if (rollout !== 'none') new GradualRollout(this, 'Rollout', { rollout, alias: live });

    this.grantPrincipal = role;
    this.handler = handler;
    this.alias = live;
    this.url = props.hasUrl ? addPublicUrl(live) : undefined;
    Validations.of(handler).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'Invoked synchronously, by its URL or a REST API; only asynchronous invocations have dead letters.',
    });
  }
}

/** AuthType NONE: the handler checks the caller's API key first. AWS_IAM would require AWS signatures from OpenAI clients. */
function addPublicUrl(alias: lambda.Alias): string {
  return alias.addFunctionUrl({
    authType: lambda.FunctionUrlAuthType.NONE,
    invokeMode: lambda.InvokeMode.RESPONSE_STREAM,
  }).url;
}

const CONFIGURATIONS = {
  'all-at-once': codedeploy.LambdaDeploymentConfig.ALL_AT_ONCE,
  'canary-10-5m': codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  'linear-10-1m': codedeploy.LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
} as const;

const RUNBOOK = 'docs/reference/runbooks.md#rolled-back';

export interface GradualRolloutProps {
  readonly rollout: Exclude<Rollout, 'none'>;
  readonly alias: lambda.Alias;
}

/**
 * Moves an alias to each new version step by step, and back if that version crashes, times out or returns three 500 or
 * 503 in a minute, or if the deployment fails or is stopped. Only the new version is watched, so a fix for a broken one deploys.
 */
export class GradualRollout extends Construct {
  constructor(scope: Construct, id: string, { rollout, alias }: GradualRolloutProps) {
    super(scope, id);
    const { functionName } = alias.lambda;
    const { version } = alias.version;
    const crashes = alias.metricErrors({
      dimensionsMap: {
        FunctionName: functionName,
        Resource: `${functionName}:${alias.aliasName}`,
        ExecutedVersion: version,
      },
      statistic: 'Sum',
    });
    const serverErrors = ownMetric(alias.lambda, METRICS.serverErrors, 'Sum', { [DIMENSIONS.version]: version });
    const group = new codedeploy.LambdaDeploymentGroup(this, 'Group', {
      alias,
      deploymentConfig: CONFIGURATIONS[rollout],
      alarms: [
        this.alarm('Crashes', crashes, 1, 'The new version crashed or timed out.'),
        this.alarm('ServerErrors', serverErrors, 3, 'The new version itself returned 500 or 503.'),
      ],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      role: this.createRole(alias).withoutPolicyUpdates(),
    });
    group.node.addDependency(...this.node.children.filter((child) => child instanceof iam.Role));
  }

  private alarm(id: string, metric: cloudwatch.IMetric, threshold: number, means: string): cloudwatch.Alarm {
    return new cloudwatch.Alarm(this, id, {
      metric: (metric as cloudwatch.Metric).with({ period: Duration.minutes(1) }),
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmDescription: `${means} A rollout in progress is rolled back. What to do: ${RUNBOOK}`,
    });
  }

  /** CodeDeploy's managed policy may move every alias of the account and read every bucket; this role may not. */
  private createRole(alias: lambda.Alias): iam.Role {
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com') });
    const { functionArn } = alias.lambda;
    iam.Grant.addToPrincipal({
      grantee: role,
      actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
      resourceArns: [functionArn, `${functionArn}:${alias.aliasName}`],
    });
    iam.Grant.addToPrincipal({ grantee: role, actions: ['cloudwatch:DescribeAlarms'], resourceArns: ['*'] });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CodeDeploy polls alarms by DescribeAlarms, which supports no resources; nothing else is granted.',
    });
    return role;
  }
}
