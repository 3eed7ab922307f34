import { generator } from '../../training/generator.ts';

/** From this score on the default policy flags, and from that one on it blocks. */
export const FLAG_FROM = 0.5;
export const BLOCK_FROM = 0.85;

/** What every section measures: a text's score. */
export interface WithScore {
  readonly score: number;
}

/** The part of the texts that reach a score, 0..1. */
export function part(scored: readonly WithScore[], from: number): number {
  return scored.filter(({ score }) => score >= from).length / scored.length;
}

/** The same with its 95 % interval, to print. */
export function share(scored: readonly WithScore[], from: number): string {
  return withInterval(part(scored, from), scored.length);
}

/** The part of the texts that the default policy flags or blocks, with its interval, to print. */
export function flaggedShare(judged: readonly { readonly isFlagged: boolean }[]): string {
  return withInterval(judged.filter(({ isFlagged }) => isFlagged).length / judged.length, judged.length);
}

/** The part of the texts that the default policy blocks, with its interval, to print. */
export function blockedShare(judged: readonly { readonly isBlocked: boolean }[]): string {
  return withInterval(judged.filter(({ isBlocked }) => isBlocked).length / judged.length, judged.length);
}

/** A rate measured on `count` texts with its 95 % interval (Wilson), to print. */
export function withInterval(rate: number, count: number): string {
  if (count === 0) return '';
  const z = 1.96;
  const middle = (rate + (z * z) / (2 * count)) / (1 + (z * z) / count);
  const half = (z / (1 + (z * z) / count)) * Math.sqrt((rate * (1 - rate)) / count + (z * z) / (4 * count * count));
  return `${percent(rate)} (${percent(Math.max(0, middle - half))} to ${percent(Math.min(1, middle + half))})`;
}

/** The score that so large a part of the texts exceeds. */
export function exceededBy(scored: readonly WithScore[], rate: number): number {
  const scores = scored.map(({ score }) => score).sort((a, b) => b - a);
  return scores[Math.floor(scores.length * rate)] ?? 0;
}

/** The part of the texts above a score. */
export function partAbove(scored: readonly WithScore[], limit: number): number {
  return scored.filter(({ score }) => score > limit).length / scored.length;
}

const RESAMPLES = 1000;

/**
 * The mean of the groups' parts for which `hit` holds, with its 95 % interval. Bootstrap over the groups and the texts of each,
 * seeded: a new family is what the figure is to predict.
 */
export function macro<T>(groups: Iterable<readonly T[]>, hit: (one: T) => boolean): string {
  const rates = [...groups].map((group) => ({ size: group.length, rate: group.filter(hit).length / group.length }));
  const random = generator(11);
  const drawn = () => rates[Math.floor(random() * rates.length)] as (typeof rates)[number];
  const means = Array.from({ length: RESAMPLES }, () => mean(rates.map(() => resampled(drawn(), random))));
  const [low, high] = [quantile(means, 0.025), quantile(means, 0.975)];
  return `${percent(mean(rates.map(({ rate }) => rate)))} (${percent(low)} to ${percent(high)})`;
}

function resampled({ size, rate }: { size: number; rate: number }, random: () => number): number {
  let hits = 0;
  for (let drawn = 0; drawn < size; drawn++) if (random() < rate) hits += 1;
  return hits / size;
}

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

export function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}

/** The value below which the part `at` (0..1) of the numbers lies. */
export function quantile(numbers: readonly number[], at: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0;
}

/** A Markdown table. */
export function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
