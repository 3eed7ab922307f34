/**
 * Adds providers of OpenAI's protocol to the pages that list them, behind the last one there; with --check writes nothing and
 * ends with 1 where one is missing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { COMPATIBLE_PROVIDERS } from '../functions/providers/index.ts';

/** Each page has it in its first list of these providers. */
const LISTED_BEFORE = '`openrouter`';

for (const path of ['docs/settings.md', 'docs/providers.md']) {
  const file = new URL(`../${path}`, import.meta.url);
  const page = readFileSync(file, 'utf8');
  const missing = COMPATIBLE_PROVIDERS.map(({ name }) => `\`${name}\``).filter((name) => !page.includes(name));
  if (missing.length === 0) continue;
  if (process.argv.includes('--check')) {
    console.error(`${path} lacks ${missing.join(', ')}: npm run generate providers`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, page.replace(LISTED_BEFORE, [LISTED_BEFORE, ...missing].join(', ')));
  }
}
