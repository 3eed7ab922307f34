/**
 * Writes what the built-in patterns are compiled to, so that no function has to while it starts: npm run patterns. With
 * --check writes nothing and ends with 1 where a file is stale, which costs a start time and changes no finding: a pattern
 * that is missing there is compiled when it is needed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { PATTERN_FILES, patternFileText } from './patterns/pattern-files.ts';

for (const file of PATTERN_FILES) {
  const url = new URL(`../${file.path}`, import.meta.url);
  const text = patternFileText(file);
  if (!process.argv.includes('--check')) writeFileSync(url, text);
  else if (readFileSync(url, 'utf8') !== text) {
    console.error(`${file.path} is stale: npm run patterns`);
    process.exitCode = 1;
  }
}
