/**
 * What each part of the engine, and leases, give and cost, written to bench/ablation.md and bench/ablation.json:
 * npm run bench ablation -- --data DIR [--only parts|leases] [--rows N] [--pairs N] [--parts PART,PART] [--scores FILE]
 *
 * Each part is off in turn (several at once when joined by `+`). DIR: see bench/detection.ts. --rows: at most so many attacks of each
 * family in each set. The classifiers that never saw a family are trained first, which takes minutes; --scores keeps their scores in
 * a file for the next run. It takes about half an hour, and 6 GB.
 */
import '../scripts/check-node.mjs';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { simulateLeases } from './ablation/lease-simulation.ts';
import { measureLeases } from './ablation/leases.ts';
import { measureParts } from './ablation/parts.ts';
import { type LeasesResults, type Machine, type PartsResults, type Results, toPage } from './ablation/report.ts';
import { ownTexts, sizesOf, textsOfSets, timedTexts } from './ablation/texts.ts';
import { PARTS } from './detection/without.ts';

const OUT = path.join(import.meta.dirname, 'ablation');

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string' },
    rows: { type: 'string', default: '300' },
    pairs: { type: 'string', default: '15' },
    parts: { type: 'string' },
    scores: { type: 'string' },
  },
});
const { data, only } = values;
if ((only !== undefined && only !== 'parts' && only !== 'leases') || (only !== 'leases' && data === undefined)) {
  console.error('usage: npm run bench ablation -- --data DIR [--only parts|leases] [--rows N] [--pairs N]');
  process.exit(2);
}
const pairs = Number(values.pairs);
const results: Results = existsSync(`${OUT}.json`) ? JSON.parse(readFileSync(`${OUT}.json`, 'utf8')) : {};
if (data !== undefined && only !== 'leases') results.parts = runParts(data);
if (only !== 'parts') results.leases = await runLeases();
writeFileSync(`${OUT}.json`, `${JSON.stringify(results, rounded, 2)}\n`);
writeFileSync(`${OUT}.md`, toPage(results));
console.log('bench/ablation.md written');
process.exit();

function runParts(folder: string): PartsResults {
  const rows = Number(values.rows);
  const texts = [...ownTexts(rows), ...textsOfSets(folder, rows, values.scores)];
  const measured = measureParts(values.parts?.split(',') ?? PARTS, texts, timedTexts(texts), pairs);
  return { ...machine(), pairs, rows, texts: sizesOf(texts), results: measured };
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}

async function runLeases(): Promise<LeasesResults> {
  const simulated = await simulateLeases();
  const measured = await measureLeases(pairs);
  return { ...machine(), simulated, pairs, results: measured };
}

/** With the load while it was measured. */
function machine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: os.cpus()[0]?.model ?? '',
    cores: os.cpus().length,
    node: process.version,
    load: os.loadavg()[2] ?? 0,
  };
}
