import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../functions/kernel/model/index.ts';
import { type AlarmProps, type AlarmTopics, createAlarm } from './alarm.ts';

const NEAR_LIMIT_PERCENT = 80;
const FEW_THROTTLES = 3;

export interface FunctionAlarmsProps {
  /** All but the gateway, by the prefix of their alarms' names. */
  readonly functions: Readonly<Record<string, lambda.IFunction>>;
  /** When functions alarm for failures; the gateway does on each. Stream consumers and the rotation have separate alarms. */
  readonly failures: Readonly<Record<string, Pick<AlarmProps, 'threshold' | 'period'>>>;
  /** undefined for a Web Function. */
  readonly gateway: lambda.IFunction | undefined;
  /** Reserved for the gateway; undefined if it uses the account's pool. */
  readonly reservedConcurrency: number | undefined;
  readonly topics: AlarmTopics;
}

/** Alarms on Lambda's metrics: failures, throttling and concurrency. */
export class FunctionAlarms extends Construct {
  /** On while Lambda refuses clients' requests; undefined for a Web Function. */
  readonly gatewayThrottled: cloudwatch.IAlarm | undefined;

  constructor(scope: Construct, id: string, props: FunctionAlarmsProps) {
    super(scope, id);
    const { functions, gateway, reservedConcurrency, topics } = props;
    const failures: FunctionAlarmsProps['failures'] = { ...props.failures, Gateway: { threshold: 1 } };
    let gatewayThrottled: cloudwatch.IAlarm | undefined;
    const all = { ...(gateway !== undefined && { Gateway: gateway }), ...functions };
    for (const [name, handler] of Object.entries(all)) {
      const throttled = createAlarm(this, `${name}Throttled`, {
        metric: handler.metricThrottles({ statistic: 'Sum' }) as cloudwatch.Metric,
        // Callers of the gateway get 429, and clients repeat single ones.
        threshold: handler === gateway ? FEW_THROTTLES : 1,
        means: `Lambda refused to run the function ${name}: its concurrency is used up.`,
        runbook: 'throttled',
        severity: handler === gateway ? 'page' : 'ticket',
        topics,
      });
      if (handler === gateway) gatewayThrottled = throttled;
      const limit = failures[name];
      if (limit === undefined) continue;
      createAlarm(this, `${name}Fails`, {
        metric: handler.metricErrors({ statistic: 'Sum' }) as cloudwatch.Metric,
        ...limit,
        means: `The function ${name} crashed, timed out, ran out of memory or could not start.`,
        runbook: 'a-function-fails',
        severity: 'ticket',
        topics,
      });
    }
    createAlarm(this, 'ConcurrencyNearLimit', {
      metric:
        reservedConcurrency === undefined || gateway === undefined
          ? ofAccount()
          : ofReserved(gateway, reservedConcurrency),
      threshold: NEAR_LIMIT_PERCENT,
      means: `At least ${NEAR_LIMIT_PERCENT} % of the ${reservedConcurrency === undefined ? "account's concurrency" : 'reserved concurrency'} was used.`,
      runbook: 'concurrency-near-limit',
      severity: 'ticket',
      topics,
    });
    this.gatewayThrottled = gatewayThrottled;
  }
}

/**
 * The account's use of its present quota in percent, with what reserved and provisioned concurrency takes away:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-concurrency.html
 */
function ofAccount(): cloudwatch.MathExpression {
  const maximum = (metricName: string) =>
    new cloudwatch.Metric({ namespace: 'AWS/Lambda', metricName, statistic: 'Maximum' });
  return new cloudwatch.MathExpression({
    expression: '100 * claimed / SERVICE_QUOTA(running)',
    usingMetrics: { claimed: maximum('ClaimedAccountConcurrency'), running: maximum('ConcurrentExecutions') },
    label: '%',
  });
}

function ofReserved(gateway: lambda.IFunction, reserved: number): cloudwatch.MathExpression {
  const running = gateway.metric('ConcurrentExecutions', { statistic: 'Maximum' });
  return new cloudwatch.MathExpression({
    expression: `100 * running / ${reserved}`,
    usingMetrics: { running },
    label: '%',
  });
}

export interface LogAlarmsProps {
  readonly stage: string;
  readonly gatewayLogs: logs.ILogGroup;
  readonly deliveryLogs: logs.ILogGroup;
  readonly topics: AlarmTopics;
}

/** Alarms on log lines. A filter's metric has no dimensions, so its name contains the stage. */
export class LogAlarms extends Construct {
  readonly settingsUnreadable: cloudwatch.IAlarm;

  constructor(scope: Construct, id: string, { stage, gatewayLogs, deliveryLogs, topics }: LogAlarmsProps) {
    super(scope, id);
    const count = (name: string, logGroup: logs.ILogGroup, filterPattern: logs.IFilterPattern) =>
      new logs.MetricFilter(this, `${name}Filter`, {
        logGroup,
        filterPattern,
        metricNamespace: METRICS_NAMESPACE,
        metricName: `${stage}.${name}`,
        metricValue: '1',
      }).metric({ statistic: 'Sum' });
    this.settingsUnreadable = createAlarm(this, 'SettingsUnreadable', {
      metric: count(
        'SettingsNotRead',
        gatewayLogs,
        logs.FilterPattern.stringValue('$.message', '=', 'settings not read'),
      ),
      threshold: 1,
      periods: 3,
      means: "The secret with the providers' settings cannot be read; running functions keep the last settings.",
      runbook: 'settings-unreadable',
      severity: 'page',
      topics,
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
      severity: 'ticket',
      topics,
    });
    createAlarm(this, 'MessagesFail', {
      metric: count('MessagesFailed', deliveryLogs, logs.FilterPattern.stringValue('$.message', '=', 'message failed')),
      threshold: 5,
      periods: 3,
      means: 'Webhook messages keep failing on our side. After five attempts they are given up.',
      runbook: 'messages-fail',
      severity: 'ticket',
      topics,
    });
  }
}
