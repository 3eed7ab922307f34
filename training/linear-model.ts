import { bestWindow, windowSize } from '../functions/core/inspect/classifiers/window-score.ts';
import { readWordClasses } from '../functions/detectors/classifier/classifier.ts';
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

/** A family or grammar of more texts than this counts no more. */
const LARGE = 4_500;

/**
 * Samples with what each counts for: a family, and each grammar of our own, counts by the root of its size, so that a large
 * one does not drown the others, and attacks count together as much as all other text. A grammar whose texts have a worth of
 * their own counts by that, each of its languages apart.
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
/** In Korean there is hardly any other ordinary text: its everyday sentences would drown, and it be known by its attacks. */
const EVERYDAY_APART: readonly string[] = ['en', 'ko'];

/** The grammar that a set of our own comes from, with all its languages but those that count apart. */
function grammarOf(set: string, apart: readonly string[]): string {
  const [grammar = '', ...lang] = set.split('-');
  return apart.includes(lang.join('-')) ? set : grammar;
}
