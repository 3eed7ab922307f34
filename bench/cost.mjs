/**
 * Computes what a deployment costs a month and its capacity, from list prices, the units of a request (bench/stores.json), the
 * templates' resources, and the CPU and bytes of a stream (bench/streams.json) and of JSON (bench/results.md). Written to docs/reference/cost.md: npm run bench cost
 *
 * Measures nothing. Run it after `npm run bench load`, `npm run bench streams` and `npm run bench stores -- --only requests`.
 */
import '../scripts/check-node.mjs';
import { writeFileSync } from 'node:fs';
import { costPage } from './cost/page.ts';

writeFileSync(new URL('../docs/reference/cost.md', import.meta.url), costPage());
console.log('docs/reference/cost.md written');
