import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { GatewayError } from '../../kernel/errors/index.ts';
import { METRICS, threatMetric } from '../../kernel/model/index.ts';
import { systemClock } from '../node/process-time.ts';
import {
  jsonLimitAlarm,
  jsonRequestLog,
  logApproval,
  logAudit,
  logDeadDelivery,
  logError,
  logFailedAlert,
  logFailedExchange,
  logFinishedRequest,
  logLostSpans,
  logRunning,
  logSkippedRecord,
  logSyntheticCheck,
  logUncountedTags,
  logUnreadableIssuer,
  logWaitingApprovals,
  staleConfigurationLog,
} from './json-log.ts';
import { flushLog, logLevelSchema, setLogLevel } from './logger.ts';
import { type MetricSet, observeMetrics } from './metrics.ts';
import { exchangeRecord } from './request-summary.fixture.ts';

/** The lines that the process writes during `run`. */
function written(run: () => void): Record<string, unknown>[] {
  let text = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    run();
  } finally {
    write.mockRestore();
  }
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

const REQUEST = { requestId: 'req_1', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' };

afterEach(() => setLogLevel('INFO'));

describe('the log', () => {
  it('has one line for a request with its metrics, and one for each failed provider call', () => {
    const lines = written(() => jsonRequestLog.record(exchangeRecord()));
    expect(lines).toMatchObject([
      { level: 'WARN', message: 'provider failed', provider: 'anthropic', type: '429', ProviderErrors: 1 },
      {
        level: 'INFO',
        message: 'request',
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        spanId: 'b7ad6b7169203331',
        keyId: 'key_1',
        route: '/v1/chat/completions',
        status: 200,
        outcome: 'completed',
        attempts: 2,
        usage: { inputTokens: 120, outputTokens: 50 },
        phasesMs: { authMs: 1, admitMs: 4, inputMs: 5, outputMs: 2, providerMs: 2_400 },
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o-mini',
        Requests: 1,
      },
    ]);
    for (const line of lines) expect(line.requestId).toBe('req_0123456789abcdef0123456789abcdef');
    expect(JSON.stringify(lines)).not.toContain('ann');
  });

  it('has the cost of the judging model only if it was called', () => {
    const line = (judgeCostUsd: number | null) =>
      written(() => jsonRequestLog.record(exchangeRecord({ judgeCostUsd })))[1];
    expect(line(0.0004)).toMatchObject({ costUsd: 0.000_048, judgeCostUsd: 0.0004 });
    expect(line(null)).not.toHaveProperty('judgeCostUsd');
  });

  it('does not blame a provider for failures that the request caused', () => {
    const refused = { type: '400', byCaller: true, internal: null };
    const calls = exchangeRecord().calls.map((call) => ({ ...call, failure: refused }));
    expect(written(() => jsonRequestLog.record(exchangeRecord({ calls })))).toMatchObject([{ message: 'request' }]);
  });

  it('omits lines below its level, and still counts them', () => {
    setLogLevel('WARN');
    const [failed, request] = written(() => jsonRequestLog.record(exchangeRecord()));
    expect(failed).toMatchObject({ level: 'WARN', message: 'provider failed' });
    expect(request).toMatchObject({ message: 'metrics', Requests: 1, _aws: {} });
    expect(request).not.toHaveProperty('keyId');
    const failure = exchangeRecord({ outcome: 'failed' });
    expect(written(() => jsonRequestLog.record(failure))[1]).toMatchObject({ level: 'ERROR', keyId: 'key_1' });
  });

  it('has no metrics where CloudWatch does not collect it, and still passes them on at any level', () => {
    const observed: MetricSet[] = [];
    observeMetrics((sets) => observed.push(...sets));
    setLogLevel('WARN', { collected: false });
    const lines = written(() => {
      jsonRequestLog.record(exchangeRecord());
      flushLog();
    });
    observeMetrics(() => {});
    expect(lines).toMatchObject([{ level: 'WARN', message: 'provider failed' }]);
    expect(lines[0]).not.toHaveProperty('_aws');
    expect(observed.flatMap(({ metrics }) => metrics.map(([name]) => name))).toContain('Requests');
  });

  it('omits no line of the audit log at any level', () => {
    setLogLevel('ERROR');
    const record = {
      seq: 7,
      action: 'key.created',
      actor: {},
      target: {},
      from: { requestId: 'req_1', address: '192.0.2.1' },
    };
    const [line] = written(() => logAudit({ record, hash: 'abc' } as unknown as Parameters<typeof logAudit>[0]));
    expect(line).toMatchObject({ message: 'audit', seq: 7, hash: 'abc', requestId: 'req_1' });
    expect(JSON.stringify(line)).not.toContain('192.0.2.1');
  });

  it('writes every defined metric, and no other', () => {
    const usage = {
      inputTokens: 9,
      outputTokens: 9,
      cachedInputTokens: 1,
      cacheWriteInputTokens: 1,
      reasoningTokens: 1,
    };
    const timeline = { ...exchangeRecord().timeline, outsideMs: 3 };
    const lines = written(() => {
      jsonRequestLog.record(exchangeRecord({ usage, timeline, judgeCostUsd: 0.0004 }));
      jsonRequestLog.lost(REQUEST, 'record', new Error('away'));
      jsonLimitAlarm.admittedWithoutLimits(REQUEST, 'key_1', 'away');
      jsonLimitAlarm.unsettled('key_1', 'away');
      logDeadDelivery({} as Parameters<typeof logDeadDelivery>[0], 'gone');
      logLostSpans(6, 'timeout');
      logFinishedRequest({
        ...REQUEST,
        method: 'GET',
        route: '/v1/models',
        status: 401,
        durationMs: 1,
        errorCode: 'invalid_api_key',
      });
      staleConfigurationLog(systemClock)(61_000);
      logUnreadableIssuer('https://login.example.com', 'status 503');
      logFailedExchange({ id: 'cred_1', provider: 'openai' }, new Error('refused'), 90);
      logApproval({ id: 'appr_1', keyId: 'key_1', state: 'pending' });
      logApproval({ id: 'appr_1', keyId: 'key_1', state: 'denied' });
      logWaitingApprovals(2);
      logFailedAlert('alert_1', new Error('away'));
      logSkippedRecord('1', new Error('unreadable'));
      logUncountedTags('feature', 2);
      logSyntheticCheck({ failures: [], durationMs: 90 });
    });
    const names = lines.flatMap((line) =>
      (line as { _aws: { CloudWatchMetrics: { Metrics: { Name: string }[] }[] } })._aws.CloudWatchMetrics.flatMap(
        ({ Metrics }) => Metrics.map(({ Name }) => Name),
      ),
    );
    const known = [...Object.values(METRICS), threatMetric('jailbreak', 'flag')];
    expect([...new Set(names)].sort()).toEqual(known.sort());
  });

  it('has what a container serves as metrics, whatever the level', () => {
    setLogLevel('ERROR');
    const [line] = written(() => logRunning({ RunningRequests: 3, RunningStreams: 2 }));
    expect(line).toMatchObject({
      RunningRequests: 3,
      RunningStreams: 2,
      _aws: { CloudWatchMetrics: [{ Namespace: 'svc', Dimensions: [['FunctionName']] }] },
    });
  });

  it('has one line a minute while the configuration cannot be read', () => {
    let now = 0;
    const log = staleConfigurationLog({ monotonic: () => now });
    const lines = written(() => {
      for (const at of [0, 59_999, 60_000]) {
        now = at;
        log(at + 10_000);
      }
    });
    expect(lines).toMatchObject([{ ageSeconds: 10 }, { ageSeconds: 70 }]);
  });

  it('contains probes only at debug level, or if they fail', () => {
    const probe = { ...REQUEST, method: 'GET', route: '/healthz', status: 200, errorCode: null, durationMs: 1 };
    expect(written(() => logFinishedRequest(probe))[0]).toMatchObject({ message: 'metrics' });
    expect(written(() => logFinishedRequest({ ...probe, status: 503 }))[0]).toMatchObject({
      message: 'request',
      status: 503,
    });
    setLogLevel('DEBUG');
    expect(written(() => logFinishedRequest(probe))[0]).toMatchObject({
      message: 'request',
      level: 'DEBUG',
      ...REQUEST,
    });
  });

  it('has request and trace id in every line of a request', () => {
    const lines = written(() => {
      logError(REQUEST, new GatewayError('internal_error', 'x', { internal: 'why' }));
      jsonRequestLog.lost(REQUEST, 'record', new Error('away'));
      jsonLimitAlarm.admittedWithoutLimits(REQUEST, 'key_1', 'away');
      jsonLimitAlarm.implausibleUsage(REQUEST, 'key_1', 'too many');
    });
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).toMatchObject(REQUEST);
  });
});

it.each([
  ['warn', 'WARN'],
  ['ERROR', 'ERROR'],
  [undefined, 'INFO'],
])('the level %j is %s', (text, level) => expect(logLevelSchema.parse(text)).toBe(level));
it('another level is refused', () => expect(() => logLevelSchema.parse('loud')).toThrow('must be debug'));
