import { BUCKETS } from '../functions/core/inspect/classifiers/features.ts';
import { bestWindow, windowSize } from '../functions/core/inspect/classifiers/window-score.ts';
import { readWordClasses } from '../functions/detectors/classifier/index.ts';
import { generator } from './generator.ts';
import { Lessons } from './lessons.ts';

export interface Example {
  /** Folded. */
  readonly text: string;
  readonly attack: boolean;
  readonly weight: number;
}

/** As `npm run generate classifier` trains. */
export const TRAINING = {
  buckets: BUCKETS,
  runs: 3,
  epochs: 5,
  rate: 0.8,
  decay: 1e-4,
} as const satisfies TrainOptions;

export interface TrainOptions {
  /** BUCKETS, or a power of two below it: a smaller model. */
  readonly buckets: number;
  /** Models trained in other orders; what is kept is their mean. */
  readonly runs: number;
  readonly epochs: number;
  readonly rate: number;
  readonly decay: number;
}

let lessons: Lessons | undefined;

/** The mean of several models, which wavers less with the order of the examples than each does. */
export function train(examples: readonly Example[], options: TrainOptions) {
  const weights = new Float32Array(options.buckets);
  let bias = 0;
  for (let run = 1; run <= options.runs; run += 1) {
    const one = trainOnce(examples, options, run);
    bias += one.bias / options.runs;
    for (let at = 0; at < options.buckets; at++)
      weights[at] = (weights[at] as number) + (one.weights[at] as number) / options.runs;
  }
  return { weights, bias };
}

/**
 * Logistic regression over a text's best window, by Adagrad: an attack has to show in one window, an ordinary text in none.
 * So each text teaches by the window that speaks loudest, which for ordinary text is its most suspicious one. The first
 * round takes short texts only, whose window is the whole, to find where to look in the others.
 */
function trainOnce(examples: readonly Example[], { buckets, epochs, rate, decay }: TrainOptions, seed: number) {
  lessons ??= new Lessons(readWordClasses());
  const features = lessons;
  const weights = new Float32Array(buckets);
  const squares = new Float32Array(buckets).fill(1e-4);
  const random = generator(seed);
  const order = examples.map((_, index) => index);
  let bias = -1;
  let biasSquares = 1e-4;
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(order, random);
    for (const index of order) {
      const { text, attack, weight } = examples[index] as Example;
      if (epoch === 0 && text.length > 600) continue;
      features.read(text, weights);
      const window = bestWindow(features);
      if (!window) continue;
      const { score, first, end } = window;
      const predicted = 1 / (1 + Math.exp(-(score + bias)));
      const slope = weight * (predicted - (attack ? 1 : 0));
      if (Math.abs(slope) < 1e-4) continue;
      const from = features.features[first] as number;
      const to = features.features[end] as number;
      const step = slope / windowSize(to - from);
      for (let at = from; at < to; at++) {
        const bucket = (features.buckets[at] as number) & (buckets - 1);
        const gradient = step + decay * (weights[bucket] as number);
        squares[bucket] = (squares[bucket] as number) + gradient * gradient;
        weights[bucket] = (weights[bucket] as number) - (rate * gradient) / Math.sqrt(squares[bucket] as number);
      }
      biasSquares += slope * slope;
      bias -= (rate * 0.1 * slope) / Math.sqrt(biasSquares);
    }
  }
  return { weights, bias };
}

function shuffle(order: number[], random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as number, order[at] as number];
  }
}
