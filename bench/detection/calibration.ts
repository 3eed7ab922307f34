import { percent, table } from './figures.ts';
import type { Scored } from './judge.ts';
import { outOfFold } from './out-of-fold.ts';
import type { Section } from './section.ts';

const BINS = 10;
/** How often texts are attacks: the share of attacks that a score is read for. */
const BASE_RATES = [0.5, 0.1, 0.01];

interface Bin {
  readonly from: number;
  readonly attacks: number;
  readonly harmless: number;
  readonly meanScore: number;
  /** The part of all attacks, each family weighing the same, and of all ordinary texts, whose score lies in it. */
  readonly ofAttacks: number;
  readonly ofOrdinary: number;
}

/** What a score means: of the texts that get it, how many are attacks, for different base rates. */
export const CALIBRATION: Section = {
  name: 'calibration',
  write: (context) => {
    const bins = binsOf(outOfFold(context));
    const rows = bins.map((bin) => [
      `${bin.from.toFixed(1)} to ${(bin.from + 1 / BINS).toFixed(1)}`,
      bin.attacks,
      bin.harmless,
      bin.meanScore.toFixed(2),
      ...BASE_RATES.map((rate) => percent(attackPart(bin, rate))),
    ]);
    return `## What a score means

The texts of \`train/\` out of fold: of those with a threat score in a range, the part that are attacks if so many of all texts are. Every
family of attacks weighs the same; harmless are ordinary texts. The expected calibration error is the mean distance between a score and
the part of attacks, over all texts: ${BASE_RATES.map((rate) => `${calibrationError(bins, rate).toFixed(3)} if ${percent(rate)} are attacks`).join(', ')}.

${table(['Score', 'Attacks', 'Harmless', 'Mean score', ...BASE_RATES.map((rate) => `Attacks, if ${percent(rate)} are`)], rows)}`;
  },
};

function binsOf(scored: readonly Scored[]): Bin[] {
  const attacks = scored.filter(({ label }) => label === 'attack');
  const ordinary = scored.filter(({ label, hard }) => label === 'benign' && !hard);
  const families = Map.groupBy(attacks, ({ family }) => family);
  return Array.from({ length: BINS }, (_, at) => {
    const from = at / BINS;
    const isIn = ({ score }: Scored) => Math.min(Math.floor(score * BINS), BINS - 1) === at;
    const [own, harmless] = [attacks.filter(isIn), ordinary.filter(isIn)];
    const all = [...own, ...harmless];
    const parts = [...families.values()].map((family) => family.filter(isIn).length / family.length);
    return {
      from,
      attacks: own.length,
      harmless: harmless.length,
      meanScore: all.reduce((sum, { score }) => sum + score, 0) / Math.max(1, all.length),
      ofAttacks: parts.reduce((sum, part) => sum + part, 0) / parts.length,
      ofOrdinary: harmless.length / ordinary.length,
    };
  });
}

function attackPart({ ofAttacks, ofOrdinary }: Bin, baseRate: number): number {
  const [attacks, ordinary] = [baseRate * ofAttacks, (1 - baseRate) * ofOrdinary];
  return attacks + ordinary === 0 ? 0 : attacks / (attacks + ordinary);
}

function calibrationError(bins: readonly Bin[], baseRate: number): number {
  return bins.reduce((sum, bin) => {
    const weight = baseRate * bin.ofAttacks + (1 - baseRate) * bin.ofOrdinary;
    return sum + weight * Math.abs(bin.meanScore - attackPart(bin, baseRate));
  }, 0);
}
