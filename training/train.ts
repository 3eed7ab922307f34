/**
 * Trains the classifier: npm run train -- --data DIR [--exclude SET,SET] [--dry]
 *
 * DIR holds `train/` and `families.json` as described in docs/detection.md. Each family of sets is first judged by a model
 * that never saw it; thresholds come from those judgements. The model that is kept has seen all. Without --dry it is
 * written to functions/detectors/classifier/model.generated.json. The same data gives the same model on every machine.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packWeights } from '../functions/core/inspect/classify/model-file.ts';
import { calibrate, quantised } from './calibrate.ts';
import { toSamples } from './examples.ts';
import { judgeOutOfFold } from './folds.ts';
import { TRAINING, train } from './linear-model.ts';
import { OWN_FAMILY, ownSamples } from './own-samples.ts';
import { Families, readSets } from './read-sets.ts';
import { report } from './report.ts';
import { toExamples } from './weights.ts';

const MODEL = path.resolve(import.meta.dirname, '../functions/detectors/classifier/model.generated.json');

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    exclude: { type: 'string', default: '' },
    dry: { type: 'boolean', default: false },
  },
});
if (values.data === undefined) {
  console.error('usage: npm run train -- --data DIR [--exclude SET,SET] [--dry]');
  process.exit(2);
}

const families = new Families(path.join(values.data, 'families.json'));
const exclude = new Set(values.exclude.split(',').filter((set) => set !== ''));
const rows = readSets(path.join(values.data, 'train'), families, exclude);
const samples = [...toSamples(rows), ...ownSamples()];
console.log(`${samples.length} texts, ${samples.filter(({ attack }) => attack).length} of them attacks`);

const judged = judgeOutOfFold(samples, TRAINING);
const calibration = calibrate(judged);
console.log(report(judged, calibration));

const { weights, bias } = train(toExamples(samples), TRAINING);
const { packed, scale } = quantised(weights);
const sets = [...new Set(samples.filter(({ family }) => family !== OWN_FAMILY).map(({ set }) => set))].sort();
const model = { scale, bias, ...calibration.line, sets, weights: packWeights(packed) };
if (values.dry) console.log('not written');
else {
  writeFileSync(MODEL, `${JSON.stringify(model, null, 1)}\n`);
  console.log(`${path.relative(process.cwd(), MODEL)} written, ${Math.round(model.weights.length / 1024)} KB`);
}
