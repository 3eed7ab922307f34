import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const BENCH = path.resolve(import.meta.dirname, '..');
const RESULTS = path.join(BENCH, 'results.md');
/** Benches with a separate command and file, in the order in which bench/results.md ends with them. */
const SECTIONS = [
  { file: 'cold-start.md', title: 'Cold starts' },
  { file: 'growth.md', title: 'Growth' },
  { file: 'webhooks.md', title: 'Webhooks' },
];

/** Results with the newest output of the other benches as their last sections, instead of older ones. */
export function withSections(results: string): string {
  const starts = SECTIONS.map(({ title }) => results.indexOf(`\n## ${title}\n`)).filter((at) => at >= 0);
  const own = starts.length === 0 ? results : results.slice(0, Math.min(...starts));
  const written = SECTIONS.filter(({ file }) => existsSync(path.join(BENCH, file)));
  return `${[own.trimEnd(), ...written.map(sectionOf)].join('\n\n')}\n`;
}

/** Puts those sections into bench/results.md. */
export function updateSections(): void {
  writeFileSync(RESULTS, withSections(readFileSync(RESULTS, 'utf8')));
}

function sectionOf({ file }: { readonly file: string }): string {
  const text = readFileSync(path.join(BENCH, file), 'utf8').replace(/^<!--.*-->\s*/, '');
  // Its headings are one level lower there.
  return text.replace(/^#/gm, '##').trimEnd();
}
