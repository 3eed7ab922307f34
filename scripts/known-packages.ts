/**
 * Writes the filter of known package names, which responses are compared with:
 * node scripts/known-packages.ts --npm npm.tsv --pypi pypi.tsv --date YYYY-MM-DD
 *
 * Both files are tab-separated with a head line. npm: `name version downloads_a_month summary`. The filter has the scope of
 * scoped packages, because only its owner can publish in it. PyPI: `name version month rank_among_15000_most_downloaded
 * summary`; the filter has those with a rank. Node's built-in modules are included.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { NameFilter } from '../functions/inspection/detectors/unknown-packages/known-packages.ts';

/** 112 KB, 150 KB as base64. */
const BYTES = 112 * 1024;
const PROBES = 4;
const OUT = path.join(
  import.meta.dirname,
  '../functions/inspection/detectors/unknown-packages/known-packages.generated.json',
);

const { values } = parseArgs({
  options: { npm: { type: 'string' }, pypi: { type: 'string' }, date: { type: 'string' } },
});
const { npm, pypi, date } = values;
if (npm === undefined || pypi === undefined || date === undefined) {
  console.error('usage: node scripts/known-packages.ts --npm npm.tsv --pypi pypi.tsv --date YYYY-MM-DD');
  process.exit(2);
}
const npmNames = new Set(readRows(npm).map(([name = '']) => (name.startsWith('@') ? scopeOf(name) : name)));
const pypiNames = new Set(readRows(pypi).flatMap(([name = '', , , rank = '']) => (rank === '' ? [] : [name])));
const bytes = new Uint8Array(BYTES);
const filter = new NameFilter(bytes, PROBES);
for (const name of [...npmNames, ...builtinModules]) filter.add('npm', name);
for (const name of pypiNames) filter.add('pypi', name);
const taken = bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0) / (BYTES * 8);
const bits = Buffer.from(bytes).toString('base64');
const counts = { npm: npmNames.size, pypi: pypiNames.size };
writeFileSync(OUT, `${JSON.stringify({ date, counts, probes: PROBES, bits })}\n`);
console.log(
  `${npmNames.size} npm names, ${pypiNames.size} of PyPI; ${(taken ** PROBES * 100).toFixed(1)} % of others pass`,
);

function readRows(file: string): string[][] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(1);
  return lines.filter((line) => line !== '').map((line) => line.split('\t'));
}

function scopeOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}
