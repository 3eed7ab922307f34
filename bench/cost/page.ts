import { readFileSync } from 'node:fs';
import path from 'node:path';
import { exchangeMetrics } from '../../functions/adapters/telemetry/metrics.ts';
import { exchangeRecord } from '../../functions/adapters/telemetry/request-summary.fixture.ts';
import { synthesize } from '../../test/infra/synthesize.ts';
import { readLoadResults } from '../lib/load-results.ts';
import { type CostInput, costReport } from './report.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const STAGE = 'Production';

/** The text of docs/reference/cost.md. */
export function costPage(): string {
  const { context } = JSON.parse(read('cdk.json'));
  const settings = { ...context.stages[STAGE], stage: STAGE };
  const templates = Object.values(synthesize(settings)).filter((one) => one?.Resources !== undefined);
  const page = costReport({
    settings,
    resources: templates.flatMap(({ Resources }) => Object.values(Resources)) as CostInput['resources'],
    dollars: JSON.parse(read('bench/stores.json')),
    metrics: metricsOf({ acted: [], fallbacks: 0, action: 'allow' }),
    checkMetrics: metricsOf({ provider: null, fallbacks: 0, stream: false }),
    results: readLoadResults(read('bench/results.md')),
    streams: JSON.parse(read('bench/streams.json')),
  });
  // The chapters link as from `docs`.
  return page.replace(/\]\((?=\.\.\/|\w[\w-]*\.md)/g, '](../');
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** How many metrics a request writes, counted for each set of dimensions. */
function metricsOf(fields: Parameters<typeof exchangeRecord>[0]): number {
  const sets = exchangeMetrics(exchangeRecord(fields));
  return sets.reduce((sum, { metrics, alsoWhole }) => sum + metrics.length * (alsoWhole ? 2 : 1), 0);
}
