import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sns from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { DIMENSIONS, METRICS_NAMESPACE } from '../../functions/kernel/model/index.ts';

/** A cause may go on this much later than its symptoms: the check runs each minute, other alarms have periods of five. */
const SUPPRESSION_WAIT = Duration.minutes(2);
/** Symptoms end up to two periods after their cause. */
const SUPPRESSION_EXTENSION = Duration.minutes(10);

/** `page`: a person must act now, day or night. `ticket`: on the next working day. */
export type Severity = 'page' | 'ticket';
/** The topic of each severity, which may be the same. */
export type AlarmTopics = Readonly<Record<Severity, sns.ITopic>>;

export interface AlarmProps {
  readonly metric: cloudwatch.Metric | cloudwatch.MathExpression;
  /** The alarm is on while the metric is at least this in each of `periods` periods ("more than 5" is 6); with createSilenceAlarm while it is below. */
  readonly threshold: number;
  readonly periods?: number;
  /** Default: five minutes. */
  readonly period?: Duration;
  /** What is wrong, in a sentence. */
  readonly means: string;
  /** Anchor of the runbook in docs/reference/runbooks.md. */
  readonly runbook: string;
  /** As the table in docs/reference/runbooks.md#alarms says. */
  readonly severity: Severity;
  /** Get a message when the alarm goes on and off; undefined for symptoms, which another alarm reports together. */
  readonly topics: AlarmTopics | undefined;
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
  { metric, threshold, periods = 1, period = Duration.minutes(5), means, runbook, severity, topics }: AlarmProps,
  evaluation: Pick<cloudwatch.AlarmProps, 'comparisonOperator' | 'treatMissingData'>,
): cloudwatch.Alarm {
  const created = new cloudwatch.Alarm(scope, id, {
    metric: metric.with({ period }),
    threshold,
    evaluationPeriods: periods,
    ...evaluation,
    alarmDescription: describe(means, severity, runbook),
  });
  if (topics !== undefined) notify(created, topics[severity]);
  return created;
}

export interface SymptomsAlarmProps {
  /** The alarm is on while one of these is. */
  readonly of: readonly cloudwatch.IAlarm[];
  readonly means: string;
  readonly runbook: string;
  readonly topics: AlarmTopics;
  /** Alarms that explain it, and that have paged themselves: while one is on, this one sends no message. */
  readonly causes: readonly cloudwatch.IAlarm[];
}

/** An alarm that reports symptoms together, as a page, unless a cause is known. */
export function createSymptomsAlarm(
  scope: Construct,
  id: string,
  props: SymptomsAlarmProps,
): cloudwatch.CompositeAlarm {
  const { of, means, runbook, topics, causes } = props;
  const cause = new cloudwatch.CompositeAlarm(scope, 'Cause', {
    alarmRule: cloudwatch.AlarmRule.anyOf(...causes),
    alarmDescription: `A known cause is on, which has paged itself: ${id} sends no message. What to do: docs/reference/runbooks.md#${runbook}`,
  });
  const created = new cloudwatch.CompositeAlarm(scope, id, {
    alarmRule: cloudwatch.AlarmRule.anyOf(...of),
    alarmDescription: describe(means, 'page', runbook),
    actionsSuppressor: cause,
    actionsSuppressorWaitPeriod: SUPPRESSION_WAIT,
    actionsSuppressorExtensionPeriod: SUPPRESSION_EXTENSION,
  });
  notify(created, topics.page);
  return created;
}

function describe(means: string, severity: Severity, runbook: string): string {
  return `${means} Severity: ${severity}. What to do: docs/reference/runbooks.md#${runbook}`;
}

function notify(alarm: cloudwatch.AlarmBase, topic: sns.ITopic): void {
  alarm.addAlarmAction(new actions.SnsAction(topic));
  alarm.addOkAction(new actions.SnsAction(topic));
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

export interface AlarmTopicsProps {
  /** An existing topic for pages; without one a topic is created. */
  readonly arn: string | undefined;
  /** Addresses that get pages, each after confirming the subscription. */
  readonly emails: readonly string[];
  /** An existing topic for tickets. Without one and without `ticketEmails`, the topic in `arn` gets them too. */
  readonly ticketArn: string | undefined;
  /** Addresses that get tickets. Default: `emails`. */
  readonly ticketEmails: readonly string[] | undefined;
  /** The services that send to them. */
  readonly senders: readonly string[];
  /** A customer's KMS key of created topics, whose policy allows these to use it; without one a key is created. */
  readonly encryptionKey: kms.IKey | undefined;
}

/** The topics of all alarms. Created ones share a KMS key, since CloudWatch may not use AWS's managed key. */
export function alarmTopics(stack: Stack, props: AlarmTopicsProps): AlarmTopics {
  const { arn, emails, ticketArn, ticketEmails, senders } = props;
  let key = props.encryptionKey;
  const topicOf = (id: string, displayName: string, known: string | undefined) => {
    if (known !== undefined) return sns.Topic.fromTopicArn(stack, id, known);
    const use = byServices(stack, senders);
    key ??= newKey(stack, use);
    return newTopic(stack, id, { displayName, masterKey: key, use });
  };
  const page = topicOf('AlarmTopic', 'svc alarms', arn);
  const isShared = arn !== undefined && (ticketArn === undefined ? ticketEmails === undefined : ticketArn === arn);
  const ticket = isShared ? page : topicOf('AlarmTicketTopic', 'svc tickets', ticketArn);
  subscribe(page, isShared ? [...new Set([...emails, ...(ticketEmails ?? [])])] : emails);
  if (!isShared) subscribe(ticket, ticketEmails ?? emails);
  return { page, ticket };
}

function subscribe(topic: sns.ITopic, emails: readonly string[]): void {
  for (const email of emails) {
    Validations.of(topic.addSubscription(new EmailSubscription(email))).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'No one would read undelivered mail from a queue; alarms are in the console too.',
    });
  }
}

type Use = Required<Pick<iam.PolicyStatementProps, 'principals' | 'conditions'>>;

/** What these services need to use a topic or its key, for this account. */
function byServices(scope: Construct, services: readonly string[]): Use {
  return {
    principals: services.map((service) => new iam.ServicePrincipal(service)),
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  };
}

function newKey(scope: Construct, use: Use): kms.Key {
  const key = new kms.Key(scope, 'AlarmTopicKey', {
    description: 'Encrypts the messages of svc alarms.',
    enableKeyRotation: true,
    // It encrypts messages that exist for seconds.
    removalPolicy: RemovalPolicy.DESTROY,
    pendingWindow: Duration.days(7),
  });
  const actions = ['kms:Decrypt', 'kms:GenerateDataKey*'];
  key.addToResourcePolicy(new iam.PolicyStatement({ ...use, actions, resources: ['*'] }));
  return key;
}

function newTopic(
  scope: Construct,
  id: string,
  { displayName, masterKey, use }: { readonly displayName: string; readonly masterKey: kms.IKey; readonly use: Use },
): sns.Topic {
  const topic = new sns.Topic(scope, id, { displayName, masterKey, enforceSSL: true });
  topic.addToResourcePolicy(new iam.PolicyStatement({ ...use, actions: ['sns:Publish'], resources: [topic.topicArn] }));
  return topic;
}
