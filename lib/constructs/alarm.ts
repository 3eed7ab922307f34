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
  /** It goes off when the metric is at least so much in each of `periods` periods. */
  readonly threshold: number;
  readonly periods?: number;
  /** Five minutes where absent. */
  readonly period?: Duration;
  /** What is wrong, in a sentence. */
  readonly means: string;
  /** The heading of docs/operations.md that says what to do. */
  readonly runbook: string;
  /** Told when it goes off and when it is over; where absent the alarm only stands in the console. */
  readonly topic: sns.ITopic | undefined;
}

/** An alarm that says what it means and where to read on. Where nothing is measured, all is well. */
export function createAlarm(scope: Construct, id: string, props: AlarmProps): cloudwatch.Alarm {
  const { metric, threshold, periods = 1, period = Duration.minutes(5), means, runbook, topic } = props;
  const alarm = new cloudwatch.Alarm(scope, id, {
    metric: metric.with({ period }),
    threshold,
    evaluationPeriods: periods,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    alarmDescription: `${means} What to do: docs/operations.md#${runbook}`,
  });
  if (topic !== undefined) {
    alarm.addAlarmAction(new actions.SnsAction(topic));
    alarm.addOkAction(new actions.SnsAction(topic));
  }
  return alarm;
}

/** A metric that a function writes with its log lines (functions/adapters/telemetry/metrics.ts), by its name there. */
export function ownMetric(
  handler: lambda.IFunction,
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
  /** A topic that is there already; one is made where absent. */
  readonly arn: string | undefined;
  /** Who is told by e-mail, once he has confirmed it. */
  readonly emails: readonly string[];
}

/** The topic that alarms are told to. One that is made here is encrypted with a key that lets CloudWatch use it, as AWS's own does not. */
export function alarmTopic(stack: Stack, { arn, emails }: AlarmTopicProps): sns.ITopic {
  const topic = arn === undefined ? newTopic(stack) : sns.Topic.fromTopicArn(stack, 'AlarmTopic', arn);
  for (const email of emails) {
    Validations.of(topic.addSubscription(new EmailSubscription(email))).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'Mail that cannot be delivered is read by nobody out of a queue either: alarms stand in the console too.',
    });
  }
  return topic;
}

function newTopic(scope: Construct): sns.Topic {
  const masterKey = new kms.Key(scope, 'AlarmTopicKey', {
    description: 'Encrypts what alarms of svc tell, between CloudWatch and who is told.',
    enableKeyRotation: true,
    // What it encrypts is gone in seconds.
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
