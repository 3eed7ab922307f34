import { once } from 'node:events';
import http from 'node:http';
import { afterEach, expect, it, jest } from '@jest/globals';
import { logFinishedRequest } from '../adapters/telemetry/json-log.ts';
import { type MetricsHost, startMetricsHost } from './metrics-host.ts';

let host: MetricsHost | undefined;
afterEach(() => host?.stop());

async function start(countWaiting = async () => 4): Promise<string> {
  const running = () => ({ requests: 3, streams: 2 });
  const at = { failures: 5, openUntil: null };
  const circuits = [
    { ...at, provider: 'openai', model: 'a', state: 'half_open' },
    { ...at, provider: 'openai', model: 'b', state: 'half_open' },
    { ...at, provider: 'openai', model: 'c', state: 'open' },
    { ...at, provider: 'groq', model: 'a', state: 'closed' },
  ] as const;
  host = await startMetricsHost(
    { port: 0, host: '127.0.0.1', names: ['metrics.internal'] },
    { running },
    { list: () => [...circuits] },
    countWaiting,
  );
  return host.url;
}

it('serves what is logged and what runs, in the text format', async () => {
  const url = await start();
  const writing = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const request = { requestId: 'req_1', traceId: 't', method: 'GET', errorCode: null, durationMs: 20 };
  logFinishedRequest({ ...request, route: '/healthz', status: 200 });
  writing.mockRestore();
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await response.text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE svc_requests_total counter',
      'svc_requests_total{route="/healthz",status="2xx"} 1',
      'svc_running_requests 3',
      'svc_running_streams 2',
      'svc_circuits{provider="openai",state="half_open"} 2',
      'svc_circuits{provider="openai",state="open"} 1',
      'svc_approvals_waiting 4',
    ]),
  );
  for (const name of ['svc_event_loop_delay_seconds{quantile="0.99"}', 'svc_memory_bytes{kind="resident"}']) {
    expect(lines.some((line) => line.startsWith(`${name} `))).toBe(true);
  }
  expect(lines.at(-1)).toBe('');
});

it('leaves out what waits for a person if that cannot be read', async () => {
  const url = await start(async () => Promise.reject(new Error('no store')));
  const text = await (await fetch(`${url}/metrics`)).text();
  expect([text.includes('svc_running_requests 3'), text.includes('svc_approvals_waiting')]).toEqual([true, false]);
});

it('serves nothing else', async () => {
  const url = await start();
  for (const path of ['/', '/metrics/', '/metrics?a', '/v1/models']) {
    expect((await fetch(url + path)).status).toBe(404);
  }
  expect((await fetch(`${url}/metrics`, { method: 'POST', body: 'x' })).status).toBe(404);
});

it.each([
  ['127.0.0.1:9090', 200],
  ['[::1]', 200],
  ['localhost', 200],
  ['metrics.internal:9090', 200],
  ['page.example', 403],
  ['metrics.internal.page.example', 403],
  ['', 403],
  [['localhost', 'page.example'], 403],
  ['page.example@localhost', 403],
  ['page.example:80@127.0.0.1', 403],
  ['localhost/page.example', 403],
  ['127.0.0.1#page.example', 403],
  ['localhost\\page.example', 403],
  ['local\thost', 403],
  ['localhost.page.example', 403],
  ['127.0.0.1.page.example', 403],
])('serves a request with the Host %j: %i, as a page can point its domain here', async (name, status) => {
  const url = await start();
  const hosts = [name].flat().flatMap((value) => ['Host', value]);
  const request = http.request(`${url}/metrics`, { headers: hosts }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(status);
});
