import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { jsonRequestLog, logAudit, logError, logFinishedRequest } from '../../functions/adapters/telemetry/json-log.ts';
import { flushLog, setLogFormat, setLogLevel } from '../../functions/adapters/telemetry/logger.ts';
import { exchangeRecord } from '../../functions/adapters/telemetry/request-summary.fixture.ts';
import { GatewayError } from '../../functions/kernel/errors/index.ts';
import { logEvent, logHelperEnd, setUpLocalLog } from './local-log.ts';

afterEach(() => {
  setLogLevel('INFO');
  setLogFormat((line) => JSON.stringify(line));
});

/** The lines that the process writes during `run`, without their time. */
function written(run: () => void): string[] {
  let text = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    run();
    flushLog();
  } finally {
    write.mockRestore();
  }
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));
}

const REQUEST = { requestId: 'req_1', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' };
const FINISHED = {
  ...REQUEST,
  method: 'GET',
  route: '/v1/models',
  status: 401,
  errorCode: 'invalid_api_key',
  durationMs: 1.4,
};
const AUDIT = {
  hash: 'abc',
  record: {
    seq: 7,
    action: 'key.created',
    actor: { type: 'key', id: 'key_1' },
    target: { type: 'key', id: 'key_2' },
    from: { requestId: 'req_1', address: '192.0.2.1' },
  },
} as unknown as Parameters<typeof logAudit>[0];

describe('on a terminal', () => {
  const onTerminal = (run: () => void) => {
    setUpLocalLog('INFO', true);
    return written(run);
  };

  test('a request is one short line, after its failed provider calls', () => {
    expect(onTerminal(() => jsonRequestLog.record(exchangeRecord()))).toEqual([
      'WARN provider failed provider=anthropic model=claude-sonnet-4-5 type=429 byCaller=false internal="anthropic: status 429" upstreamRequestId=req_anthropic req_0123456789abcdef0123456789abcdef',
      'POST /v1/chat/completions 200 flag 0.60 (jailbreak) gpt-4o-mini key …7f3a 2500 ms 120+50 tokens req_0123456789abcdef0123456789abcdef',
    ]);
  });

  test('a request without a readable model shows none', () => {
    const record = exchangeRecord({ status: 400, outcome: 'refused', errorCode: 'invalid_json', model: '', calls: [] });
    expect(onTerminal(() => jsonRequestLog.record(record))[0]).not.toContain('""');
  });

  test('a blocked request has the kinds of its threats', () => {
    const blocked = {
      status: 400,
      outcome: 'blocked',
      errorCode: 'content_filter',
      action: 'block',
      calls: [],
    } as const;
    const record = exchangeRecord({ ...blocked, threats: { jailbreak: 0.98, secret: 0.9 } });
    expect(onTerminal(() => jsonRequestLog.record(record))[0]).toMatch(
      /^POST \/v1\/chat\/completions 400 content_filter block 0\.60 \(jailbreak, secret\) gpt-4o-mini key …7f3a 2500 ms 120\+50 tokens req_/,
    );
  });

  test('a request without a record, an audit record, an event and an error are one line each', () => {
    const lines = onTerminal(() => {
      logFinishedRequest(FINISHED);
      logFinishedRequest({ ...FINISHED, route: null, status: 404, errorCode: 'not_found' });
      logAudit(AUDIT);
      logEvent('evt_1', 'key.created');
      logError(REQUEST, new GatewayError('internal_error', 'x', { internal: 'keys table: timeout' }));
    });
    expect(lines).toEqual([
      'GET /v1/models 401 invalid_api_key 1 ms req_1',
      'GET (no route) 404 not_found 1 ms req_1',
      'audit key.created key key_2 by key key_1 req_1',
      'event key.created evt_1',
      'ERROR error code=internal_error status=500 internal="keys table: timeout" req_1',
    ]);
  });

  test('health checks have no line', () => {
    expect(
      onTerminal(() => logFinishedRequest({ ...FINISHED, route: '/healthz', status: 200, errorCode: null })),
    ).toEqual([]);
  });

  test('the end of a process says what does not work, and what happens next', () => {
    const end = { process: 'svc-streams', exitCode: null, signal: 'SIGKILL', effect: 'events are not sent' } as const;
    const lines = onTerminal(() => {
      logHelperEnd({ ...end, restartSeconds: 4 });
      logHelperEnd({ ...end, signal: null, exitCode: 3, restartSeconds: null });
    });
    expect(lines).toEqual([
      'ERROR svc-streams ended (SIGKILL): events are not sent. It starts again in 4 s.',
      'ERROR svc-streams ended (exit code 3): events are not sent. The service stops.',
    ]);
  });

  test('a value of a client cannot move the cursor, add a line or fill the screen', () => {
    const model = `\u001b[2J\n${'x'.repeat(500)}\u202e`;
    const [line = '', ...others] = onTerminal(() => jsonRequestLog.record(exchangeRecord({ model, calls: [] })));
    expect(others).toEqual([]);
    expect(line).toContain('"\\u001b[2J\\nxxx');
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(line.length).toBeLessThan(260);
  });
});

describe('in a pipe or file', () => {
  test('lines are JSON', () => {
    setUpLocalLog('INFO', false);
    const [request, event] = written(() => {
      logFinishedRequest(FINISHED);
      logEvent('evt_1', 'key.created');
    }).map((line) => JSON.parse(line));
    expect(request).toMatchObject({ level: 'INFO', message: 'request', ...FINISHED });
    // CloudWatch does not read this log.
    expect(request).not.toHaveProperty('_aws');
    expect(event).toMatchObject({ level: 'INFO', message: 'event', id: 'evt_1', type: 'key.created' });
  });
});

test('lines of one turn of the event loop are written together, in their order, and at an exit', async () => {
  setUpLocalLog('INFO', false);
  const written: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  const ids = () => written.map((text) => [...text.matchAll(/evt_\d/g)].map(([id]) => id));
  try {
    logEvent('evt_1', 'key.created');
    logEvent('evt_2', 'key.created');
    expect(written).toEqual([]);
    await new Promise(setImmediate);
    expect(ids()).toEqual([['evt_1', 'evt_2']]);
    logEvent('evt_3', 'key.created');
    process.listeners('exit').at(-1)?.(0);
    expect(ids()).toEqual([['evt_1', 'evt_2'], ['evt_3']]);
  } finally {
    write.mockRestore();
  }
});

test.each([true, false])('at the level warn only warnings and errors are written (terminal: %j)', (isTerminal) => {
  setUpLocalLog('WARN', isTerminal);
  const lines = written(() => {
    logFinishedRequest(FINISHED);
    logAudit(AUDIT);
    logEvent('evt_1', 'key.created');
    jsonRequestLog.record(exchangeRecord());
    jsonRequestLog.record(exchangeRecord({ outcome: 'failed', calls: [] }));
  });
  expect(lines.map((line) => /\b(?:INFO|WARN|ERROR)\b/.exec(line)?.[0])).toEqual(['WARN', 'ERROR']);
});
