/**
 * What a deployment costs a month, from list prices, the bytes and units that a request is paid for (bench/stores.json), the
 * template's own resources and the gateway's measured time; written to docs/cost.md: npm run bench cost
 *
 * Run `npm run bench stores -- --only requests` before it where stores have changed. About a minute.
 */
import '../scripts/check-node.mjs';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exchangeMetrics } from '../functions/adapters/telemetry/metrics.ts';
import { exchangeRecord } from '../functions/adapters/telemetry/request-summary.fixture.ts';
import { synthesize } from '../test/infra/synthesize.ts';
import { costReport } from './cost/report.ts';
import { cpuMs } from './lib/process-usage.mjs';
import { prose } from './lib/prose.mjs';
import { startStack } from './lib/stack.mjs';
import { median } from './lib/statistics.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const STAGE = 'Production';
const PROMPT_BYTES = 1_000;
const REPEATS = 100;

const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));
const settings = { ...context.stages[STAGE], stage: STAGE };
const templates = Object.values(synthesize(settings)).filter((one) => one?.Resources !== undefined);
const resources = templates.flatMap(({ Resources }) => Object.values(Resources));
const dollars = JSON.parse(readFileSync(path.join(import.meta.dirname, 'stores.json'), 'utf8'));

execFileSync(process.execPath, ['scripts/build.mjs', 'local'], { cwd: ROOT, stdio: 'inherit' });
const stack = await startStack({ gatewayScript: path.join(ROOT, 'dist/local/index.mjs'), peers: false });
let seed = 1_000_000;
try {
  for (let warm = 0; warm < 300; warm += 1) await ask(warm % 2 === 0);
  const json = await measure(false);
  const stream = await measure(true);
  writeFileSync(
    path.join(ROOT, 'docs/cost.md'),
    costReport({ settings, resources, dollars, metrics: metricsARequest(), json, stream, promptBytes: PROMPT_BYTES }),
  );
  console.log('docs/cost.md written');
} finally {
  await stack.stop();
}

/** Metrics of an ordinary request, each set of dimensions for itself. */
function metricsARequest() {
  const sets = exchangeMetrics(exchangeRecord({ acted: [], fallbacks: 0, action: 'allow' }));
  return sets.reduce((sum, { metrics, alsoWhole }) => sum + metrics.length * (alsoWhole ? 2 : 1), 0);
}

/** CPU of a request in the gateway's process, and its phases as Server-Timing tells them, milliseconds. */
async function measure(isStream) {
  const { pid } = stack.gateway;
  const phases = new Map();
  const before = cpuMs(pid);
  for (let at = 0; at < REPEATS; at += 1) {
    for (const [phase, ms] of await ask(isStream)) phases.set(phase, [...(phases.get(phase) ?? []), ms]);
  }
  const cpu = (cpuMs(pid) - before) / REPEATS;
  return { cpuMs: cpu, phases: Object.fromEntries([...phases].map(([phase, all]) => [phase, median(all)])) };
}

async function ask(stream) {
  const { url, headers, modelPrefix } = stack.targets.gateway;
  seed += 1;
  const messages = [{ role: 'user', content: prose(PROMPT_BYTES, seed) }];
  const body = JSON.stringify({ model: `${modelPrefix}gpt-4o-mini`, messages, ...(stream && { stream }) });
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${text.slice(0, 500)}`);
  const timing = response.headers.get('server-timing') ?? '';
  return [...timing.matchAll(/(\w+);dur=([\d.]+)/g)].map(([, phase, ms]) => [phase, Number(ms)]);
}
