import { type Calibration, isHard, kindOf } from './calibrate.ts';
import type { Judged } from './folds.ts';

/** What the judgements out of fold come to: recall by family, false alarms, and how well scores tell apart. */
export function report(judged: readonly Judged[], { flagFrom, blockFrom }: Calibration): string {
  const attacks = judged.filter(({ sample }) => sample.attack);
  const harmless = judged.filter(({ sample }) => !sample.attack);
  const families = [...new Set(attacks.map(({ sample }) => sample.family))].sort();
  const rows = families.map((family) => {
    const own = attacks.filter(({ sample }) => sample.family === family);
    return { family, count: own.length, flagged: share(own, flagFrom), blocked: share(own, blockFrom) };
  });
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const ordinary = harmless.filter((one) => !isHard(one));
  return [
    'family                   texts  flagged  blocked   (judged by a model that never saw the family)',
    ...rows.map(({ family, count, flagged, blocked }) => line(family, count, flagged, blocked)),
    line(
      'mean of families',
      attacks.length,
      mean(rows.map((row) => row.flagged)),
      mean(rows.map((row) => row.blocked)),
    ),
    ...(['talk', 'documents', 'hard'] as const).map((kind) => {
      const own = harmless.filter((one) => kindOf(one) === kind);
      return line(`${kind}, false alarms`, own.length, share(own, flagFrom), share(own, blockFrom));
    }),
    `area under the curve: ${auc(attacks, ordinary).toFixed(3)} against ordinary text, ${auc(attacks, harmless).toFixed(3)} against all`,
  ].join('\n');
}

function line(name: string, count: number, flagged: number, blocked: number): string {
  return `${name.padEnd(23)}${String(count).padStart(7)}${percent(flagged)}${percent(blocked)}`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(2)} %`.padStart(9);
}

function share(judged: readonly Judged[], from: number): number {
  return judged.filter(({ score }) => score >= from).length / judged.length;
}

/** The probability that an attack scores higher than another text, equal scores counted half (Mann and Whitney). */
export function auc(attacks: readonly { score: number }[], others: readonly { score: number }[]): number {
  const all = [
    ...attacks.map(({ score }) => ({ score, attack: true })),
    ...others.map(({ score }) => ({ score, attack: false })),
  ].sort((a, b) => a.score - b.score);
  let ranks = 0;
  for (let from = 0, to = 0; from < all.length; from = to) {
    let equalAttacks = 0;
    for (; to < all.length && all[to]?.score === all[from]?.score; to++) equalAttacks += all[to]?.attack ? 1 : 0;
    ranks += equalAttacks * ((from + 1 + to) / 2);
  }
  return (ranks - (attacks.length * (attacks.length + 1)) / 2) / (attacks.length * others.length);
}
