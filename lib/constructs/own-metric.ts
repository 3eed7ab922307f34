import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { DIMENSIONS, METRICS_NAMESPACE } from '../../functions/core/model/metric-names.ts';

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
