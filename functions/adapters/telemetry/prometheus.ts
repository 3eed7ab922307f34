import { DIMENSIONS, METRICS } from '../../kernel/model/index.ts';
import type { MetricSet } from './metrics.ts';

/** A metric's name in Prometheus, without the suffixes of histograms. */
interface Family {
  readonly name: string;
  readonly help: string;
  /** Upper bounds of a histogram's buckets, in seconds; a counter without. */
  readonly bounds?: readonly number[];
  /** The value's factor: `0.001` for milliseconds. */
  readonly scale?: number;
  /** Dimensions and labels of the sets that are counted; others are the same values, grouped in another way. */
  readonly by?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

/** A value at the time of the scrape. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

const LONG = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];
const SHORT = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const PROVIDER_AND_MODEL = [DIMENSIONS.provider, DIMENSIONS.model];

/** Models and providers of a client's choice are counted as `other` or refused; this bounds what a configuration names. */
const MAX_SERIES = 2_000;

const count = (name: string, help: string, by: readonly string[] = []): Family => ({ name, help, by });
const phase = (name: string): Family => ({
  name: 'svc_phase_duration_seconds',
  help: "Time of a request's phase.",
  bounds: SHORT,
  scale: 0.001,
  labels: { phase: name },
});
const tokens = (kind: string): Family => ({
  name: 'svc_tokens_total',
  help: 'Tokens that providers reported.',
  by: PROVIDER_AND_MODEL,
  labels: { kind },
});

/** By CloudWatch's name. */
const FAMILIES: Readonly<Record<string, Family>> = {
  [METRICS.requests]: count('svc_requests_total', 'Requests by route and class of the status.', ['route', 'status']),
  [METRICS.failures]: count('svc_failed_requests_total', 'Responses with 5xx, and interrupted streams.'),
  [METRICS.serverErrors]: count('svc_server_errors_total', "The gateway's 500 and 503 responses."),
  [METRICS.blocked]: count('svc_blocked_total', 'Requests that the policy blocked.'),
  [METRICS.flagged]: count('svc_flagged_total', 'Requests with a finding that did not block.'),
  [METRICS.requestDuration]: {
    name: 'svc_request_duration_seconds',
    help: "From a request's arrival to the end of its response.",
    bounds: LONG,
    by: ['route'],
  },
  [METRICS.timeToFirstToken]: {
    name: 'svc_time_to_first_token_seconds',
    help: "From a request's arrival to the first piece of its stream.",
    bounds: LONG,
  },
  [METRICS.operationDuration]: {
    name: 'svc_provider_duration_seconds',
    help: 'From the first call of a provider to the end of its response.',
    bounds: LONG,
    by: [DIMENSIONS.provider],
  },
  [METRICS.configurationLag]: {
    name: 'svc_configuration_lag_seconds',
    help: 'Age of a document of the configuration that could not be read again.',
    bounds: LONG,
  },
  [METRICS.ownDuration]: {
    name: 'svc_own_duration_seconds',
    help: "The gateway's own time of a request.",
    bounds: SHORT,
    scale: 0.001,
  },
  [METRICS.authentication]: phase('authentication'),
  [METRICS.admission]: phase('admission'),
  [METRICS.inputInspection]: phase('input_inspection'),
  [METRICS.outputInspection]: phase('output_inspection'),
  [METRICS.outsideInspection]: phase('outside_inspection'),
  [METRICS.inputTokens]: tokens('input'),
  [METRICS.outputTokens]: tokens('output'),
  [METRICS.cachedInputTokens]: tokens('cache_read'),
  [METRICS.cacheWriteInputTokens]: tokens('cache_write'),
  [METRICS.reasoningTokens]: tokens('reasoning'),
  [METRICS.costUsd]: count('svc_cost_usd_total', 'US dollars at list prices.', PROVIDER_AND_MODEL),
  [METRICS.judgeCostUsd]: count('svc_judge_cost_usd_total', 'US dollars of the detector model.'),
  [METRICS.providerErrors]: count('svc_provider_errors_total', 'Failed calls of providers.', [
    DIMENSIONS.provider,
    DIMENSIONS.errorType,
  ]),
  [METRICS.fallbacks]: count('svc_fallbacks_total', 'Calls of a fallback.'),
  [METRICS.storeFailures]: count('svc_store_failures_total', 'A store did not respond, or a write was lost.'),
  [METRICS.recordsLost]: count('svc_records_lost_total', 'Records of requests that could not be written.'),
  [METRICS.unknownKeys]: count('svc_unknown_keys_total', 'Requests without a valid key or token.'),
  [METRICS.admittedWithoutLimits]: count('svc_admitted_without_limits_total', 'Requests without enforced limits.'),
  [METRICS.unsettled]: count('svc_unsettled_total', 'Requests whose use was not counted.'),
  [METRICS.approvalsRequested]: count('svc_approvals_requested_total', 'Tool calls that began to wait for a person.'),
  [METRICS.approvalsDecided]: count('svc_approvals_decided_total', 'Tool calls that were approved or denied.'),
  [METRICS.spansLost]: count('svc_spans_lost_total', 'Spans that no receiver got.'),
};

/** A metric with its type, action or limit in its name. */
function familyOf(name: string): Family | undefined {
  const [kind, first = '', action = ''] = name.split('.');
  if (kind === 'Limited') {
    return { ...count('svc_limited_total', 'Requests that a limit refused.'), labels: { limit: first } };
  }
  if (kind === 'Threats') {
    const labels = { type: first, action };
    return { ...count('svc_findings_total', "Findings by type and the policy's action."), labels };
  }
  return FAMILIES[name];
}

/** Labels in Prometheus's spelling. */
const LABELS: Readonly<Record<string, string>> = {
  [DIMENSIONS.provider]: 'provider',
  [DIMENSIONS.model]: 'model',
  [DIMENSIONS.errorType]: 'type',
};

interface Series {
  sum: number;
  /** Observations up to each bound of a histogram, and all of them. */
  readonly counts: number[];
}

/**
 * The gateway's metrics in Prometheus's text format, from the same metric sets as the log lines. Holds no key, user, path or model name
 * that a client could choose. https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export class PrometheusMetrics {
  /** By family, then by labels as written. */
  private readonly series = new Map<string, { readonly family: Family; readonly byLabels: Map<string, Series> }>();

