import { generator } from '../../training/generator.ts';
import { median, quantile } from '../lib/statistics.ts';

const RESAMPLES = 2000;

export interface Interval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The median with its 95 % interval (seeded bootstrap). */
export function medianInterval(numbers: readonly number[]): Interval {
  const random = generator(7);
  const resample = () => numbers.map(() => numbers[Math.floor(random() * numbers.length)] as number);
  const medians = Array.from({ length: RESAMPLES }, () => median(resample()));
  return { median: median(numbers), low: quantile(medians, 0.025), high: quantile(medians, 0.975) };
}
