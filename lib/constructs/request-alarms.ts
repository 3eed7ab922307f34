import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { DIMENSIONS, METRICS, providerNameOf } from '../../functions/core/model/metric-names.ts';
import { createAlarm, ownMetric } from './alarm.ts';

/** With fewer requests or calls in five minutes a share is not evaluated. */
const FEW_REQUESTS = 20;
const FEW_CALLS = 10;
const FAILED_PERCENT = 5;
const PROVIDER_FAILED_PERCENT = 20;

export interface RequestAlarmsProps {
  readonly gateway: Pick<lambda.IFunction, 'functionName'>;
  readonly adminApi: lambda.IFunction;
  /** Providers that have an alarm, by the gateway's names. */
  readonly providers: readonly string[];
  /** Alarm limit of the gateway's own latency (p99), milliseconds. */
  readonly ownLatencyMs: number;
  /** US dollars at list prices; undefined for no alarm. */
  readonly dailyCostUsd: number | undefined;
  /** Whether a receiver of spans is configured. */
  readonly sendsSpans: boolean;
  readonly topic: sns.ITopic | undefined;
}

/** Alarms for failed and slow requests, failing providers, unavailable stores, and cost. */
export class RequestAlarms extends Construct {
  /** Alarms that affect callers. */
  readonly ofHealth: readonly cloudwatch.IAlarm[];

  constructor(scope: Construct, id: string, props: RequestAlarmsProps) {
    super(scope, id);
    const { gateway, adminApi, providers, ownLatencyMs, dailyCostUsd, topic } = props;
    const failing = createAlarm(this, 'RequestsFail', {
      metric: share(ownMetric(gateway, METRICS.failures), ownMetric(gateway, METRICS.requests), FEW_REQUESTS),
      threshold: FAILED_PERCENT,
      periods: 2,
      means: `At least ${FAILED_PERCENT} % of the requests failed with 5xx or in their stream.`,
      runbook: 'requests-fail',
      topic,
    });
    const own = [
      ['ServerErrors', gateway],
      ['AdminServerErrors', adminApi],
    ] as const;
    const errors = own.map(([name, handler]) =>
      createAlarm(this, name, {
        metric: ownMetric(handler, METRICS.serverErrors),
        threshold: 3,
        means: 'The service itself returned 500 or 503: a bug, or a store is unavailable.',
        runbook: 'server-errors',
        topic,
      }),
    );
    const slow = createAlarm(this, 'Slow', {
      metric: ownMetric(gateway, METRICS.ownDuration, 'p99'),
      threshold: ownLatencyMs,
      periods: 3,
      means: `The gateway's own work takes ${ownLatencyMs} ms or more (p99).`,
      runbook: 'slow',
      topic,
    });
    createAlarm(this, 'StoreFailures', {
      metric: ownMetric(gateway, METRICS.storeFailures),
      threshold: 1,
      means: 'A store did not respond, or a record, a stored response or a captured text was lost.',
      runbook: 'store-failures',
      topic,
    });
    for (const provider of providers) this.watch(provider, props);
    if (dailyCostUsd !== undefined) {
      createAlarm(this, 'CostOfTheDay', {
        metric: ownMetric(gateway, METRICS.costUsd),
        threshold: dailyCostUsd,
        period: Duration.days(1),
        means: `Models cost ${dailyCostUsd} US dollars or more since midnight UTC, at list prices.`,
        runbook: 'cost-of-the-day',
        topic,
      });
    }
    if (props.sendsSpans) {
      createAlarm(this, 'SpansLost', {
        metric: ownMetric(gateway, METRICS.spansLost),
        threshold: 1,
        periods: 3,
        means: 'The receiver of spans does not accept them; requests are not affected.',
        runbook: 'spans-lost',
        topic,
      });
    }
    this.ofHealth = [failing, ...errors, slow];
  }

  private watch(provider: string, { gateway, topic }: RequestAlarmsProps): void {
    const named = { [DIMENSIONS.provider]: providerNameOf(provider) };
    const failed = ownMetric(gateway, METRICS.providerErrors, 'Sum', named);
    const succeeded = ownMetric(gateway, METRICS.operationDuration, 'SampleCount', named);
    createAlarm(this, `ProviderFails-${provider}`, {
      metric: new cloudwatch.MathExpression({
        expression: `IF(FILL(failed, 0) + FILL(succeeded, 0) >= ${FEW_CALLS}, 100 * FILL(failed, 0) / (FILL(failed, 0) + FILL(succeeded, 0)), 0)`,
        usingMetrics: { failed, succeeded },
        label: 'failed calls, %',
      }),
      threshold: PROVIDER_FAILED_PERCENT,
      periods: 2,
      means: `At least ${PROVIDER_FAILED_PERCENT} % of the calls of the provider ${provider} failed.`,
      runbook: 'a-provider-fails',
      topic,
    });
  }
}

/** A part of a whole in percent; 0 if the whole is below `least`. */
function share(part: cloudwatch.Metric, whole: cloudwatch.Metric, least: number): cloudwatch.MathExpression {
  return new cloudwatch.MathExpression({
    expression: `IF(whole >= ${least}, 100 * part / whole, 0)`,
    usingMetrics: { part, whole },
    label: '%',
  });
}
