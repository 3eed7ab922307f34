/**
 * Trains the classifier: npm run generate classifier -- --data DIR [--only injections|harm] [--exclude SET,SET] [--dry]
 *
 * DIR holds `train/` and `families.json` as described in docs/detection.md. Each family of sets is first judged by a model
 * that never saw it; thresholds come from those judgements. The model that is kept has seen all. Without --dry it is
 * written to functions/detectors/classifier/*.generated.json. The same data gives the same models on every machine.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packWeights } from '../functions/core/inspect/classifiers/linear-classifier.ts';
import { calibrate, quantised } from './calibrate.ts';
import { judgeOutOfFold } from './folds.ts';
import { HEADS, type Head } from './heads.ts';
import { train } from './linear-model.ts';
import { OWN_FAMILY } from './own-samples.ts';
import { Families, readSets } from './read-sets.ts';
import { report } from './report.ts';
import { toExamples } from './weights.ts';

const FOLDER = path.resolve(import.meta.dirname, '../functions/detectors/classifier');

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string' },
    exclude: { type: 'string', default: '' },
    dry: { type: 'boolean', default: false },
  },
});
const heads = HEADS.filter(({ name }) => values.only === undefined || name === values.only);
if (values.data === undefined || heads.length === 0) {
  console.error(
    'usage: npm run generate classifier -- --data DIR [--only injections|harm] [--exclude SET,SET] [--dry]',
  );
  process.exit(2);
}

const families = new Families(path.join(values.data, 'families.json'));
const exclude = new Set(values.exclude.split(',').filter((set) => set !== ''));
const rows = readSets(path.join(values.data, 'train'), families, exclude);
for (const head of heads) trainHead(head);

function trainHead({ name, file, samplesOf, training, shares }: Head): void {
  const samples = samplesOf(rows);
  console.log(`${name}: ${samples.length} texts, ${samples.filter(({ attack }) => attack).length} of them to be found`);
  const judged = judgeOutOfFold(samples, training);
  const calibration = calibrate(judged, shares);
  console.log(report(judged, calibration));
  const { weights, bias } = train(toExamples(samples), training);
  const { packed, scale } = quantised(weights);
  const sets = [...new Set(samples.filter(({ family }) => family !== OWN_FAMILY).map(({ set }) => set))].sort();
  const model = { buckets: training.buckets, scale, bias, ...calibration.line, sets, weights: packWeights(packed) };
  if (values.dry) console.log('not written');
  else {
    writeFileSync(path.join(FOLDER, file), `${JSON.stringify(model, null, 1)}\n`);
    console.log(`${file} written, ${Math.round(model.weights.length / 1024)} KB`);
  }
}
