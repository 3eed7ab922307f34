import { Metrics } from '@aws-lambda-powertools/metrics';
import type { EmfOutput } from '@aws-lambda-powertools/metrics/types';
import type { FinishedRequest } from '../../kernel/http/index.ts';
import {
  DIMENSIONS,
  limitedMetric,
  METRICS,
  METRICS_NAMESPACE,
  providerNameOf,
  threatMetric,
} from '../../kernel/model/index.ts';
import type { RequestSummary } from '../../pipeline/index.ts';
import { logger, withPowertools } from './logger.ts';

/** CloudWatch's units. */
type Unit = 'Count' | 'Seconds' | 'Milliseconds' | 'Count/Second' | 'None';
type Metric = readonly [name: string, unit: Unit, value: number];

/** Metrics with the same dimensions; the function name is always the first. */
export interface MetricSet {
  /** Dimensions in addition to the function: field names of the document with their values. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly metrics: readonly Metric[];
  /** Whether they are also aggregated for the whole function. */
  readonly alsoWhole?: true;
  /** What Prometheus distinguishes besides; in CloudWatch each value would be another billed metric. */
  readonly labels?: Readonly<Record<'route' | 'status', string>>;
}

let observer: ((sets: readonly MetricSet[]) => void) | undefined;

/** Passes all later metrics to another output too. */
export function observeMetrics(observe: (sets: readonly MetricSet[]) => void): void {
  observer = observe;
}

/** Passes metrics to the observer, if there is one. */
export function passToObserver(sets: readonly MetricSet[]): void {
  observer?.(sets);
}

const serializer = withPowertools(() => {
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE, logger });
  // Powertools adds a dimension `service`, which alarms do not expect.
  metrics.clearDefaultDimensions();
  // Lambda sets its name of a function in the environment, the stack that of a Web Function.
  return metrics.setDefaultDimensions({
    [DIMENSIONS.function]: process.env.SVC_FUNCTION_NAME ?? process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'local',
  });
});

/**
 * Metrics as fields of a log line in CloudWatch's embedded format, so that nothing needs flushing when a function ends or is frozen. The
 * gateway's line takes 67 us of CPU (bench/telemetry.ts), so only those have them that CloudWatch collects. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function embedded(sets: readonly MetricSet[]): Readonly<Record<string, unknown>> {
  const documents = sets.filter(({ metrics }) => metrics.length > 0).map(serialize);
  const directives = documents.flatMap(({ _aws }) => _aws.CloudWatchMetrics);
  return Object.assign({}, ...documents, { _aws: { Timestamp: Date.now(), CloudWatchMetrics: directives } });
}

/** A document has the same dimensions for all its metrics, so each set becomes one. */
function serialize({ dimensions, metrics, alsoWhole }: MetricSet): EmfOutput {
  if (alsoWhole === true) serializer.addDimensions({});
  if (Object.keys(dimensions).length > 0) serializer.addDimensions(dimensions);
  for (const [name, unit, value] of metrics) serializer.addMetric(name, unit, value);
  const document = serializer.serializeMetrics();
  serializer.clearMetrics();
  serializer.clearDimensions();
  return document;
}

/** A metric with the count 1. */
export function countOf(name: string, count = 1): MetricSet {
  return { dimensions: {}, metrics: [[name, 'Count', count]] };
}

/** A failed provider call, by provider and by kind of failure. */
export function providerErrorOf(provider: string, type: string): readonly MetricSet[] {
  const metrics: Metric[] = [[METRICS.providerErrors, 'Count', 1]];
  const named = { [DIMENSIONS.provider]: providerNameOf(provider) };
  return [
    { dimensions: named, metrics, alsoWhole: true },
    { dimensions: { ...named, [DIMENSIONS.errorType]: type }, metrics },
  ];
}

/** The metrics of a request without an exchange. */
export function requestMetrics({ route, status, durationMs, errorCode }: FinishedRequest): readonly MetricSet[] {
  const metrics: Metric[] = [
    ...outcomeMetrics(status >= 500, errorCode),
    [METRICS.requestDuration, 'Seconds', toSeconds(durationMs)],
  ];
  return [{ dimensions: {}, labels: labelsOf(route, status), metrics }, ...versionMetrics(errorCode)];
}

/** The route's pattern and the class of the status: a client chooses neither freely. */
function labelsOf(route: string | null, status: number | null) {
  return { route: route ?? 'none', status: status === null ? 'none' : `${Math.floor(status / 100)}xx` };
}

