import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { METRICS } from '../../kernel/model/index.ts';
import type { MetricSet } from './metrics.ts';
import { exchangeRecord } from './request-summary.fixture.ts';

// Read when the module is loaded.
process.env.AWS_LAMBDA_FUNCTION_NAME = 'svc-gateway';
const { countOf, embedded, exchangeMetrics, providerErrorOf, requestMetrics } = await import('./metrics.ts');

const NOW = 1_764_000_000_000;

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  process.env.AWS_LAMBDA_FUNCTION_VERSION = '7';
});
afterEach(() => {
  jest.useRealTimers();
  delete process.env.AWS_LAMBDA_FUNCTION_VERSION;
});

interface Document {
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
  readonly [field: string]: unknown;
}

/** The metrics that CloudWatch extracts from a document, as `name{dimensions}`: value. @throws for what it would refuse */
function readDocument(document: Document): Record<string, number> {
  expect(document._aws.Timestamp).toBe(NOW);
  const made = document._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) => {
    expect(Namespace).toBe('svc');
    expect(Metrics.length).toBeLessThanOrEqual(100);
    return Dimensions.flatMap((names) => {
      expect(names.length).toBeLessThanOrEqual(30);
      const dimensions = names.map((name) => {
        const value = document[name];
        expect(typeof value === 'string' && value.length > 0 && value.length <= 1_024).toBe(true);
        return `${name}=${value}`;
      });
      return Metrics.map(({ Name, Unit }) => {
        expect(['Count', 'Seconds', 'Milliseconds', 'Count/Second', 'None']).toContain(Unit);
        const value = document[Name];
        expect(typeof value === 'number' && Number.isFinite(value)).toBe(true);
        return [`${Name}{${dimensions.join()}}`, value as number] as const;
      });
    });
  });
  expect(new Set(made.map(([name]) => name)).size).toBe(made.length);
  return Object.fromEntries(made);
}

const document = (sets: readonly MetricSet[]) => JSON.parse(JSON.stringify(embedded(sets))) as Document;
const read = (sets: readonly MetricSet[]) => readDocument(document(sets));
const FUNCTION = 'FunctionName=svc-gateway';
const OPENAI = `${FUNCTION},gen_ai.provider.name=openai`;

describe('a metric', () => {
  it('is extracted by CloudWatch under the name of the function', () =>
    expect(document([countOf(METRICS.unsettled)])).toEqual({
      FunctionName: 'svc-gateway',
      Unsettled: 1,
      _aws: {
        Timestamp: NOW,
        CloudWatchMetrics: [
          { Namespace: 'svc', Dimensions: [['FunctionName']], Metrics: [{ Name: 'Unsettled', Unit: 'Count' }] },
        ],
      },
    }));

  it('of a failed provider call has provider, and provider and kind', () =>
    expect(read(providerErrorOf('bedrock', 'provider_timeout'))).toEqual({
      [`ProviderErrors{${FUNCTION}}`]: 1,
      [`ProviderErrors{${FUNCTION},gen_ai.provider.name=aws.bedrock}`]: 1,
      [`ProviderErrors{${FUNCTION},gen_ai.provider.name=aws.bedrock,error.type=provider_timeout}`]: 1,
    }));

  it('of a request without an exchange shows whether the gateway caused its failure', () => {
    const answered = { requestId: 'req_1', traceId: 't', method: 'GET', route: '/v1/models', durationMs: 20 };
    expect(read(requestMetrics({ ...answered, status: 401, errorCode: 'invalid_api_key' }))).toEqual({
      [`Requests{${FUNCTION}}`]: 1,
      [`FailedRequests{${FUNCTION}}`]: 0,
      [`ServerErrors{${FUNCTION}}`]: 0,
      [`UnknownKeys{${FUNCTION}}`]: 1,
      [`gen_ai.server.request.duration{${FUNCTION}}`]: 0.02,
    });
    const unavailable = read(requestMetrics({ ...answered, status: 503, errorCode: 'unavailable' }));
    expect(unavailable).toMatchObject({ [`ServerErrors{${FUNCTION}}`]: 1, [`StoreFailures{${FUNCTION}}`]: 1 });
  });
});

