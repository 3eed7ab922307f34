/**
 * Writes functions/gateway/openapi.generated.json, which GET /openapi.json serves, and rows of docs/api.md for routes that are
 * documented like another one; with --check writes nothing and ends with 1 where a file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { openapiText, withFurtherRows } from './openapi/document.ts';

const page = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8');
const files: Readonly<Record<string, string>> = {
  'functions/gateway/openapi.generated.json': openapiText(),
  'docs/api.md': withFurtherRows(page),
};

for (const [path, text] of Object.entries(files)) {
  const file = new URL(`../${path}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${path} is stale: npm run generate openapi`);
    process.exitCode = 1;
  }
}
