/**
 * Computes what a deployment costs a month and its capacity, from list prices, the units of a request (bench/stores.json), the
 * templates' resources, and the CPU and bytes of a stream (bench/streams.json) and of JSON (bench/results.md). Written to docs/cost.md: npm run bench cost
 *
 * Measures nothing. Run it after `npm run bench load`, `npm run bench streams` and `npm run bench stores -- --only requests`.
 */
import '../scripts/check-node.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exchangeMetrics } from '../functions/adapters/telemetry/metrics.ts';
import { exchangeRecord } from '../functions/adapters/telemetry/request-summary.fixture.ts';
import { synthesize } from '../test/infra/synthesize.ts';
import { costReport } from './cost/report.ts';
import { readLoadResults } from './lib/load-results.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const STAGE = 'Production';

const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));
const settings = { ...context.stages[STAGE], stage: STAGE };
const templates = Object.values(synthesize(settings)).filter((one) => one?.Resources !== undefined);
const resources = templates.flatMap(({ Resources }) => Object.values(Resources));
const dollars = JSON.parse(readFileSync(path.join(import.meta.dirname, 'stores.json'), 'utf8'));
const streams = JSON.parse(readFileSync(path.join(import.meta.dirname, 'streams.json'), 'utf8'));
const results = readLoadResults(readFileSync(path.join(import.meta.dirname, 'results.md'), 'utf8'));

writeFileSync(
  path.join(ROOT, 'docs/cost.md'),
  costReport({
    settings,
    resources,
    dollars,
    metrics: metricsOf({ acted: [], fallbacks: 0, action: 'allow' }),
    checkMetrics: metricsOf({ provider: null, fallbacks: 0, stream: false }),
    results,
    streams,
  }),
);
console.log('docs/cost.md written');

/** How many metrics a request writes, counted for each set of dimensions. */
function metricsOf(fields) {
  const sets = exchangeMetrics(exchangeRecord(fields));
  return sets.reduce((sum, { metrics, alsoWhole }) => sum + metrics.length * (alsoWhole ? 2 : 1), 0);
}
