import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import {
  LIMITED_KINDS,
  limitedMetric,
  METRICS,
  THREAT_TYPES,
  threatMetric,
} from '../../functions/kernel/model/index.ts';
import { outputOf } from './references.ts';
import { FULL, PLAIN, synthesize } from './synthesize.ts';

/** The templates of two deployments: few settings, and all. */
export const plain = Template.fromJSON(synthesize(PLAIN).operations);
export const full = Template.fromJSON(synthesize(FULL).operations);

export type Properties = Readonly<Record<string, never>> & {
  readonly TreatMissingData?: string;
  readonly ComparisonOperator?: string;
  readonly AlarmDescription: string;
  readonly AlarmActions?: readonly unknown[];
  readonly OKActions?: unknown;
};
/** The page that describes each alarm. */
export const runbooks = readFileSync(new URL('../../docs/reference/runbooks.md', import.meta.url), 'utf8');
/** Alarms of failed requests, which notify as `Health`. */
export const SYMPTOMS = ['SyntheticCheckFails', 'RequestsFail', 'ServerErrors', 'UrlFails', 'RestApiFails'];
export const CAUSES = [
  /^TableThrottled(?:keys|limits|sessions|policies|idempotency|approvals)$/,
  /^StoreFailures$/,
  /^GatewayThrottled$/,
  /^SettingsUnreadable$/,
];
/** The name in the runbooks: the logical id without its group and hash. */
export const nameOf = (id: string) => id.replace(/[0-9A-F]{8}$/, '').replace(/^[A-Z][a-z]+Alarms/, '');
export const severityOf = (description: string) =>
  /Severity: (page|ticket)\./.exec(description)?.[1] as 'page' | 'ticket';
export const compositesOf = (template: Template): [id: string, properties: Properties][] =>
  Object.entries(template.findResources('AWS::CloudWatch::CompositeAlarm')).map(([id, { Properties }]) => [
    id,
    Properties,
  ]);
export const alarmsOf = (template: Template): [id: string, properties: Properties][] =>
  Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => [id, Properties]);

/** The metrics that an alarm looks at, one or those of its expression. */
export function metricsOf(
  properties: Properties,
): { Namespace: string; MetricName: string; Dimensions: { Value: unknown }[] }[] {
  const { Metrics } = properties as { Metrics?: { MetricStat?: { Metric: never } }[] };
  if (Metrics === undefined) return [properties as never];
  return Metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Metric]));
}

export const OWN_NAMES = [
  ...Object.values(METRICS),
  ...LIMITED_KINDS.map(limitedMetric),
  ...THREAT_TYPES.flatMap((type) =>
    (['flag', 'redact', 'ask', 'block'] as const).map((action) => threatMetric(type, action)),
  ),
];

export const ofGateway = { Name: 'FunctionName', Value: outputOf('GatewayFunction') };
export const ofCounter = { Name: 'FunctionName', Value: outputOf('UsageCounterFunction') };
export const ofRelay = { Name: 'FunctionName', Value: outputOf('EventRelayFunction') };
export const ofDelivery = { Name: 'FunctionName', Value: outputOf('WebhookDeliveryFunction') };
export const ofFunction = (name: string) => ({ Name: 'FunctionName', Value: outputOf(`${name}Function`) });
export const queue = (name: string) => [{ Name: 'QueueName', Value: outputOf(`${name}.*QueueName`) }];
export const once = { Statistic: 'Sum', Threshold: 1, EvaluationPeriods: 1 };
export const thrice = { ...once, Threshold: 3 };
