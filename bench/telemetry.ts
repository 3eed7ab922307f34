/**
 * The cost of telemetry per request: node bench/telemetry.ts
 * The line alone, the line with its metrics, and spans besides, in turns in one process, so that a busy machine disturbs all alike; what is
 * written goes nowhere. Prints the median of the rounds for each, in microseconds a request, and the sizes of the lines.
 */

import { jsonRequestLog } from '../functions/adapters/telemetry/json-log.ts';
import { flushLog, setLogLevel } from '../functions/adapters/telemetry/logger.ts';
import { toExport, toSpans } from '../functions/adapters/telemetry/otlp-exporter.ts';
import { exchangeRecord } from '../functions/adapters/telemetry/request-summary.fixture.ts';
import { HeaderList } from '../functions/kernel/http/index.ts';
import { beginTrace } from '../functions/kernel/http/request-trace.ts';

const ROUNDS = 61;
const REQUESTS = 2_000;

const failed = exchangeRecord();
const record = exchangeRecord({ calls: failed.calls.slice(1), fallbacks: 0 });
const { timeline: _, trace: __, acted: ___, calls: ____, ...alone } = record;
const traced = new HeaderList([
  ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ['tracestate', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
]);
const untraced = new HeaderList([]);
const keeps = () => false;

let written = 0;
let bytes = 0;
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = ((text: string) => {
  written += 1;
  bytes += text.length;
  return true;
}) as typeof process.stdout.write;

const kinds: Readonly<Record<string, () => void>> = {
  'the line alone, as it was before metrics': () => {
    process.stdout.write(
      `${JSON.stringify({ timestamp: new Date().toISOString(), level: 'INFO', message: 'request', ...alone })}\n`,
    );
  },
  'the line with phases, trace and metrics': () => {
    setLogLevel('INFO');
    jsonRequestLog.record(record);
  },
  'the line of a server outside of Lambda': () => {
    setLogLevel('INFO', { collected: false });
    jsonRequestLog.record(record);
    flushLog();
  },
  'spans, as JSON': () => {
    JSON.stringify(toExport(toSpans(record), {}));
  },
  'a new trace': () => {
    beginTrace({ headers: untraced, keeps });
  },
  "a caller's trace": () => {
    beginTrace({ headers: traced, keeps });
  },
};

const micros: Record<string, number[]> = {};
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, run] of Object.entries(kinds)) {
    const start = process.cpuUsage();
    for (let request = 0; request < REQUESTS; request += 1) run();
    const { user, system } = process.cpuUsage(start);
    // The first rounds are for the compiler.
    if (round > 10) micros[name] = [...(micros[name] ?? []), (user + system) / REQUESTS];
  }
}
for (const [name, rounds] of Object.entries(micros)) {
  const median = rounds.sort((a, b) => a - b)[Math.floor(rounds.length / 2)] as number;
  print(`${name}: ${median.toFixed(2)} us\n`);
}
for (const name of Object.keys(kinds).slice(0, 3)) {
  [written, bytes] = [0, 0];
  kinds[name]?.();
  print(`${name}: ${bytes / written} bytes\n`);
}
