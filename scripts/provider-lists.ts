/**
 * Adds new providers of OpenAI's protocol to the list in docs/providers.md: npm run generate providers. With --check it writes
 * nothing and exits with 1 if one is missing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { COMPATIBLE_PROVIDERS } from '../functions/translation/providers/provider-list.ts';

const PAGE = 'docs/providers.md';
/** New providers follow its first occurrence. */
const LISTED_BEFORE = '`openrouter`';

const file = new URL(`../${PAGE}`, import.meta.url);
const page = readFileSync(file, 'utf8');
const missing = COMPATIBLE_PROVIDERS.map(({ name }) => `\`${name}\``).filter((name) => !page.includes(name));
if (missing.length > 0 && process.argv.includes('--check')) {
  console.error(`${PAGE} lacks ${missing.join(', ')}: npm run generate providers`);
  process.exitCode = 1;
} else if (missing.length > 0) {
  writeFileSync(file, page.replace(LISTED_BEFORE, [LISTED_BEFORE, ...missing].join(', ')));
}
