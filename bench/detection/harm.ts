import path from 'node:path';
import { calibrate, isHard, isOtherLanguage, type Judged, judgeOutOfFold } from '../../training/evaluate.ts';
import { HEADS, type Head } from '../../training/heads.ts';
import { type Row, readSets } from '../../training/read-sets.ts';
import { FLAG_FROM, share, table, type WithScore, withInterval } from './figures.ts';
import { surfaceOf } from './judge.ts';
import type { BenchContext, Section } from './section.ts';

const RULE = 'classifier/harmful-request';
/** Orders to break out of a sandbox or to attack hosts: labelled as attacks, and harm by what they ask for. */
const INTERPRETER = 'cyberseceval_interpreter';

/** Requests for harm that override nothing: found, and what else is taken for them. */
export const HARM: Section = {
  name: 'harm',
  write: (context) => {
    const rows = readSets(path.join(context.data, 'dev'), context.families);
    const scored = rows.flatMap((row) => (surfaceOf(row) === 'user' ? [{ ...row, ...scoreOf(row, context) }] : []));
    return `## Harmful requests

What \`${RULE}\` says by itself, of users' texts: flagged from ${FLAG_FROM} on, and never blocked by default. It was made from
\`train/\` and our own texts, and no row of \`dev/\` was read for it. Of \`harmbench\` a quarter asks for protected texts.

${foundTable(scored)}

Harmless text of \`dev/\` taken for such a request, by the classifier's score alone:

${alarmTable(scored)}

By language: MultiJail, and ordinary text (of Korean nearly all is the harmless half of \`apeach_ko\`):

${languageTable(scored)}`;
  },
};

/** The same out of fold. */
export const HARM_OUT_OF_FOLD: Section = {
  name: 'harm-families',
  write: (context) => `## Harmful requests, out of fold

Each family of \`train/\` scored by a model that never saw it; our own texts train every model and are scored by none.

${outOfFoldTable(context)}`,
};

interface ScoredRow extends Row, WithScore {
  readonly hard: boolean;
}

function scoreOf(row: Row, { inspector }: BenchContext): { score: number; hard: boolean } {
  const found = inspector.inspect(row.text, 'user').filter(({ rule }) => rule.id === RULE);
  return { score: Math.max(0, ...found.map(({ score }) => score)), hard: isHard({ sample: row }) };
}

function foundTable(scored: readonly ScoredRow[]): string {
  const wanted = scored.filter(({ label, set }) => label === 'harmful' || label === 'toxic' || set === INTERPRETER);
  const groups = Map.groupBy(wanted, ({ set, label }) => `${set} | ${label}`);
  return table(
    ['Set', 'Label', 'Texts', 'Found'],
    [...groups].map(([name, own]) => [...name.split(' | '), own.length, share(own, FLAG_FROM)]),
  );
}

function alarmTable(scored: readonly ScoredRow[]): string {
  const benign = scored.filter(({ label }) => label === 'benign');
  const [ordinary, hard] = [benign.filter((one) => !one.hard), benign.filter((one) => one.hard)];
  const row = (name: string, own: readonly ScoredRow[]) => [name, own.length, share(own, FLAG_FROM)];
  return table(
    ['Set', 'Texts', 'Flagged'],
    [
      ...[...Map.groupBy(benign, ({ set }) => set)].map(([set, own]) => row(set, own)),
      row('**ordinary text**', ordinary),
      row('**hard negatives**', hard),
    ],
  );
}

function languageTable(scored: readonly ScoredRow[]): string {
  const multijail = scored.filter(({ set }) => set === 'multijail');
  const ordinary = scored.filter((row) => row.label === 'benign' && !row.hard && isOtherLanguage({ sample: row }));
  const langs = [...new Set([...multijail, ...ordinary].map(({ lang }) => lang))].sort();
  const found = (texts: readonly ScoredRow[], lang: string) => {
    const own = texts.filter((one) => one.lang === lang);
    return own.length === 0 ? '' : `${own.filter(({ score }) => score >= FLAG_FROM).length} of ${own.length}`;
  };
  return table(
    ['Language', 'MultiJail, found', 'Ordinary, flagged'],
    [
      ...langs.map((lang) => [`\`${lang}\``, found(multijail, lang), found(ordinary, lang)]),
      ['all', share(multijail, FLAG_FROM), share(ordinary, FLAG_FROM)],
      [
        'all but `apeach_ko`',
        '',
        share(
          ordinary.filter(({ set }) => set !== 'apeach_ko'),
          FLAG_FROM,
        ),
      ],
    ],
  );
}

function outOfFoldTable({ data, families }: BenchContext): string {
  const head = HEADS.find(({ name }) => name === 'harm') as Head;
  const judged = judgeOutOfFold(head.samplesOf(readSets(path.join(data, 'train'), families)), head.training);
  const { flagFrom } = calibrate(judged, head.shares);
  const [wanted, harmless] = [judged.filter(isHarm), judged.filter((one) => !isHarm(one))];
  const ordinary = harmless.filter((one) => !isHard(one));
  const row = (name: string, own: readonly Judged[]) => [
    name,
    own.length,
    withInterval(own.filter(({ score }) => score >= flagFrom).length / own.length, own.length),
  ];
  return table(
    ['Texts', 'Count', 'Flagged'],
    [
      ...[...Map.groupBy(wanted, ({ sample }) => sample.set)].map(([set, own]) => row(`${set}, harmful`, own)),
      row('ordinary text', ordinary),
      row('ordinary text in other languages', ordinary.filter(isOtherLanguage)),
      row('hard negatives', harmless.filter(isHard)),
    ],
  );
}

function isHarm({ sample }: Judged): boolean {
  return sample.attack;
}
