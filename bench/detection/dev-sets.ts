import path from 'node:path';
import { readSets } from '../../training/read-sets.ts';
import { auc } from '../../training/report.ts';
import { BLOCK_FROM, FLAG_FROM, quantile, share, table } from './figures.ts';
import { judge, type Scored } from './judge.ts';
import type { Section } from './section.ts';

/** Every set of `dev/`, by the engine as it is deployed. */
export const DEV_SETS: Section = {
  name: 'dev',
  write: ({ data, families, inspector }) => `## Sets of \`dev/\`, the engine as deployed

They share families with the training data: these figures flatter. \`AUC\` is against all ordinary texts of \`dev/\`.

${setTable(readSets(path.join(data, 'dev'), families).map((row) => judge(row, inspector)))}`,
};

function setTable(scored: readonly Scored[]): string {
  const ordinary = scored.filter(({ label, hard }) => label === 'benign' && !hard);
  const groups = Map.groupBy(scored, (one) => `${one.set} | ${one.label}`);
  const rows = [...groups].map(([name, own]) => {
    const micros = own.map((one) => one.micros);
    const curve = own[0]?.label === 'attack' ? auc(own, ordinary).toFixed(3) : '';
    const times = [0.5, 0.99].map((at) => quantile(micros, at).toFixed(0));
    return [name, own.length, share(own, FLAG_FROM), share(own, BLOCK_FROM), curve, ...times];
  });
  return table(['Set', 'Label', 'Texts', 'Flagged', 'Blocked', 'AUC', 'p50 us', 'p99 us'], rows);
}
