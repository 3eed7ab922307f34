import { agreedScore, bestWindow } from '../functions/core/inspect/classifiers/window-score.ts';
import { readWordClasses } from '../functions/detectors/classifier/index.ts';
import type { Sample } from './examples.ts';
import { type TrainOptions, train } from './linear-model.ts';
import { OWN_FAMILY } from './own-samples.ts';
import { TextFeatures } from './text-features.ts';
import { toExamples } from './weights.ts';

const FOLDS = 6;
/** An attack takes as long to judge as any text, but a family of attacks is worth more of a fold's room. */
const ATTACK_WEIGHT = 10;
/** The score of a text without a single token. */
const NOTHING = -20;

/** A sample with the score that a model gave it which had not seen its family. */
export interface Judged {
  readonly sample: Sample;
  readonly score: number;
  /** The tokens that spoke: from `first` up to `end`; none where the text is too short to be judged. */
  readonly window: { readonly first: number; readonly end: number } | undefined;
}

/** Judges every sample of the data by models trained without its family; our own sentences are in every training. */
export function judgeOutOfFold(samples: readonly Sample[], options: TrainOptions): Judged[] {
  const features = new TextFeatures(readWordClasses());
  return folds(samples).flatMap((held) => {
    const { weights, bias } = train(toExamples(samples.filter(({ family }) => !held.has(family))), options);
    return samples
      .filter(({ family }) => held.has(family))
      .map((sample) => {
        features.read(sample.text, weights);
        const window = bestWindow(features);
        const score = window === undefined ? NOTHING : agreedScore(sample.text, features, window);
        return { sample, score: score + bias, window };
      });
  });
}

/** Families in so many groups of about one size. */
function folds(samples: readonly Sample[]): Set<string>[] {
  const sizes = new Map<string, number>();
  for (const { family, attack } of samples) {
    if (family !== OWN_FAMILY) sizes.set(family, (sizes.get(family) ?? 0) + (attack ? ATTACK_WEIGHT : 1));
  }
  const groups = Array.from({ length: FOLDS }, () => ({ families: new Set<string>(), size: 0 }));
  for (const [family, size] of [...sizes].sort((a, b) => b[1] - a[1])) {
    const smallest = groups.reduce((least, group) => (group.size < least.size ? group : least));
    smallest.families.add(family);
    smallest.size += size;
  }
  return groups.map(({ families }) => families);
}
