import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { DIMENSIONS, METRICS, providerNameOf } from '../../functions/core/model/metric-names.ts';
import { createAlarm, ownMetric } from './alarm.ts';

/** Below so many in five minutes a share says little. */
const FEW_REQUESTS = 20;
const FEW_CALLS = 10;
const FAILED_PERCENT = 5;
const PROVIDER_FAILED_PERCENT = 20;

export interface RequestAlarmsProps {
  readonly gateway: lambda.IFunction;
  readonly adminApi: lambda.IFunction;
  /** Providers that are watched, by our names of them. */
  readonly providers: readonly string[];
  /** What our own work may take in nearly all requests, milliseconds. */
  readonly ownLatencyMs: number;
  /** US dollars at list prices; undefined where nobody minds. */
  readonly dailyCostUsd: number | undefined;
  /** Whether spans are sent anywhere. */
  readonly sendsSpans: boolean;
  readonly topic: sns.ITopic | undefined;
}

/** What callers notice: requests that fail or are slow, providers that fail, stores that are away, and what all of it costs. */
export class RequestAlarms extends Construct {
  /** Those that mean that callers are not served as they should be. */
  readonly ofHealth: readonly cloudwatch.IAlarm[];

  constructor(scope: Construct, id: string, props: RequestAlarmsProps) {
    super(scope, id);
    const { gateway, adminApi, providers, ownLatencyMs, dailyCostUsd, topic } = props;
    const failing = createAlarm(this, 'RequestsFail', {
      metric: share(ownMetric(gateway, METRICS.failures), ownMetric(gateway, METRICS.requests), FEW_REQUESTS),
      threshold: FAILED_PERCENT,
      periods: 2,
      means: `${FAILED_PERCENT} % of the requests or more were answered with 5xx, or their streams broke off.`,
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
        means: 'Requests were answered with our own 500 or 503: a fault in the code, or a store out of reach.',
        runbook: 'server-errors',
        topic,
      }),
    );
    const slow = createAlarm(this, 'Slow', {
      metric: ownMetric(gateway, METRICS.ownDuration, 'p99'),
      threshold: ownLatencyMs,
      periods: 3,
      means: `Our own work takes ${ownLatencyMs} ms or more in one request of a hundred.`,
      runbook: 'slow',
      topic,
    });
    createAlarm(this, 'StoreFailures', {
      metric: ownMetric(gateway, METRICS.storeFailures),
      threshold: 1,
      means: 'A store did not answer, or a record, an answer or a captured text was not kept.',
      runbook: 'store-failures',
      topic,
    });
    for (const provider of providers) this.watch(provider, props);
    if (dailyCostUsd !== undefined) {
      createAlarm(this, 'CostOfTheDay', {
        metric: ownMetric(gateway, METRICS.costUsd),
        threshold: dailyCostUsd,
        period: Duration.days(1),
        means: `Models were used for ${dailyCostUsd} US dollars or more, at list prices, since midnight UTC.`,
        runbook: 'cost-of-the-day',
        topic,
      });
    }
    if (props.sendsSpans) {
      createAlarm(this, 'SpansLost', {
        metric: ownMetric(gateway, METRICS.spansLost),
        threshold: 1,
        periods: 3,
        means: 'The receiver of spans does not take them; requests are served all the same.',
        runbook: 'spans-lost',
        topic,
      });
    }
    this.ofHealth = [failing, ...errors, slow];
  }

  private watch(provider: string, { gateway, topic }: RequestAlarmsProps): void {
    const named = { [DIMENSIONS.provider]: providerNameOf(provider) };
    const failed = ownMetric(gateway, METRICS.providerErrors, 'Sum', named);
    const answered = ownMetric(gateway, METRICS.operationDuration, 'SampleCount', named);
    createAlarm(this, `ProviderFails-${provider}`, {
      metric: new cloudwatch.MathExpression({
        expression: `IF(FILL(failed, 0) + FILL(answered, 0) >= ${FEW_CALLS}, 100 * FILL(failed, 0) / (FILL(failed, 0) + FILL(answered, 0)), 0)`,
        usingMetrics: { failed, answered },
        label: 'calls that failed, %',
      }),
      threshold: PROVIDER_FAILED_PERCENT,
      periods: 2,
      means: `The provider ${provider} failed ${PROVIDER_FAILED_PERCENT} % of its calls or more.`,
      runbook: 'a-provider-fails',
      topic,
    });
  }
}

/** A part of a whole in percent, 0 where there is little to judge by. */
function share(part: cloudwatch.Metric, whole: cloudwatch.Metric, least: number): cloudwatch.MathExpression {
  return new cloudwatch.MathExpression({
    expression: `IF(whole >= ${least}, 100 * part / whole, 0)`,
    usingMetrics: { part, whole },
    label: '%',
  });
}
