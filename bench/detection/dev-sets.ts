import path from 'node:path';
import { auc } from '../../training/evaluate.ts';
import { readSets } from '../../training/read-sets.ts';
import { blockedShare, exceededBy, flaggedShare, macro, partAbove, quantile, table, withInterval } from './figures.ts';
import { judge, type Scored } from './judge.ts';
import type { Section } from './section.ts';

/** Every set of `dev/`, with the engine as deployed. */
export const DEV_SETS: Section = {
  name: 'dev',
  write: ({ data, families, inspector }) => {
    const scored = readSets(path.join(data, 'dev'), families).map((row) => judge(row, inspector));
    return `## Sets of \`dev/\`, the engine as deployed

They share families with the training data: these figures flatter. \`AUC\` is against all ordinary texts of \`dev/\`, \`At 1 %\`
recall at the score that 1 % of them exceed.

${setTable(scored)}

${summaryTable(scored)}`;
  },
};

const isOrdinary = ({ label, hard }: Scored) => label === 'benign' && !hard;

function setTable(scored: readonly Scored[]): string {
  const ordinary = scored.filter(isOrdinary);
  const limit = exceededBy(ordinary, 0.01);
  const groups = Map.groupBy(scored, (one) => `${one.set} | ${one.label}`);
  const rows = [...groups].map(([name, own]) => {
    const micros = own.map((one) => one.micros);
    const attack = own[0]?.label === 'attack';
    const found = attack ? [withInterval(partAbove(own, limit), own.length), auc(own, ordinary).toFixed(3)] : ['', ''];
    const times = [0.5, 0.99].map((at) => quantile(micros, at).toFixed(0));
    return [name, own.length, flaggedShare(own), blockedShare(own), ...found, ...times];
  });
  return table(['Set', 'Label', 'Texts', 'Flagged', 'Blocked', 'At 1 %', 'AUC', 'p50 us', 'p99 us'], rows);
}

function summaryTable(scored: readonly Scored[]): string {
  const attacks = scored.filter(({ label }) => label === 'attack');
  const benign = scored.filter(({ label }) => label === 'benign');
  const [ordinary, hard] = [benign.filter(isOrdinary), benign.filter((one) => one.hard)];
  const sets = Map.groupBy(attacks, ({ set }) => set);
  const limit = exceededBy(ordinary, 0.01);
  return table(
    ['Over all sets', 'Figure'],
    [
      ['attacks flagged, mean of sets', macro(sets.values(), ({ isFlagged }) => isFlagged)],
      ['attacks found at 1 % of ordinary text, mean of sets', macro(sets.values(), ({ score }) => score > limit)],
      ['AUC against ordinary text', auc(attacks, ordinary).toFixed(3)],
      ['AUC against all harmless text', auc(attacks, benign).toFixed(3)],
      ['ordinary text flagged', flaggedShare(ordinary)],
      ['ordinary text blocked', blockedShare(ordinary)],
      [
        'hard negatives allowed',
        withInterval(1 - hard.filter(({ isFlagged }) => isFlagged).length / hard.length, hard.length),
      ],
    ],
  );
}
