import path from 'node:path';
import { auc } from '../../training/evaluate.ts';
import { type Row, readSets } from '../../training/read-sets.ts';
import { exceededBy, macro, percent, quantile, table, withInterval } from './figures.ts';
import { judge, type Scored } from './judge.ts';
import { outOfFold } from './out-of-fold.ts';
import { PEER_DETECTORS, type PeerDetector } from './peer-detectors.ts';
import type { Section } from './section.ts';

/** A text with the result of one detector, by its own definition of a detection. */
interface Judged extends Scored {
  readonly detected: boolean;
}
type Judge = (scored: Scored) => Promise<Judged>;
interface Column {
  readonly name: string;
  /** Undefined where it is not installed. */
  readonly judge: Judge | undefined;
}

/** Of how many texts one is shown to each detector: one of them takes ten milliseconds a text. */
const ONE_IN = { unseen: { attack: 4, benign: 20 }, dev: { attack: 1, benign: 8 } } as const;

/** Detectors of npm and PyPI and ours on the same texts in the same run. */
export const PEERS: Section = {
  name: 'peers',
  write: async (context) => {
    const { data, families, inspector } = context;
    const peers = await Promise.all(PEER_DETECTORS.map(toColumn));
    const dev = thinned(readSets(path.join(data, 'dev'), families), ONE_IN.dev).map((row) => judge(row, inspector));
    const unseen = thinned(outOfFold(context), ONE_IN.unseen);
    const columns = [{ name: 'ours', judge: async (scored: Scored) => flagged(scored) }, ...peers];
    return `## Beside other detectors

Each at its defaults, on the same texts in the same run, from \`bench/injection-peers\`: those of npm and PyPI
that download no weights. What counts as a detection:

${PEER_DETECTORS.map(({ name, means }) => `- ${name}: ${means}`).join('\n')}

### Families of \`train/\`, ours out of fold

Ours never saw the family that it scores; its times are those of the rules alone. One in ${ONE_IN.unseen.attack} attacks and
one in ${ONE_IN.unseen.benign} harmless texts. Whether the peers saw these texts when they were written or trained is not known.

${await comparison(unseen, ({ family }) => family, columns)}

### Sets of \`dev/\`, ours as deployed

These share families with what ours was trained on: they flatter ours. All attacks, one in ${ONE_IN.dev.benign}
harmless texts.

${await comparison(dev, ({ set }) => set, columns)}`;
  },
};

async function toColumn({ name, load }: PeerDetector): Promise<Column> {
  try {
    const detect = await load();
    return {
      name,
      judge: async (row) => {
        const startedAt = performance.now();
        const verdict = await detect(row.text);
        return { ...row, micros: (performance.now() - startedAt) * 1000, ...verdict };
      },
    };
  } catch {
    return { name, judge: undefined };
  }
}

function flagged(scored: Scored): Judged {
  return { ...scored, detected: scored.isFlagged };
}

/** Attacks and harmless texts, one in so many of each. */
function thinned<T extends Row>(rows: readonly T[], oneIn: { readonly attack: number; readonly benign: number }): T[] {
  return (['attack', 'benign'] as const).flatMap((label) =>
    rows.filter((row) => row.label === label).filter((_, at) => at % oneIn[label] === 0),
  );
}

/** A line for each group of attacks and each figure over all, a column for each detector. */
async function comparison(rows: readonly Scored[], groupOf: (row: Row) => string, columns: readonly Column[]) {
  // One after the other: side by side, each would be charged the others' time.
  const columnCells: ReadonlyMap<string, string>[] = [];
  for (const { judge } of columns) columnCells.push(await cells(rows, groupOf, judge));
  const names = [...new Set(columnCells.flatMap((own) => [...own.keys()]))];
  const line = (name: string) => [
    name,
    ...columnCells.map((own) => own.get(name) ?? (own.size === 0 ? 'not installed' : '')),
  ];
  return table(['', ...columns.map(({ name }) => name)], names.map(line));
}

async function cells(rows: readonly Scored[], groupOf: (row: Row) => string, judge: Judge | undefined) {
  if (judge === undefined) return new Map<string, string>();
  const judged: Judged[] = [];
  for (const row of rows) judged.push(await judge(row));
  const attacks = judged.filter(({ label }) => label === 'attack');
  const groups = [...Map.groupBy(attacks, groupOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map([
    ...groups.map(([name, own]) => [`${name}, ${own.length} attacks`, percent(detectedPart(own))] as const),
    ...summary(
      judged,
      attacks,
      groups.map(([, own]) => own),
    ),
  ]);
}

function summary(judged: readonly Judged[], attacks: readonly Judged[], groups: readonly (readonly Judged[])[]) {
  const benign = judged.filter(({ label }) => label === 'benign');
  const [ordinary, hard] = [benign.filter((one) => !one.hard), benign.filter((one) => one.hard)];
  const limit = exceededBy(ordinary, 0.01);
  const perKilobyte = judged.map(({ micros, text }) => micros / (text.length / 1024));
  const times = (numbers: readonly number[]) => [0.5, 0.99].map((at) => quantile(numbers, at).toFixed(0)).join(' / ');
  const alarms = (own: readonly Judged[]) => withInterval(detectedPart(own), own.length);
  return [
    ['**attacks detected, mean**', `**${macro(groups, ({ detected }) => detected)}**`],
    ['ordinary text, false alarms', alarms(ordinary)],
    ['hard negatives, false alarms', alarms(hard)],
    ['attacks above 1 % of ordinary text, mean', macro(groups, ({ score }) => score > limit)],
    ['AUC against ordinary text', auc(attacks, ordinary).toFixed(3)],
    ['AUC against all harmless text', auc(attacks, benign).toFixed(3)],
    ['us a text, p50 / p99', times(judged.map(({ micros }) => micros))],
    ['us a KB, p50 / p99', times(perKilobyte)],
  ] as const;
}

function detectedPart(judged: readonly Judged[]): number {
  return judged.filter(({ detected }) => detected).length / judged.length;
}
