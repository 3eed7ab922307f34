import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../functions/core/model/metric-names.ts';
import { createAlarm } from './alarm.ts';

/** Share of the concurrency from which on the alarm is on. */
const NEAR_LIMIT = 0.8;

export interface FunctionAlarmsProps {
  /** By the prefix of their alarms' names. */
  readonly functions: Readonly<Record<string, lambda.IFunction>>;
  /** Functions that alarm on each failure. Stream consumers and the rotation have separate alarms. */
  readonly mustNotFail: readonly string[];
  readonly gateway: lambda.IFunction;
  /** Reserved for the gateway; undefined if it uses the account's pool. */
  readonly reservedConcurrency: number | undefined;
  readonly accountConcurrency: number;
  readonly topic: sns.ITopic | undefined;
}

/** Alarms on Lambda's metrics: failures, throttling and concurrency. */
export class FunctionAlarms extends Construct {
  /** Alarms that affect callers. */
  readonly ofHealth: readonly cloudwatch.IAlarm[];

  constructor(scope: Construct, id: string, props: FunctionAlarmsProps) {
    super(scope, id);
    const { functions, mustNotFail, gateway, reservedConcurrency, accountConcurrency, topic } = props;
    const ofHealth: cloudwatch.IAlarm[] = [];
    for (const [name, handler] of Object.entries(functions)) {
      const throttled = createAlarm(this, `${name}Throttled`, {
        metric: handler.metricThrottles({ statistic: 'Sum' }) as cloudwatch.Metric,
        threshold: 1,
        means: `Lambda refused to run the function ${name}: its concurrency is used up.`,
        runbook: 'throttled',
        topic,
      });
      if (handler === gateway) ofHealth.push(throttled);
      if (!mustNotFail.includes(name)) continue;
      const failed = createAlarm(this, `${name}Fails`, {
        metric: handler.metricErrors({ statistic: 'Sum' }) as cloudwatch.Metric,
        threshold: 1,
        means: `The function ${name} crashed, timed out, ran out of memory or could not start.`,
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
      means: `At least ${NEAR_LIMIT * 100} % of the concurrency of ${most} was used.`,
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

/** Alarms on log lines. A filter's metric has no dimensions, so its name contains the stage. */
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
      means: "The secret with the providers' settings cannot be read; running functions keep the last settings.",
      runbook: 'settings-unreadable',
      topic,
    });
    createAlarm(this, 'StreamsCut', {
      // The gateway cannot log requests that Lambda ends.
      metric: count(
        'StreamsCut',
        gatewayLogs,
        logs.FilterPattern.all(
          logs.FilterPattern.stringValue('$.type', '=', 'platform.report'),
          logs.FilterPattern.stringValue('$.record.status', '=', 'timeout'),
        ),
      ),
      threshold: 1,
      means: 'Lambda ended requests of the gateway after 15 minutes; they have no record.',
      runbook: 'streams-cut',
      topic,
    });
    createAlarm(this, 'MessagesFail', {
      metric: count('MessagesFailed', deliveryLogs, logs.FilterPattern.stringValue('$.message', '=', 'message failed')),
      threshold: 5,
      periods: 3,
      means: 'Webhook messages keep failing on our side. After five attempts they are given up.',
      runbook: 'messages-fail',
      topic,
    });
  }
}
