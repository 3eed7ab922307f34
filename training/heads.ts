import { BUCKETS } from '../functions/core/inspect/classifiers/features.ts';
import { FLAGGED_INJECTIONS, type Shares } from './calibrate.ts';
import { type Sample, toSamples } from './examples.ts';
import { FLAGGED_HARM, toHarmRows } from './harm/harm-rows.ts';
import { harmSamples } from './harm/harm-samples.ts';
import { TRAINING, type TrainOptions } from './linear-model.ts';
import { ownSamples } from './own-samples.ts';
import type { Row } from './read-sets.ts';

/** One of the things that the classifier looks for, and how it learns that. */
export interface Head {
  readonly name: 'injections' | 'harm';
  /** In functions/detectors/classifier. */
  readonly file: string;
  /** What teaches it of the rows of `train/`, with texts of our own. */
  readonly samplesOf: (rows: readonly Row[]) => Sample[];
  readonly training: TrainOptions;
  /** What false alarms it may cost. */
  readonly shares: Shares;
}

export const HEADS: readonly Head[] = [
  {
    name: 'injections',
    file: 'model.generated.json',
    samplesOf: (rows) => [...toSamples(rows), ...ownSamples()],
    training: TRAINING,
    shares: FLAGGED_INJECTIONS,
  },
  {
    name: 'harm',
    file: 'harm.generated.json',
    samplesOf: (rows) => [...toHarmRows(rows), ...harmSamples()],
    training: { buckets: BUCKETS / 2, runs: 2, epochs: 4, rate: 0.8, decay: 1e-5 },
    shares: FLAGGED_HARM,
  },
];
