import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const BENCH = path.resolve(import.meta.dirname, '..');
const WEBHOOKS = path.join(BENCH, 'webhooks.md');
const RESULTS = path.join(BENCH, 'results.md');
const HEADING = '## Webhooks';

/** Results with what `npm run bench:webhooks` wrote last as their last section, in the place of an older one. */
export function withWebhooks(results: string): string {
  const at = results.indexOf(`\n${HEADING}\n`);
  const others = (at < 0 ? results : results.slice(0, at)).trimEnd();
  if (!existsSync(WEBHOOKS)) return `${others}\n`;
  const section = readFileSync(WEBHOOKS, 'utf8')
    .replace(/^<!--.*-->\s*/, '')
    .replace(/^# Webhooks/, HEADING);
  return `${others}\n\n${section.trimEnd()}\n`;
}

/** Puts that section into bench/results.md. */
export function updateWebhooks(): void {
  writeFileSync(RESULTS, withWebhooks(readFileSync(RESULTS, 'utf8')));
}