/** The metrics of an exchange. */
export function exchangeMetrics(record: RequestSummary): readonly MetricSet[] {
  const { timeline, outcome, errorCode, action } = record;
  const failed = outcome === 'failed' || outcome === 'expired';
  const own: Metric[] = [
    ...outcomeMetrics(failed, errorCode),
    [METRICS.blocked, 'Count', outcome === 'blocked' ? 1 : 0],
    [METRICS.flagged, 'Count', outcome !== 'blocked' && action !== 'allow' ? 1 : 0],
    [METRICS.requestDuration, 'Seconds', toSeconds(record.durationMs)],
    [METRICS.ownDuration, 'Milliseconds', record.processingMs],
    [METRICS.authentication, 'Milliseconds', timeline.authMs],
    [METRICS.admission, 'Milliseconds', timeline.admitMs],
    [METRICS.inputInspection, 'Milliseconds', timeline.inputMs],
    ...(timeline.outputMs > 0 ? [[METRICS.outputInspection, 'Milliseconds', timeline.outputMs] as const] : []),
    ...(timeline.outsideMs === null ? [] : [[METRICS.outsideInspection, 'Milliseconds', timeline.outsideMs] as const]),
    ...(record.judgeCostUsd === null ? [] : [[METRICS.judgeCostUsd, 'None', record.judgeCostUsd] as const]),
    ...streamMetrics(record),
    ...(record.fallbacks > 0 ? [[METRICS.fallbacks, 'Count', record.fallbacks] as const] : []),
    ...(record.limited === null ? [] : [[limitedMetric(record.limited), 'Count', 1] as const]),
    ...record.acted.map(({ type, action, count }) => [threatMetric(type, action), 'Count', count] as const),
  ];
  const labels = labelsOf(record.route, record.status);
  return [{ dimensions: {}, labels, metrics: own }, ...versionMetrics(errorCode), ...providerMetrics(record)];
}

function outcomeMetrics(failed: boolean, errorCode: string | null): Metric[] {
  const counts: Metric[] = [
    [METRICS.requests, 'Count', 1],
    [METRICS.failures, 'Count', failed ? 1 : 0],
    [METRICS.serverErrors, 'Count', isOurs(errorCode) ? 1 : 0],
  ];
  if (errorCode === 'unavailable') counts.push([METRICS.storeFailures, 'Count', 1]);
  if (errorCode === 'invalid_api_key') counts.push([METRICS.unknownKeys, 'Count', 1]);
  return counts;
}

/** Failures caused neither by a provider nor by the caller. */
function isOurs(errorCode: string | null): boolean {
  return errorCode === 'internal_error' || errorCode === 'unavailable';
}

/** Only on failure: each version is a separate billed metric. */
function versionMetrics(errorCode: string | null): MetricSet[] {
  if (!isOurs(errorCode)) return [];
  const version = process.env.AWS_LAMBDA_FUNCTION_VERSION ?? 'local';
  return [{ dimensions: { [DIMENSIONS.version]: version }, metrics: [[METRICS.serverErrors, 'Count', 1]] }];
}

function streamMetrics({ stream, firstPieceMs, durationMs, usage, outcome }: RequestSummary): Metric[] {
  if (!stream || firstPieceMs === null || outcome !== 'completed') return [];
  const metrics: Metric[] = [[METRICS.timeToFirstToken, 'Seconds', toSeconds(firstPieceMs)]];
  const seconds = (durationMs - firstPieceMs) / 1000;
  const tokens = usage?.outputTokens ?? 0;
  if (tokens > 1 && seconds > 0)
    metrics.push([METRICS.outputTokensPerSecond, 'Count/Second', Math.round((100 * tokens) / seconds) / 100]);
  return metrics;
}

/** By the last provider called: each earlier failure has a separate line. */
function providerMetrics(record: RequestSummary): MetricSet[] {
  const { provider, modelAtProvider, modelKnown, usage, costUsd, calls, timeline } = record;
  const succeeded = calls.at(-1)?.failure === null;
  if (provider === null || !succeeded) return [];
  const byProvider = { [DIMENSIONS.provider]: providerNameOf(provider) };
  const byModel = { ...byProvider, [DIMENSIONS.model]: modelKnown ? (modelAtProvider as string) : 'other' };
  const used: Metric[] = [
    ...tokens(METRICS.inputTokens, usage?.inputTokens),
    ...tokens(METRICS.outputTokens, usage?.outputTokens),
    ...tokens(METRICS.cachedInputTokens, usage?.cachedInputTokens),
    ...tokens(METRICS.cacheWriteInputTokens, usage?.cacheWriteInputTokens),
    ...tokens(METRICS.reasoningTokens, usage?.reasoningTokens),
    ...(costUsd === null ? [] : [[METRICS.costUsd, 'None', costUsd] as const]),
  ];
  return [
    {
      dimensions: byProvider,
      metrics: [[METRICS.operationDuration, 'Seconds', toSeconds(timeline.providerMs ?? 0)]],
      alsoWhole: true,
    },
    { dimensions: byModel, metrics: used, alsoWhole: true },
  ];
}

function tokens(name: string, count: number | undefined): Metric[] {
  return count === undefined ? [] : [[name, 'Count', count]];
}

/** Rounded to microseconds. */
function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1e6;
}
