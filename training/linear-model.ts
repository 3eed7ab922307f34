import { bestWindow, windowSize } from '../functions/core/inspect/classify/best-window.ts';
import { BUCKETS } from '../functions/core/inspect/classify/features.ts';
import { TextFeatures } from './text-features.ts';

export interface Example {
  /** Folded. */
  readonly text: string;
  readonly attack: boolean;
  readonly weight: number;
}

/** As `npm run train` trains. */
export const TRAINING = { epochs: 5, rate: 0.8, decay: 1e-5 } as const satisfies TrainOptions;

export interface TrainOptions {
  readonly epochs: number;
  readonly rate: number;
  readonly decay: number;
}

const features = new TextFeatures();

/**
 * Logistic regression over a text's best window, by Adagrad: an attack has to show in one window, an ordinary text in none.
 * So each text teaches by the window that speaks loudest, which for ordinary text is its most suspicious one. The first
 * round takes short texts only, whose window is the whole, to find where to look in the others.
 */
export function train(examples: readonly Example[], { epochs, rate, decay }: TrainOptions) {
  const weights = new Float32Array(BUCKETS);
  const squares = new Float32Array(BUCKETS).fill(1e-4);
  const random = generator(1);
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
        const bucket = features.buckets[at] as number;
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

/** The same numbers on every machine (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffle(order: number[], random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as number, order[at] as number];
  }
}
