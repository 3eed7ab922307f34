import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../functions/core/model/metric-names.ts';
import { createAlarm } from './alarm.ts';

/** Of the requests that may be served at once: from here on there is little room. */
const NEAR_LIMIT = 0.8;

export interface FunctionAlarmsProps {
  /** By the names that their alarms are to have. */
  readonly functions: Readonly<Record<string, lambda.IFunction>>;
  /** Those whose every failure is to be told; streams have alarms of their own that wait until a batch keeps failing, and a rotation has one that says what it means. */
  readonly mustNotFail: readonly string[];
  readonly gateway: lambda.IFunction;
  /** What the gateway has for itself; the account's pool where undefined. */
  readonly reservedConcurrency: number | undefined;
  readonly accountConcurrency: number;
  readonly topic: sns.ITopic | undefined;
}

/** What Lambda says of the functions: failures, throttling, and how much room there is. */
export class FunctionAlarms extends Construct {
  /** Those that mean that callers are not served as they should be. */
  readonly ofHealth: readonly cloudwatch.IAlarm[];

  constructor(scope: Construct, id: string, props: FunctionAlarmsProps) {
    super(scope, id);
    const { functions, mustNotFail, gateway, reservedConcurrency, accountConcurrency, topic } = props;
    const ofHealth: cloudwatch.IAlarm[] = [];
    for (const [name, handler] of Object.entries(functions)) {
      const throttled = createAlarm(this, `${name}Throttled`, {
        metric: handler.metricThrottles({ statistic: 'Sum' }) as cloudwatch.Metric,
        threshold: 1,
        means: `Lambda refused to run the function ${name}: too many were running.`,
        runbook: 'throttled',
        topic,
      });
      if (handler === gateway) ofHealth.push(throttled);
      if (!mustNotFail.includes(name)) continue;
      const failed = createAlarm(this, `${name}Fails`, {
        metric: handler.metricErrors({ statistic: 'Sum' }) as cloudwatch.Metric,
        threshold: 1,
        means: `The function ${name} crashed, ran out of time or memory, or could not start.`,
        runbook: 'a-function-fails',
        topic,
      });
      if (handler === gateway) ofHealth.push(failed);
    }
    const most = reservedConcurrency ?? accountConcurrency;
    const ofAccount = new cloudwatch.Metric({ namespace: 'AWS/Lambda', metricName: 'ConcurrentExecutions' });
    const ofGateway = gateway.metric('ConcurrentExecutions') as cloudwatch.Metric;
    createAlarm(this, 'ConcurrencyNearLimit', {
      metric: (reservedConcurrency === undefined ? ofAccount : ofGateway).with({ statistic: 'Maximum' }),
      threshold: Math.ceil(most * NEAR_LIMIT),
      means: `More than ${NEAR_LIMIT * 100} % of the ${most} requests that may run at once were running.`,
      runbook: 'concurrency-near-limit',
      topic,
    });
    this.ofHealth = ofHealth;
  }
}

export interface LogAlarmsProps {
  readonly stage: string;
  readonly gatewayLogs: logs.ILogGroup;
  readonly deliveryLogs: logs.ILogGroup;
  readonly topic: sns.ITopic | undefined;
}

/** What nothing but a log line says. A filter's metric has no dimension of its own: the stage stands in its name. */
export class LogAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, gatewayLogs, deliveryLogs, topic }: LogAlarmsProps) {
    super(scope, id);
    const count = (name: string, logGroup: logs.ILogGroup, filterPattern: logs.IFilterPattern) =>
      new logs.MetricFilter(this, `${name}Filter`, {
        logGroup,
        filterPattern,
        metricNamespace: METRICS_NAMESPACE,
        metricName: `${stage}.${name}`,
        metricValue: '1',
      }).metric({ statistic: 'Sum' });
    createAlarm(this, 'SettingsUnreadable', {
      metric: count(
        'SettingsNotRead',
        gatewayLogs,
        logs.FilterPattern.stringValue('$.message', '=', 'settings not read'),
      ),
      threshold: 1,
      periods: 3,
      means: "The secret with the providers' settings cannot be read; the last ones stay in use.",
      runbook: 'settings-unreadable',
      topic,
    });
    createAlarm(this, 'StreamsCut', {
      // What Lambda itself ends is in no line of ours.
      metric: count(
        'StreamsCut',
        gatewayLogs,
        logs.FilterPattern.all(
          logs.FilterPattern.stringValue('$.type', '=', 'platform.report'),
          logs.FilterPattern.stringValue('$.record.status', '=', 'timeout'),
        ),
      ),
      threshold: 1,
      means: 'Lambda ended requests of the gateway that ran for 15 minutes: they have no record.',
      runbook: 'streams-cut',
      topic,
    });
    createAlarm(this, 'MessagesFail', {
      metric: count('MessagesFailed', deliveryLogs, logs.FilterPattern.stringValue('$.message', '=', 'message failed')),
      threshold: 5,
      periods: 3,
      means: 'Messages of webhooks keep failing on our side, and come again; after five attempts they are given up.',
      runbook: 'messages-fail',
      topic,
    });
  }
}