  observe(sets: readonly MetricSet[]): void {
    for (const { dimensions, labels, metrics } of sets) {
      for (const [name, , value] of metrics) {
        const family = familyOf(name);
        if (family !== undefined) this.add(family, { ...dimensions }, labels, value);
      }
    }
  }

  private add(
    family: Family,
    dimensions: Readonly<Record<string, string>>,
    labels: Readonly<Record<string, string>> | undefined,
    value: number,
  ): void {
    const { by = [], bounds = [], scale = 1 } = family;
    const values: Readonly<Record<string, string>> = { ...labels, ...dimensions };
    const isGroupedSo =
      Object.keys(dimensions).every((name) => by.includes(name)) && by.every((name) => name in values);
    if (!isGroupedSo) return;
    const shown = Object.fromEntries(by.map((name) => [LABELS[name] ?? name, values[name] ?? '']));
    const one = this.seriesOf(family, { ...shown, ...family.labels });
    const scaled = value * scale;
    one.sum += scaled;
    for (const [at, bound] of bounds.entries()) if (scaled <= bound) one.counts[at] = (one.counts[at] ?? 0) + 1;
    one.counts[bounds.length] = (one.counts[bounds.length] ?? 0) + 1;
  }

  private seriesOf(family: Family, labels: Readonly<Record<string, string>>): Series {
    const { name, bounds = [] } = family;
    const known = this.series.get(name) ?? { family, byLabels: new Map<string, Series>() };
    this.series.set(name, known);
    const { byLabels } = known;
    const others = Object.fromEntries(Object.keys(labels).map((label) => [label, 'other']));
    const own = labelText(labels);
    const key = byLabels.has(own) || byLabels.size < MAX_SERIES ? own : labelText(others);
    const one = byLabels.get(key) ?? { sum: 0, counts: Array<number>(bounds.length + 1).fill(0) };
    byLabels.set(key, one);
    return one;
  }

  /** All series, and the given values of now. */
  text(gauges: readonly Gauge[]): string {
    const lines: string[] = [];
    for (const [name, { family, byLabels }] of this.series) {
      const { help, bounds } = family;
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${bounds === undefined ? 'counter' : 'histogram'}`);
      for (const [labels, { sum, counts }] of byLabels) {
        if (bounds === undefined) lines.push(`${name}${braced(labels)} ${sum}`);
        else lines.push(...histogram(name, labels, { sum, counts, bounds }));
      }
    }
    for (const { name, help, values } of gauges) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`);
      for (const { labels = {}, value } of values) lines.push(`${name}${braced(labelText(labels))} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

function histogram(
  name: string,
  labels: string,
  { sum, counts, bounds }: Series & { readonly bounds: readonly number[] },
): string[] {
  const before = labels === '' ? '' : `${labels},`;
  const total = counts[bounds.length] ?? 0;
  return [
    ...bounds.map((bound, at) => `${name}_bucket{${before}le="${bound}"} ${counts[at] ?? 0}`),
    `${name}_bucket{${before}le="+Inf"} ${total}`,
    `${name}_sum${braced(labels)} ${sum}`,
    `${name}_count${braced(labels)} ${total}`,
  ];
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

/** `a="1",b="2"`, with escaped values. */
function labelText(labels: Readonly<Record<string, string>>): string {
  const escaped = (value: string) => value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n');
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}
