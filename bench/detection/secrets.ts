import path from 'node:path';
import { readSets } from '../../training/read-sets.ts';
import { comparison, type Sample } from './compare.ts';
import { FLAG_FROM } from './figures.ts';
import { NO_PEERS, peersOf } from './installed-peers.ts';
import { ordinarySamples } from './ordinary.ts';
import type { BenchContext, Section } from './section.ts';
import { secretLookAlikes, syntheticSecrets } from './synthetic-secrets.ts';

/** Fixtures of secretlint for rules that look for something else than credentials. */
const NO_CREDENTIALS = new Set(['example', 'filter-comments', 'no-dotenv', 'no-homedir', 'pattern']);

/** Secrets, beside other detectors of them. */
export const SECRETS: Section = {
  name: 'secrets',
  write: async (context) => {
    const ours = {
      name: 'ours',
      detect: (text: string) =>
        context.inspector.inspect(text, 'tool').some(({ rule, score }) => rule.type === 'secret' && score >= FLAG_FROM),
    };
    const peers = await peersOf('secrets.mjs');
    const tables = await comparison(samples(context), [ours, ...peers]);
    return `## Secrets

A text counts as found where a detector reports anything of this kind. The rules were written from gitleaks' examples, so
those flatter; secretlint's fixtures are out of sample, and many of them are placeholders (\`user:pass\`, \`AAAA...\`) that ours
leaves alone on purpose. Synthetic secrets are drawn anew from the vendors' forms (seeded), look-alikes from hashes, ids,
placeholders and names.

${[tables, ...(peers.length === 0 ? [NO_PEERS] : [])].join('\n\n')}`;
  },
};

function samples(context: BenchContext): Sample[] {
  const read = (folder: string, set: string) =>
    readSets(path.join(context.data, folder), context.families).filter((row) => row.set === set);
  const gitleaks = read('train', 'gitleaks_rules');
  const secretlint = read('dev', 'secretlint_fixtures');
  const texts = (rows: typeof gitleaks, label: string) =>
    rows.filter((row) => row.label === label).map(({ text }) => text);
  const credentials = secretlint.filter(({ category }) => !NO_CREDENTIALS.has(category));
  return [
    { name: "gitleaks' examples", kind: 'recall', texts: texts(gitleaks, 'secret') },
    { name: "gitleaks' counter-examples", kind: 'false alarms', texts: texts(gitleaks, 'benign') },
    { name: "secretlint's fixtures", kind: 'recall', texts: texts(secretlint, 'secret') },
    { name: '... those of rules for credentials', kind: 'recall', texts: texts(credentials, 'secret') },
    { name: "secretlint's counter-examples", kind: 'false alarms', texts: texts(secretlint, 'benign') },
    { name: 'synthetic secrets', kind: 'recall', texts: syntheticSecrets(8) },
    { name: 'look-alikes', kind: 'false alarms', texts: secretLookAlikes(40) },
    ...ordinarySamples(context),
  ];
}
