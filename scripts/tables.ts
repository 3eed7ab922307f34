/**
 * Writes what a function would else work out while it starts: the codes of the built-in patterns, and the shapes of the
 * words by which disguised text is known. npm run generate tables; with --check writes nothing and ends with 1 where a file is stale,
 * which costs a start time and changes no finding: what is missing is worked out when it is needed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { TABLE_FILES } from './tables/table-files.ts';

for (const { path, text } of TABLE_FILES) {
  const url = new URL(`../${path}`, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(url, text());
  else if (readFileSync(url, 'utf8') !== text()) {
    console.error(`${path} is stale: npm run generate tables`);
    process.exitCode = 1;
  }
}
