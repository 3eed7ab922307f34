import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sns from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { DIMENSIONS, METRICS_NAMESPACE } from '../../functions/core/model/metric-names.ts';

export interface AlarmProps {
  readonly metric: cloudwatch.Metric | cloudwatch.MathExpression;
  /** The alarm is on while the metric is at least this in each of `periods` periods; with createSilenceAlarm while it is below. */
  readonly threshold: number;
  readonly periods?: number;
  /** Default: five minutes. */
  readonly period?: Duration;
  /** What is wrong, in a sentence. */
  readonly means: string;
  /** Anchor of the runbook in docs/operations.md. */
  readonly runbook: string;
  /** Gets a message when the alarm goes on and off; without one the alarm is only in the console. */
  readonly topic: sns.ITopic | undefined;
}

/** An alarm with a link to its runbook. Missing data counts as OK. */
export function createAlarm(scope: Construct, id: string, props: AlarmProps): cloudwatch.Alarm {
  return alarm(scope, id, props, {
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
  });
}

/** An alarm that is on while the metric is below the threshold or missing, for what must happen regularly. */
export function createSilenceAlarm(scope: Construct, id: string, props: AlarmProps): cloudwatch.Alarm {
  return alarm(scope, id, props, {
    comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.BREACHING,
  });
}

function alarm(
  scope: Construct,
  id: string,
  { metric, threshold, periods = 1, period = Duration.minutes(5), means, runbook, topic }: AlarmProps,
  evaluation: Pick<cloudwatch.AlarmProps, 'comparisonOperator' | 'treatMissingData'>,
): cloudwatch.Alarm {
  const created = new cloudwatch.Alarm(scope, id, {
    metric: metric.with({ period }),
    threshold,
    evaluationPeriods: periods,
    ...evaluation,
    alarmDescription: `${means} What to do: docs/operations.md#${runbook}`,
  });
  if (topic !== undefined) {
    created.addAlarmAction(new actions.SnsAction(topic));
    created.addOkAction(new actions.SnsAction(topic));
  }
  return created;
}

/** A metric that a function writes in its log lines (functions/adapters/telemetry/metrics.ts). */
export function ownMetric(
  handler: Pick<lambda.IFunction, 'functionName'>,
  metricName: string,
  statistic = 'Sum',
  dimensions: Readonly<Record<string, string>> = {},
): cloudwatch.Metric {
  return new cloudwatch.Metric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap: { [DIMENSIONS.function]: handler.functionName, ...dimensions },
    statistic,
  });
}

export interface AlarmTopicProps {
  /** An existing topic; without one a topic is created. */
  readonly arn: string | undefined;
  /** Addresses that get alarms, each after confirming the subscription. */
  readonly emails: readonly string[];
}

/** The topic of all alarms. A created one has its own KMS key, since CloudWatch may not use AWS's managed key. */
export function alarmTopic(stack: Stack, { arn, emails }: AlarmTopicProps): sns.ITopic {
  const topic = arn === undefined ? newTopic(stack) : sns.Topic.fromTopicArn(stack, 'AlarmTopic', arn);
  for (const email of emails) {
    Validations.of(topic.addSubscription(new EmailSubscription(email))).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'No one would read undelivered mail from a queue; alarms are in the console too.',
    });
  }
  return topic;
}

function newTopic(scope: Construct): sns.Topic {
  const masterKey = new kms.Key(scope, 'AlarmTopicKey', {
    description: 'Encrypts the messages of svc alarms.',
    enableKeyRotation: true,
    // It encrypts messages that exist for seconds.
    removalPolicy: RemovalPolicy.DESTROY,
    pendingWindow: Duration.days(7),
  });
  const byAlarms = {
    principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  };
  masterKey.addToResourcePolicy(
    new iam.PolicyStatement({ ...byAlarms, actions: ['kms:Decrypt', 'kms:GenerateDataKey*'], resources: ['*'] }),
  );
  const topic = new sns.Topic(scope, 'AlarmTopic', { displayName: 'svc alarms', masterKey, enforceSSL: true });
  topic.addToResourcePolicy(
    new iam.PolicyStatement({ ...byAlarms, actions: ['sns:Publish'], resources: [topic.topicArn] }),
  );
  return topic;
}
