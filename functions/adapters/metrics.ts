/** Where CloudWatch keeps our metrics. */
export const METRICS_NAMESPACE = 'svc';

/** What an alarm is set on (lib/constructs/gateway-alarms.ts): limits that were not kept to the letter, webhooks that were given up. */
export const METRICS = {
  admittedWithoutLimits: 'AdmittedWithoutLimits',
  unsettled: 'Unsettled',
  deadDeliveries: 'DeadDeliveries',
} as const;

/**
 * One count of a metric as fields of a log line, in CloudWatch's embedded format. It is told by function, so that alarms of
 * two stages in one account do not go off for each other; Lambda itself names the function in its environment.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function countOf(name: string, nowMs: number): object {
  const metrics = [{ Name: name, Unit: 'Count' }];
  return {
    FunctionName: process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'local',
    [name]: 1,
    _aws: {
      Timestamp: nowMs,
      CloudWatchMetrics: [{ Namespace: METRICS_NAMESPACE, Dimensions: [['FunctionName']], Metrics: metrics }],
    },
  };
}
