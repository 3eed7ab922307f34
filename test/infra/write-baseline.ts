/**
 * npm run generate baseline: keeps what today's templates hold of state and addresses as the release that later ones are compared with.
 * Refuses where that would lose something of the last one; `-- --accept` where it is meant to.
 */
import { writeFileSync } from 'node:fs';
import { BASELINE_FILE, RELEASES, readBaseline } from './baseline.ts';
import { type KeptResources, keptResources, lossesBetween } from './kept-resources.ts';
import { synthesize } from './synthesize.ts';

const today = Object.entries(RELEASES).map(([name, settings]): [string, KeptResources] => {
  return [name, keptResources(synthesize(settings))];
});
const before = readBaseline();
const losses = today.flatMap(([name, kept]) => lossesBetween(before[name] ?? {}, kept));
if (losses.length > 0 && !process.argv.includes('--accept')) {
  console.error(
    [...losses, 'Not written. Where all of this is meant: npm run generate baseline -- --accept'].join('\n'),
  );
  process.exitCode = 1;
} else {
  writeFileSync(BASELINE_FILE, `${JSON.stringify(Object.fromEntries(today), null, 1)}\n`);
  console.log(
    `${today.map(([name, kept]) => `${name}: ${Object.values(kept).flatMap(Object.keys).length}`).join(', ')} resources kept`,
  );
}
