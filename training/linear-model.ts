import { bestWindow, windowSize } from '../functions/inspection/classification/window-score.ts';
import { readWordClasses } from '../functions/inspection/detectors/classifier/classifier.ts';
import { generator } from './generator.ts';
import { OWN_FAMILY, type Sample } from './samples.ts';
import { Lessons } from './text-features.ts';

export interface Example {
  /** Folded. */
  readonly text: string;
  readonly attack: boolean;
  readonly weight: number;
}

export interface TrainOptions {
  /** BUCKETS, or a smaller power of two for a smaller model. */
  readonly buckets: number;
  /** Number of models trained in different orders; the result is their mean. */
  readonly runs: number;
  readonly epochs: number;
  readonly rate: number;
  readonly decay: number;
}

let lessons: Lessons | undefined;

/** The mean of several models, which depends less on the order of the examples. */
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
 * Logistic regression over a text's window with the highest score, by Adagrad: an attack must show in one window, an ordinary
 * text in none. The first round uses only texts that fit one window, so that the model can select windows of longer texts.
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

/** A family or grammar with more texts than this has no more weight. */
const LARGE = 4_500;

/**
 * Returns samples with weights. Each family and each of our grammars has the weight of its size's square root, so that a large
 * one does not dominate. Attacks weigh as much in total as all other text. Texts with `worth` are multiplied by it, and their
 * languages are weighted separately.
 */
export function toExamples(samples: readonly Sample[]): Example[] {
  const own = ({ set, worth, attack }: Sample) =>
    worth === undefined ? grammarOf(set, attack ? ENGLISH : EVERYDAY_APART) : set;
  const kind = (sample: Sample) => `${sample.family === OWN_FAMILY ? own(sample) : sample.family} ${sample.attack}`;
  const sizes = new Map<string, number>();
  for (const sample of samples) sizes.set(kind(sample), (sizes.get(kind(sample)) ?? 0) + 1);
  const raw = samples.map((sample) => {
    const size = sizes.get(kind(sample)) as number;
    return ((sample.worth ?? 1) * Math.sqrt(Math.min(size, LARGE))) / size;
  });
  const total = (attack: boolean) =>
    samples.reduce((sum, sample, at) => (sample.attack === attack ? sum + (raw[at] as number) : sum), 0);
  const totals = { attack: total(true), other: total(false) };
  return samples.map(({ lesson, attack }, at) => ({
    text: lesson,
    attack,
    weight: ((raw[at] as number) / (attack ? totals.attack : totals.other)) * (samples.length / 2),
  }));
}

const ENGLISH: readonly string[] = ['en'];
/** Languages with a separate weight. Korean has hardly any other ordinary text, so the model would learn it as a sign of attacks. */
const EVERYDAY_APART: readonly string[] = ['en', 'ko'];

/** The grammar of one of our sets, with all its languages except those with a separate weight. */
function grammarOf(set: string, apart: readonly string[]): string {
  const [grammar = '', ...lang] = set.split('-');
  return apart.includes(lang.join('-')) ? set : grammar;
}

/** Weights as signed bytes, the largest few clipped, and their scale. */
export function quantised(weights: Float32Array): { packed: Int8Array; scale: number } {
  const sizes = weights
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort();
  const largest = sizes[Math.floor(sizes.length * 0.9995)] ?? 1;
  const scale = largest / 127;
  return {
    packed: Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / scale)))),
    scale,
  };
}
