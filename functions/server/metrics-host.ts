import http from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { observeMetrics } from '../adapters/telemetry/metrics.ts';
import { type Gauge, PrometheusMetrics } from '../adapters/telemetry/prometheus.ts';
import type { CircuitBreaker } from '../translation/index.ts';
import { type HttpHost, urlOf } from './http-host.ts';
import { isOwnHost, WRONG_HOST } from './own-hosts.ts';

/** The interval of the check for delays, milliseconds. */
const RESOLUTION_MS = 10;
const SHARES = [0.5, 0.99, 1];

export interface MetricsHost {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  stop(): void;
}

interface MetricsHostOptions {
  readonly port: number;
  readonly host: string;
  /** Host names that requests may have besides those of this machine. */
  readonly names: readonly string[];
}

/**
 * Serves `/metrics` in Prometheus's text format on a separate port; every other path is a 404.
 * @param countWaiting the tool calls that wait for a person; the metric is left out while it rejects
 */
export async function startMetricsHost(
  { port, host, names }: MetricsHostOptions,
  served: Pick<HttpHost, 'running'>,
  circuits: Pick<CircuitBreaker, 'list'>,
  countWaiting: () => Promise<number>,
): Promise<MetricsHost> {
  const metrics = new PrometheusMetrics();
  observeMetrics((sets) => metrics.observe(sets));
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const server = http.createServer((request, response) => {
    request.resume();
    const named = request.headersDistinct.host?.join(', ') ?? null;
    if (!isOwnHost(named, names)) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(`${WRONG_HOST}\n`);
      return;
    }
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is only GET /metrics.\n');
      return;
    }
    void waitingGauges(countWaiting).then((waiting) => {
      const text = metrics.text([
        ...processGauges(),
        ...runningGauges(served),
        circuitGauge(circuits),
        ...waiting,
        delayGauge(delay),
      ]);
      delay.reset();
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: urlOf(host, server),
    stop: () => {
      delay.disable();
      server.closeAllConnections();
      server.close();
    },
  };
}

function processGauges(): Gauge[] {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const kinds = { resident: rss, heap_used: heapUsed, heap_total: heapTotal, external };
  const values = Object.entries(kinds).map(([kind, value]) => ({ labels: { kind }, value }));
  return [
    { name: 'svc_memory_bytes', help: "Memory of the gateway's process.", values },
    {
      name: 'svc_start_time_seconds',
      help: 'Start of the process, seconds since 1970.',
      values: [{ value: Math.round(performance.timeOrigin / 1000) }],
    },
  ];
}

function runningGauges(served: Pick<HttpHost, 'running'>): Gauge[] {
  const { requests, streams } = served.running();
  return [
    { name: 'svc_running_requests', help: 'Requests that are being served.', values: [{ value: requests }] },
    { name: 'svc_running_streams', help: 'Those of them with a streamed response.', values: [{ value: streams }] },
  ];
}

/** By provider: names of models may be a client's. */
function circuitGauge(circuits: Pick<CircuitBreaker, 'list'>): Gauge {
  const disturbed = circuits.list().filter(({ state }) => state !== 'closed');
  const values = [...Map.groupBy(disturbed, ({ provider, state }) => `${provider} ${state}`)].map(([name, models]) => {
    const [provider = '', state = ''] = name.split(' ');
    return { labels: { provider, state }, value: models.length };
  });
  return { name: 'svc_circuits', help: 'Models whose circuit is open or half open.', values };
}

async function waitingGauges(countWaiting: () => Promise<number>): Promise<Gauge[]> {
  try {
    const value = await countWaiting();
    return [{ name: 'svc_approvals_waiting', help: 'Tool calls that wait for a person.', values: [{ value }] }];
  } catch {
    return [];
  }
}

function delayGauge(delay: ReturnType<typeof monitorEventLoopDelay>): Gauge {
  const values = SHARES.map((share) => {
    // The histogram has the whole interval between two checks, in nanoseconds.
    const ms = delay.percentile(share * 100) / 1e6 - RESOLUTION_MS;
    return { labels: { quantile: String(share) }, value: Math.max(0, Math.round(ms * 1_000) / 1e6) };
  });
  return { name: 'svc_event_loop_delay_seconds', help: 'Delay of the event loop since the last scrape.', values };
}
