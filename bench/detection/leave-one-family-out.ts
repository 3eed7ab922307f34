import { auc } from '../../training/evaluate.ts';
import { blockedShare, exceededBy, FLAG_FROM, flaggedShare, macro, partAbove, table, withInterval } from './figures.ts';
import type { Scored } from './judge.ts';
import { outOfFold } from './out-of-fold.ts';
import type { Section } from './section.ts';

/** Each family of attacks of `train/`, scored by the rules and a classifier that never saw it. */
export const LEAVE_ONE_FAMILY_OUT: Section = {
  name: 'families',
  write: (context) => {
    const scored = outOfFold(context);
    return `## Leave-one-family-out

Every family of attacks, scored by the rules and a classifier that never saw it. This is the figure that counts. \`At 1 %\` is
recall at the score that 1 % of ordinary texts exceed, \`At both bounds\` at the score that neither 1 % of ordinary texts nor 5 % of
hard ones exceed.

${familyTable(scored)}

Instructions hidden in documents and tool results (unseen wrappers), at the score that 1 % of clean documents exceed:

${hiddenTable(scored)}

Harmless text full of trigger words, out of fold, by what the default policy does (\`allowed\`: nothing reaches ${FLAG_FROM}):

${hardTable(scored)}`;
  },
};

function familyTable(scored: readonly Scored[]): string {
  const attacks = scored.filter(({ label }) => label === 'attack');
  const benign = scored.filter(({ label }) => label === 'benign');
  const [ordinary, hard] = [benign.filter((one) => !one.hard), benign.filter((one) => one.hard)];
  const limit = exceededBy(ordinary, 0.01);
  const strict = Math.max(limit, exceededBy(hard, 0.05));
  const families = Map.groupBy(attacks, ({ family }) => family);
  const row = (name: string, texts: readonly Scored[], ...curve: string[]) => [
    name,
    texts.length,
    flaggedShare(texts),
    blockedShare(texts),
    withInterval(partAbove(texts, limit), texts.length),
    withInterval(partAbove(texts, strict), texts.length),
    ...(curve.length > 0 ? curve : ['', '']),
  ];
  const curves = (texts: readonly Scored[]) => [ordinary, benign].map((others) => auc(texts, others).toFixed(3));
  const means = [
    macro(families.values(), ({ isFlagged }) => isFlagged),
    macro(families.values(), ({ isBlocked }) => isBlocked),
    macro(families.values(), ({ score }) => score > limit),
    macro(families.values(), ({ score }) => score > strict),
  ].map((shown) => `**${shown}**`);
  return table(
    ['Family', 'Texts', 'Flagged', 'Blocked', 'At 1 %', 'At both bounds', 'AUC to ordinary', 'AUC to all'],
    [
      ...[...families].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, own]) => row(name, own, ...curves(own))),
      ['**mean of families**', attacks.length, ...means, '', ''],
      row('all attacks', attacks, ...curves(attacks)),
      row('ordinary text, false alarms', ordinary),
      row('hard negatives, false alarms', hard),
    ],
  );
}

function hiddenTable(scored: readonly Scored[]): string {
  const clean = scored.filter(({ set }) => set === 'indirect_clean');
  const limit = exceededBy(clean, 0.01);
  const hidden = scored.filter(({ label, category }) => label === 'attack' && category === 'indirect');
  const sets = [...Map.groupBy(hidden, ({ set, family }) => `${set} | ${family}`)].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = sets.map(([name, own]) => [name, own.length, withInterval(partAbove(own, limit), own.length)]);
  const mean = macro(
    sets.map(([, own]) => own),
    ({ score }) => score > limit,
  );
  return table(
    ['Set', 'Family of the payload', 'Texts', 'Found'],
    [
      ...rows,
      ['**mean**', '', hidden.length, `**${mean}**`],
      ['all', '', hidden.length, withInterval(partAbove(hidden, limit), hidden.length)],
    ],
  );
}

function hardTable(scored: readonly Scored[]): string {
  const hard = scored.filter((one) => one.hard && one.label === 'benign');
  const sets = Map.groupBy(hard, ({ set }) => set);
  const allowed = ({ isFlagged }: Scored) => !isFlagged;
  const row = (name: string, own: readonly Scored[]) => [
    name,
    own.length,
    withInterval(own.filter(allowed).length / own.length, own.length),
    blockedShare(own),
  ];
  return table(
    ['Set', 'Texts', 'Allowed', 'Blocked'],
    [
      ...[...sets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, own]) => row(name, own)),
      ['**mean of sets**', hard.length, `**${macro(sets.values(), allowed)}**`, ''],
      row('all', hard),
    ],
  );
}
