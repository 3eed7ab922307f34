import { Duration } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { createAlarm } from './alarm.ts';

export interface FindingsAlarmsProps {
  readonly findings: sqs.Queue;
  readonly topic: sns.ITopic | undefined;
}

/** What an operator must hear of: findings that reach the SIEM late, or were given up. */
export class FindingsAlarms extends Construct {
  constructor(scope: Construct, id: string, { findings, topic }: FindingsAlarmsProps) {
    super(scope, id);
    const dead = findings.deadLetterQueue?.queue as sqs.IQueue;
    createAlarm(this, 'FindingsDead', {
      metric: dead.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: 1,
      means: 'Findings were not taken by the SIEM for hours and lie in the dead-letter queue.',
      runbook: 'findings-not-taken',
      topic,
    });
    createAlarm(this, 'FindingsLate', {
      metric: findings.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: Duration.minutes(30).toSeconds(),
      periods: 2,
      means: 'Findings wait for more than half an hour: the SIEM does not take them.',
      runbook: 'findings-not-taken',
      topic,
    });
  }
}
