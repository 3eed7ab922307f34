import path from 'node:path';
import { readSets } from '../../training/read-sets.ts';
import type { Sample } from './compare.ts';
import type { BenchContext } from './section.ts';

/** What people write to assistants. */
const CHAT = new Set([
  ...[
    'alpaca_instructions_dev',
    'alpaca_instructions_train',
    'arena_hard_v2',
    'banking77_test',
    'mt_bench',
    'xquad_dev',
  ],
  ...['gpteacher', 'self_instruct', 'clinc_oos', 'gsm8k_train', 'awesome_chatgpt_prompts'],
]);
/** What assistants are given to read. */
const DOCUMENTS = new Set([
  ...[
    'oss_code',
    'oss_config',
    'oss_docs',
    'fastapi_docs',
    'lnav_logs',
    'tldr_pages',
    'rustsec_advisories',
    'web_pages_rendered',
  ],
  ...['octokit_webhook_payloads', 'slack_api_samples', 'salesforce_prompt_leakage_docs'],
]);
/** Harmless texts full of what rules look for. */
const HARD = new Set([
  'synth_hard_negatives',
  'trigger_word_paragraphs',
  'synth_security_education',
  'owasp_llm_top10_docs',
]);

/** The prompts of people in `dev/`, on which nothing was trained. */
export function ordinaryPrompts({ data, families }: Pick<BenchContext, 'data' | 'families'>): string[] {
  const rows = readSets(path.join(data, 'dev'), families);
  return rows.filter(({ set, label }) => CHAT.has(set) && label === 'benign').map(({ text }) => text);
}

/** Harmless texts of `train/` and `dev/`, on which any finding is a false alarm. */
export function ordinarySamples(context: BenchContext): Sample[] {
  const groups: [string, ReadonlySet<string>][] = [
    ['ordinary chat', CHAT],
    ['documents, code and logs', DOCUMENTS],
    ['hard negatives', HARD],
  ];
  const rows = ['train', 'dev'].flatMap((folder) => readSets(path.join(context.data, folder), context.families));
  return groups.map(([name, sets]) => ({
    name,
    kind: 'false alarms',
    texts: rows.filter(({ set, label }) => sets.has(set) && label === 'benign').map(({ text }) => text),
  }));
}
