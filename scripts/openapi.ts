/**
 * Writes functions/gateway/openapi.generated.json, which GET /openapi.json serves; with --check writes nothing and ends
 * with 1 where the file is not what the schemas give.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { openapiText } from './openapi/document.ts';

const file = new URL('../functions/gateway/openapi.generated.json', import.meta.url);
const text = openapiText();

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('functions/gateway/openapi.generated.json is stale: npm run generate openapi');
  process.exitCode = 1;
}
