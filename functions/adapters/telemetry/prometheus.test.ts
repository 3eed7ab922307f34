import { beforeEach, describe, expect, it } from '@jest/globals';
import { countOf, exchangeMetrics, providerErrorOf, requestMetrics } from './metrics.ts';
import { PrometheusMetrics } from './prometheus.ts';
import { exchangeRecord } from './request-summary.fixture.ts';

let metrics: PrometheusMetrics;
beforeEach(() => {
  metrics = new PrometheusMetrics();
});
/** Samples by name with labels. */
function samples(): Record<string, number> {
  const lines = metrics.text([]).trim().split('\n');
  const read = lines.filter((line) => !line.startsWith('#')).map((line) => line.split(/ (?=[^ ]+$)/));
  return Object.fromEntries(read.map(([name = '', value]) => [name, Number(value)]));
}

const finished = { requestId: 'req_1', traceId: 't', method: 'GET', errorCode: null, durationMs: 20 };

it('counts each exchange once, in every family', () => {
  metrics.observe(exchangeMetrics(exchangeRecord()));
  metrics.observe(exchangeMetrics(exchangeRecord({ outcome: 'failed', errorCode: 'internal_error', status: 500 })));
  metrics.observe(providerErrorOf('anthropic', '429'));
  expect(samples()).toMatchObject({
    'svc_requests_total{route="/v1/chat/completions",status="2xx"}': 1,
    'svc_requests_total{route="/v1/chat/completions",status="5xx"}': 1,
    svc_failed_requests_total: 1,
    svc_server_errors_total: 1,
    'svc_findings_total{type="jailbreak",action="flag"}': 4,
    'svc_tokens_total{provider="openai",model="gpt-4o-mini",kind="input"}': 240,
    'svc_tokens_total{provider="openai",model="gpt-4o-mini",kind="output"}': 100,
    'svc_provider_errors_total{provider="anthropic",type="429"}': 1,
    'svc_request_duration_seconds_count{route="/v1/chat/completions"}': 2,
    svc_fallbacks_total: 2,
  });
});

it('has cumulative buckets in seconds', () => {
  metrics.observe(exchangeMetrics(exchangeRecord()));
  expect(samples()).toMatchObject({
    'svc_own_duration_seconds_bucket{le="0.01"}': 0,
    'svc_own_duration_seconds_bucket{le="0.025"}': 1,
    'svc_own_duration_seconds_bucket{le="+Inf"}': 1,
    svc_own_duration_seconds_sum: 0.012,
    'svc_time_to_first_token_seconds_bucket{le="0.5"}': 1,
  });
});

it('counts limits by their kind, and lines without a request', () => {
  metrics.observe(exchangeMetrics(exchangeRecord({ limited: 'tag_budget', status: 429, outcome: 'refused' as never })));
  metrics.observe([countOf('StoreFailures')]);
  expect(samples()).toMatchObject({ 'svc_limited_total{limit="tag_budget"}': 1, svc_store_failures_total: 1 });
});

describe('what a client chooses', () => {
  it('makes no series: paths, methods and statuses', () => {
    for (let at = 0; at < 50; at += 1) {
      metrics.observe(requestMetrics({ ...finished, method: `M${at}`, route: null, status: 404 }));
    }
    const names = Object.keys(samples()).filter((name) => name.startsWith('svc_requests_total'));
    expect(names).toEqual(['svc_requests_total{route="none",status="4xx"}']);
  });

  it('makes no series: models that the table lacks', () => {
    for (let at = 0; at < 50; at += 1) {
      metrics.observe(exchangeMetrics(exchangeRecord({ modelAtProvider: `m${at}`, modelKnown: false })));
    }
    const models = Object.keys(samples()).filter((name) => name.includes('model='));
    expect(models.every((name) => name.includes('model="other"'))).toBe(true);
  });

  it('never makes more than the bound, whatever is configured', () => {
    for (let at = 0; at < 3_000; at += 1) metrics.observe(providerErrorOf(`p${at}`, '500'));
    const all = Object.entries(samples()).filter(([name]) => name.startsWith('svc_provider_errors_total'));
    expect(all).toHaveLength(2_001);
    expect(samples()['svc_provider_errors_total{provider="other",type="other"}']).toBe(1_000);
  });

  it('cannot end a label', () => {
    metrics.observe(providerErrorOf('a"} 1\nsvc_x 2 \\', '500'));
    const [line] = metrics.text([]).split('\n').slice(2);
    expect(line).toBe('svc_provider_errors_total{provider="a\\"} 1\\nsvc_x 2 \\\\",type="500"} 1');
  });
});
