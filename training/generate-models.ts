/**
 * Trains the classifier: npm run generate models -- --data DIR [--word-classes] [--only injections|harm] [--exclude SET,SET] [--dry]
 *
 * DIR holds `train/` and `families.json` as training/README.md describes them. Each family of sets is first judged by a model
 * that never saw it; thresholds come from those judgements. The model that is kept has seen all. Without --dry it is
 * written to functions/detectors/classifier/*.generated.json. The same data gives the same models on every machine.
 * With --word-classes the classes of words are made anew first, from the vectors and the present grammars.
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
// Both heads read the word classes, so new ones are no use to one head alone, or without being written.
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
// The heads load the word classes with their module: only now are these the new ones.
const { HEADS, trainHead } = await import('./heads.ts');
for (const head of HEADS) if (only === undefined || head.name === only) trainHead(head, rows, dry);
