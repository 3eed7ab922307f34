import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { BUCKETS } from '../functions/inspection/classification/features.ts';
import { readModel } from '../functions/inspection/classification/index.ts';
import { type ModelFile, packWeights } from '../functions/inspection/classification/linear-classifier.ts';
import { type Added, calibrate, judgeOutOfFold, report, type Shares } from './evaluate.ts';
import { quantised, type TrainOptions, toExamples, train } from './linear-model.ts';
import { documentSamples, harmSamples, ownSamples, sceneSamples } from './own-texts.ts';
import type { Row } from './read-sets.ts';
import { OWN_FAMILY, type Sample, toHarmSamples, toSamples } from './samples.ts';

const FOLDER = path.resolve(import.meta.dirname, '../functions/inspection/detectors/classifier');

/** A head of the classifier and its training. */
export interface Head {
  readonly name: 'injections' | 'harm';
  /** The model's file in functions/inspection/detectors/classifier. */
  readonly file: string;
  /** Selects its training texts from the rows of `train/` and our texts. */
  readonly samplesOf: (rows: readonly Row[]) => Sample[];
  readonly training: TrainOptions;
  /** Its limits for false alarms. */
  readonly shares: Shares;
  /** A model whose score is added. */
  readonly added?: AddedModel;
}

interface AddedModel {
  readonly file: string;
  readonly samples: () => Sample[];
  /** Part of its score that is added. */
  readonly part: number;
}

/** The head of injections, as `npm run generate models` trains it. */
export const TRAINING = {
  buckets: BUCKETS,
  runs: 3,
  epochs: 5,
  rate: 0.8,
  decay: 1e-4,
} as const satisfies TrainOptions;

/** Limits at which about 5 % of whole ordinary requests of unseen authors are flagged: these have several texts each, and more talk. */
export const FLAGGED_INJECTIONS: Shares = {
  flagged: { ordinary: 0.0035, talk: 1, otherLanguages: 1, hard: 0.021 },
  blocked: { ordinary: 0.00012, talk: 1, otherLanguages: 1, hard: 0.001 },
};

/**
 * The added model of injections. It trains on our texts alone: scenes of ordinary traffic and honest documents, beside which the published sets have few harmless
 * texts in the words of attacks. As a separate model with separate windows it costs less recall of published attacks than if one model
 * trained on both (bench/notes/detection.md).
 */
const TRAFFIC: AddedModel = {
  file: 'traffic.generated.json',
  samples: () => [...ownSamples(), ...sceneSamples(), ...documentSamples()],
  part: 0.4,
};

/** False-alarm limits of the head of harmful requests, in addition to those of injections; it scores texts that people write. */
const FLAGGED_HARM: Shares = {
  flagged: { ordinary: 0.003, talk: 0.002, otherLanguages: 0.002, hard: 0.015 },
  blocked: { ordinary: 0.0002, talk: 0.0002, otherLanguages: 0.0002, hard: 0.002 },
};

export const HEADS: readonly Head[] = [
  {
    name: 'injections',
    file: 'model.generated.json',
    samplesOf: (rows) => [...toSamples(rows), ...ownSamples()],
    training: TRAINING,
    shares: FLAGGED_INJECTIONS,
    added: TRAFFIC,
  },
  {
    name: 'harm',
    file: 'harm.generated.json',
    samplesOf: (rows) => [...toHarmSamples(rows), ...harmSamples()],
    training: { buckets: BUCKETS / 2, runs: 2, epochs: 4, rate: 0.8, decay: 1e-5 },
    shares: FLAGGED_HARM,
  },
];

/** Scores a head out of family, prints its report, and trains it on all data; writes the model unless `dry`. */
export function trainHead(
  { name, file, samplesOf, training, shares, added }: Head,
  rows: readonly Row[],
  dry: boolean,
): void {
  const more = added && trainAdded(added, training, dry);
  const samples = samplesOf(rows);
  console.log(`${name}: ${samples.length} texts, ${samples.filter(({ attack }) => attack).length} of them to be found`);
  const judged = judgeOutOfFold(samples, training, more);
  const calibration = calibrate(judged, shares);
  console.log(report(judged, calibration));
  write(file, { ...trained(samples, training), ...calibration.line }, dry);
}

function trainAdded({ file, samples, part }: AddedModel, training: TrainOptions, dry: boolean): Added {
  const model = trained(samples(), training);
  const scaled = { ...model, scale: model.scale * part, bias: model.bias * part };
  write(file, scaled, dry);
  return toAdded(scaled);
}

/** An added model as a file has it, for scoring out of fold. */
export function toAdded(file: Pick<ModelFile, 'weights' | 'buckets' | 'scale' | 'bias'>): Added {
  const { weights, scale, bias } = readModel({ sets: [], ...file });
  return { weights: Float32Array.from(weights, (weight) => weight * scale), bias };
}

function trained(samples: readonly Sample[], training: TrainOptions): ModelFile {
  const { weights, bias } = train(toExamples(samples), training);
  const { packed, scale } = quantised(weights);
  const sets = [...new Set(samples.filter(({ family }) => family !== OWN_FAMILY).map(({ set }) => set))].sort();
  return { buckets: training.buckets, scale, bias, sets, weights: packWeights(packed) };
}

function write(file: string, model: ModelFile, dry: boolean): void {
  if (dry) {
    console.log(`${file} not written`);
    return;
  }
  writeFileSync(path.join(FOLDER, file), `${JSON.stringify(model, null, 1)}\n`);
  console.log(`${file} written, ${Math.round(model.weights.length / 1024)} KB`);
}
