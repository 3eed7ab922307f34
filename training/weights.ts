import type { Sample } from './examples.ts';
import type { Example } from './linear-model.ts';
import { OWN_FAMILY } from './own-samples.ts';

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
