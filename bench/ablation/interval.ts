import { generator } from '../../training/generator.ts';
import { median, quantile } from '../lib/statistics.ts';

const RESAMPLES = 500;

/** A ratio with its 95 % interval. */
export interface Interval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The median with its interval: seeded bootstrap. */
export function medianInterval(numbers: readonly number[]): Interval {
  return bootstrap(numbers, median);
}

/** What an engine and the whole one took in a round, for each chunk of texts. */
export interface Round {
  readonly cpu: readonly number[];
  readonly whole: readonly number[];
}

/** CPU for CPU of the whole engine, of the median round of each chunk: an interruption slows one chunk of one round. */
export function ratioInterval(rounds: readonly Round[]): Interval {
  const total = (some: readonly Round[], of: keyof Round) =>
    (some[0] as Round)[of].reduce((sum, _, chunk) => sum + median(some.map((round) => round[of][chunk] as number)), 0);
  return bootstrap(rounds, (some) => total(some, 'cpu') / total(some, 'whole'));
}

function bootstrap<T>(items: readonly T[], estimate: (some: readonly T[]) => number): Interval {
  const random = generator(7);
  const resample = () => items.map(() => items[Math.floor(random() * items.length)] as T);
  const estimates = Array.from({ length: RESAMPLES }, () => estimate(resample()));
  return { median: estimate(items), low: quantile(estimates, 0.025), high: quantile(estimates, 0.975) };
}
