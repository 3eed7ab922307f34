import type { AnsweredRequest } from '../core/http/router.ts';
import type { ExchangeRecord } from '../core/ports/exchange-log.ts';
import { providerNameOf } from '../core/telemetry/gen-ai.ts';
import { DIMENSIONS, limitedMetric, METRICS, METRICS_NAMESPACE, threatMetric } from '../core/telemetry/metric-names.ts';
import { toLogJson } from './log-json.ts';

/** As CloudWatch names them. */
type Unit = 'Count' | 'Seconds' | 'Milliseconds' | 'Count/Second' | 'None';
type Metric = readonly [name: string, unit: Unit, value: number];

/** Metrics of the same dimensions; the function's own name is always the first. */
export interface MetricSet {
  /** Besides the function: names of fields of the document, and their values. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly metrics: readonly Metric[];
  /** Whether they are also added up for the whole function. */
  readonly alsoWhole?: true;
}

/** What is the same in every line with the same names, of which there are few: nearly all of it. */
interface Form {
  /** The function's own name, as the first member. */
  readonly first: string;
  /** For each value its `,"name":`; nothing for a name that came before. */
  readonly members: readonly string[];
  /** What CloudWatch is told of the fields that are metrics, as JSON. */
  readonly directives: string;
}

const known = new Map<string, Form>();
const MAX_KNOWN = 1_000;

/**
 * Metrics as members of a log line's JSON, in CloudWatch's embedded format: it reads them out of the log, so that emitting them
 * is writing a line. Lambda itself names the function in its environment.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function embedded(sets: readonly MetricSet[], nowMs: number): string {
  const values: (string | number)[] = [];
  let names = '';
  for (const { dimensions, metrics, alsoWhole } of sets) {
    for (const name in dimensions) {
      values.push(dimensions[name] as string);
      names += `${name},`;
    }
    for (const [name, , value] of metrics) {
      values.push(value);
      names += `${name};`;
    }
    names += alsoWhole ? '+' : '.';
  }
  let form = known.get(names);
  if (form === undefined) {
    form = formOf(sets);
    if (known.size < MAX_KNOWN) known.set(names, form);
  }
  const { first, members, directives } = form;
  let fields = first;
  for (let at = 0; at < values.length; at += 1) {
    if (members[at] !== '') fields += `${members[at]}${jsonOf(values[at] as string | number)}`;
  }
  return `${fields},"_aws":{"Timestamp":${nowMs},"CloudWatchMetrics":${directives}}`;
}

function jsonOf(value: string | number): string | number | null {
  if (typeof value === 'string') return toLogJson(value);
  return Number.isFinite(value) ? value : null;
}

function formOf(sets: readonly MetricSet[]): Form {
  const names = sets.flatMap(({ dimensions, metrics }) => [
    ...Object.keys(dimensions),
    ...metrics.map(([name]) => name),
  ]);
  return {
    first: `"${DIMENSIONS.function}":${toLogJson(process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'local')}`,
    members: names.map((name, at) => (names.indexOf(name) === at ? `,${toLogJson(name)}:` : '')),
    directives: toLogJson(sets.filter(({ metrics }) => metrics.length > 0).map(directiveOf)),
  };
}

function directiveOf({ dimensions, metrics, alsoWhole }: MetricSet): object {
  const whole = [DIMENSIONS.function];
  return {
    Namespace: METRICS_NAMESPACE,
    Dimensions: [...(alsoWhole ? [whole] : []), [...whole, ...Object.keys(dimensions)]],
    Metrics: metrics.map(([name, unit]) => ({ Name: name, Unit: unit })),
  };
}

/** One count of a metric. */
export function countOf(name: string): MetricSet {
  return { dimensions: {}, metrics: [[name, 'Count', 1]] };
}

/** A call that a provider failed, told by provider and by kind of failure. */
export function providerErrorOf(provider: string, type: string): readonly MetricSet[] {
  const metrics: Metric[] = [[METRICS.providerErrors, 'Count', 1]];
  const named = { [DIMENSIONS.provider]: providerNameOf(provider) };
  return [
    { dimensions: named, metrics, alsoWhole: true },
    { dimensions: { ...named, [DIMENSIONS.errorType]: type }, metrics },
  ];
}

/** What a request that is no exchange adds to the metrics. */
export function requestMetrics({ status, durationMs, errorCode }: AnsweredRequest): readonly MetricSet[] {
  const metrics: Metric[] = [
    ...outcomeMetrics(status >= 500, errorCode),
    [METRICS.requestDuration, 'Seconds', toSeconds(durationMs)],
  ];
  return [{ dimensions: {}, metrics }, ...versionMetrics(errorCode)];
}

/** What an exchange adds to the metrics. */
export function exchangeMetrics(record: ExchangeRecord): readonly MetricSet[] {
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
    ...streamMetrics(record),
    ...(record.fallbacks > 0 ? [[METRICS.fallbacks, 'Count', record.fallbacks] as const] : []),
    ...(record.limited === null ? [] : [[limitedMetric(record.limited), 'Count', 1] as const]),
    ...record.acted.map(({ type, action, count }) => [threatMetric(type, action), 'Count', count] as const),
  ];
  return [{ dimensions: {}, metrics: own }, ...versionMetrics(errorCode), ...providerMetrics(record)];
}

function outcomeMetrics(failed: boolean, errorCode: string | null): Metric[] {
  const counts: Metric[] = [
    [METRICS.requests, 'Count', 1],
    [METRICS.failures, 'Count', failed ? 1 : 0],
    [METRICS.serverErrors, 'Count', isOurs(errorCode) ? 1 : 0],
  ];
  if (errorCode === 'unavailable') counts.push([METRICS.storeFailures, 'Count', 1]);
  return counts;
}

/** Failures that no provider and no caller caused. */
function isOurs(errorCode: string | null): boolean {
  return errorCode === 'internal_error' || errorCode === 'unavailable';
}

/** Told only where there is one: each version would be a metric of its own to be paid for. */
function versionMetrics(errorCode: string | null): MetricSet[] {
  if (!isOurs(errorCode)) return [];
  const version = process.env.AWS_LAMBDA_FUNCTION_VERSION ?? 'local';
  return [{ dimensions: { [DIMENSIONS.version]: version }, metrics: [[METRICS.serverErrors, 'Count', 1]] }];
}

function streamMetrics({ stream, firstPieceMs, durationMs, usage, outcome }: ExchangeRecord): Metric[] {
  if (!stream || firstPieceMs === null || outcome !== 'completed') return [];
  const metrics: Metric[] = [[METRICS.timeToFirstToken, 'Seconds', toSeconds(firstPieceMs)]];
  const seconds = (durationMs - firstPieceMs) / 1000;
  const tokens = usage?.outputTokens ?? 0;
  if (tokens > 1 && seconds > 0)
    metrics.push([METRICS.outputTokensPerSecond, 'Count/Second', Math.round((100 * tokens) / seconds) / 100]);
  return metrics;
}

/** By the provider that was asked last: one that failed before has a line of its own. */
function providerMetrics(record: ExchangeRecord): MetricSet[] {
  const { provider, modelAtProvider, modelKnown, usage, costUsd, calls, timeline } = record;
  const answered = calls.at(-1)?.failure === null;
  if (provider === null || !answered) return [];
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

/** To the microsecond. */
function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1e6;
}
