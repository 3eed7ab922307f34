import path from 'node:path';
import { readSets } from '../../training/read-sets.ts';
import { flaggedShare, macro, table } from './figures.ts';
import { judge, judgeText, type Scored, type Verdict } from './judge.ts';
import { OVERRIDE_SENTENCES } from './override-sentences.ts';
import type { Section } from './section.ts';

/** Languages other than English: overrides found, and false alarms on ordinary text. */
export const LANGUAGES: Section = {
  name: 'languages',
  write: ({ data, families, inspector }) => {
    const scored = readSets(path.join(data, 'dev'), families).map((row) => judge(row, inspector));
    const overrides = new Map(
      Object.entries(OVERRIDE_SENTENCES).map(([lang, texts]) => [
        lang,
        texts.map((text) => judgeText(inspector, text, 'user')),
      ]),
    );
    return `## Languages

\`Overrides\`: ten plain override sentences a language, written for this table and in no training (its grammars, written by us
too, use the same verbs). \`MultiJail\`: harmful wishes of \`dev/multijail\`; they carry no injection, so that finding few of
them is no miss of this engine. Ordinary text: all of \`dev/\` in that language that is neither attack nor hard negative.

${languageTable(overrides, scored)}`;
  },
};

function languageTable(overrides: ReadonlyMap<string, readonly Verdict[]>, scored: readonly Scored[]): string {
  const known = scored.filter(({ lang }) => lang !== 'en' && lang !== 'und' && lang !== 'hi-Latn');
  const multijail = known.filter(({ set }) => set === 'multijail');
  const ordinary = known.filter(({ label, hard }) => label === 'benign' && !hard);
  const hard = known.filter((one) => one.label === 'benign' && one.hard);
  const langs = [...new Set([...overrides.keys(), ...multijail.map(({ lang }) => lang)])];
  const of = (texts: readonly Scored[], lang: string) => texts.filter((one) => one.lang === lang);
  const found = (texts: readonly Verdict[]) =>
    `${texts.filter(({ isFlagged }) => isFlagged).length} of ${texts.length}`;
  const rows = langs.map((lang) => [
    lang,
    found(overrides.get(lang) ?? []),
    ...[multijail, ordinary, hard].map((texts) => found(of(texts, lang))),
  ]);
  const all = [...overrides.values()].flat();
  return table(
    ['Language', 'Overrides', 'MultiJail', 'Ordinary, flagged', 'Hard negatives, flagged'],
    [
      ...rows.map((row) => row.map((cell) => (cell === '0 of 0' ? '' : cell))),
      ['all', flaggedShare(all), ...[multijail, ordinary, hard].map((texts) => flaggedShare(texts))],
      ['**mean of languages**', macro(overrides.values(), ({ isFlagged }) => isFlagged), '', '', ''],
    ],
  );
}