describe('the metrics of an exchange', () => {
  it('are its times, tokens, cost and findings, each with the fewest dimensions', () => {
    const byModel = `${OPENAI},gen_ai.request.model=gpt-4o-mini`;
    expect(read(exchangeMetrics(exchangeRecord()))).toEqual({
      [`Requests{${FUNCTION}}`]: 1,
      [`FailedRequests{${FUNCTION}}`]: 0,
      [`ServerErrors{${FUNCTION}}`]: 0,
      [`Blocked{${FUNCTION}}`]: 0,
      [`Flagged{${FUNCTION}}`]: 1,
      [`gen_ai.server.request.duration{${FUNCTION}}`]: 2.5,
      [`gen_ai.server.time_to_first_token{${FUNCTION}}`]: 0.5,
      [`OutputTokensPerSecond{${FUNCTION}}`]: 25,
      [`OwnDuration{${FUNCTION}}`]: 12,
      [`AuthenticationDuration{${FUNCTION}}`]: 1,
      [`AdmissionDuration{${FUNCTION}}`]: 4,
      [`InputInspectionDuration{${FUNCTION}}`]: 5,
      [`OutputInspectionDuration{${FUNCTION}}`]: 2,
      [`Fallbacks{${FUNCTION}}`]: 1,
      [`Threats.jailbreak.flag{${FUNCTION}}`]: 2,
      [`gen_ai.client.operation.duration{${FUNCTION}}`]: 2.4,
      [`gen_ai.client.operation.duration{${OPENAI}}`]: 2.4,
      [`gen_ai.client.token.usage.input{${FUNCTION}}`]: 120,
      [`gen_ai.client.token.usage.input{${byModel}}`]: 120,
      [`gen_ai.client.token.usage.output{${FUNCTION}}`]: 50,
      [`gen_ai.client.token.usage.output{${byModel}}`]: 50,
      [`CostUsd{${FUNCTION}}`]: 0.000_048,
      [`CostUsd{${byModel}}`]: 0.000_048,
    });
  });

  it('contain no model name that a caller may have made up', () => {
    const names = Object.keys(read(exchangeMetrics(exchangeRecord({ modelKnown: false, modelAtProvider: 'mine/1' }))));
    expect(names.filter((name) => name.includes('mine/1'))).toEqual([]);
    expect(names).toContain(`CostUsd{${OPENAI},gen_ai.request.model=other}`);
  });

  it('count a rate limit, and separate failures of the gateway, also by version, from those of providers', () => {
    const refused = read(exchangeMetrics(exchangeRecord({ limited: 'tag_budget', outcome: 'refused', calls: [] })));
    expect(refused).toMatchObject({ [`Limited.tag_budget{${FUNCTION}}`]: 1, [`ServerErrors{${FUNCTION}}`]: 0 });
    const failed = read(exchangeMetrics(exchangeRecord({ outcome: 'failed', errorCode: 'unavailable' })));
    expect(failed).toMatchObject({
      [`StoreFailures{${FUNCTION}}`]: 1,
      [`FailedRequests{${FUNCTION}}`]: 1,
      [`ServerErrors{${FUNCTION}}`]: 1,
      [`ServerErrors{${FUNCTION},FunctionVersion=7}`]: 1,
    });
    const byProvider = read(exchangeMetrics(exchangeRecord({ outcome: 'failed', errorCode: 'provider_error' })));
    expect(byProvider).toMatchObject({ [`FailedRequests{${FUNCTION}}`]: 1, [`ServerErrors{${FUNCTION}}`]: 0 });
    expect(Object.keys(byProvider).filter((name) => name.includes('FunctionVersion'))).toEqual([]);
  });

  it('have the cost of the judging model apart, if it was called', () => {
    expect(read(exchangeMetrics(exchangeRecord({ judgeCostUsd: 0.0004 })))).toMatchObject({
      [`JudgeCostUsd{${FUNCTION}}`]: 0.0004,
      [`CostUsd{${FUNCTION}}`]: 0.000_048,
    });
  });

  it('omit unknown times, speeds and usage', () => {
    const names = Object.keys(read(exchangeMetrics(exchangeRecord({ usage: null, costUsd: null, stream: false }))));
    const told = names.filter((name) => /token|CostUsd/i.test(name));
    expect(told).toEqual([]);
  });
});
