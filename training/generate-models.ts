/**
 * Trains the classifier: npm run generate models -- --data DIR [--word-classes] [--only injections|harm] [--exclude SET,SET] [--dry]
 *
 * DIR contains `train/` and `families.json` (training/README.md). First, a model that never saw a family scores it; thresholds
 * come from these scores. The final model is trained on all families. Without --dry it is written to
 * functions/inspection/detectors/classifier/*.generated.json. The same data gives the same models on every machine.
 * --word-classes first rebuilds the word classes from the vectors and the current grammars.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Families, readSets } from './read-sets.ts';
import { writeWordClasses } from './word-classes.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    'word-classes': { type: 'boolean', default: false },
    only: { type: 'string' },
    exclude: { type: 'string', default: '' },
    dry: { type: 'boolean', default: false },
  },
});
const { data, only, exclude, dry } = values;
const isHead = only === undefined || only === 'injections' || only === 'harm';
// Both heads read the word classes, so new classes need both heads to be trained and written.
const regroups = values['word-classes'];
if (data === undefined || !isHead || (regroups && (dry || only !== undefined))) {
  console.error(
    'usage: npm run generate models -- --data DIR [--word-classes] [--only injections|harm] [--exclude SET,SET] [--dry]\n' +
      '--word-classes trains both heads and writes them: not with --only or --dry',
  );
  process.exit(2);
}

const families = new Families(path.join(data, 'families.json'));
const rows = readSets(path.join(data, 'train'), families, new Set(exclude.split(',').filter((set) => set !== '')));
if (regroups) writeWordClasses();
// Imported here because the heads load the word classes with their module.
const { HEADS, trainHead } = await import('./heads.ts');
for (const head of HEADS) if (only === undefined || head.name === only) trainHead(head, rows, dry);
