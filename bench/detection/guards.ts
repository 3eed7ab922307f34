import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import type { Inspector } from '../../functions/inspection/inspector/index.ts';
import { readSets } from '../../training/read-sets.ts';
import { rowsOf } from '../lib/texts.ts';
import { comparison, type Sample } from './compare.ts';
import { quantile, table } from './figures.ts';
import type { Detector } from './installed-peers.ts';
import { judgeRequest } from './judge-request.ts';
import { ordinaryPrompts } from './ordinary.ts';
import { GUARDS, type PeerVerdict } from './peer-detectors.ts';
import type { BenchContext, Section } from './section.ts';
import { personalDataLookAlikes, syntheticPersonalData } from './synthetic-personal-data.ts';
import { secretLookAlikes, syntheticSecrets } from './synthetic-secrets.ts';

const DOCUMENTS = path.join(import.meta.dirname, '../../training/data/ordinary-documents/h.jsonl');
/** Bytes of a row, and how many rows each kind of text has at most: one guard takes a second for 20 KB. */
const ROW_SIZES = { '1 KB': { size: 1_024, most: 20 }, '20 KB': { size: 20_480, most: 3 } } as const;
/** Of so many ordinary prompts and attacks, one is shown to each. */
const ONE_IN = { ordinary: 16, attack: 8 } as const;

type Verdict = (text: string) => PeerVerdict | Promise<PeerVerdict>;

interface Guard {
  readonly name: string;
  readonly inspect: Verdict;
}

/** Guards that inspect in the caller's process, beside ours, as whole products: what they report, and what they cost. */
export const GUARD_SECTION: Section = {
  name: 'guards',
  write: async (context) => {
    const { guards, missing } = await loadGuards(context.inspector);
    const detectors: Detector[] = guards.map(({ name, inspect }) => ({
      name,
      detect: async (text) => (await inspect(text)).detected,
    }));
    return `## Guards in the caller's process

Each guard as a whole, on the same texts in the same run; a text counts where it reports anything. Ours: the default policy flags, redacts or blocks a user's message. Of the others only what
needs neither a model nor a list of the deployment's words:

${GUARDS.map(({ name, means }) => `- ${name}: ${means}`).join('\n')}

Only LiteLLM's looks for injections; the other products leave them to models. Ours was trained on other texts of the attacks' families, so that figure flatters: [families that training did not see](#leave-one-family-out).
Synthetic secrets and personal data have the vendors' and issuers' forms, for which our rules were written: that flatters too.${missing.length === 0 ? '' : ` Not installed for this run: ${missing.join(', ')}.`}

${await comparison(samples(context), detectors)}

CPU microseconds a KB (p50 / p90) of the committed samples, of which no row repeats; of those in Python in their process, without the way there. The machine had a load of ${(loadavg()[1] ?? 0).toFixed(1)} on ${availableParallelism()} cores.

${await timeTable(guards, context.texts)}`;
  },
};

async function loadGuards(inspector: Inspector): Promise<{ guards: Guard[]; missing: string[] }> {
  const guards: Guard[] = [{ name: 'ours', inspect: oursBy(inspector) }];
  const missing: string[] = [];
  for (const { name, load } of GUARDS) {
    try {
      guards.push({ name, inspect: await load() });
    } catch {
      missing.push(name);
    }
  }
  return { guards, missing };
}

function oursBy(inspector: Inspector): Verdict {
  return (text) => {
    const detected = judgeRequest({ messages: [{ role: 'user', content: text }] }, inspector).action !== 'allow';
    return { detected, score: detected ? 1 : 0 };
  };
}

function samples(context: BenchContext): Sample[] {
  const attacks = readSets(path.join(context.data, 'dev'), context.families).filter(({ label }) => label === 'attack');
  const documents = readFileSync(DOCUMENTS, 'utf8').trim().split('\n');
  const oneIn = (texts: readonly string[], count: number) => texts.filter((_, at) => at % count === 0);
  const recall = (name: string, texts: readonly string[]): Sample => ({ name, kind: 'recall', texts });
  const harmless = (name: string, texts: readonly string[]): Sample => ({ name, kind: 'false alarms', texts });
  return [
    recall(
      'attacks of `dev/`',
      oneIn(
        attacks.map(({ text }) => text),
        ONE_IN.attack,
      ),
    ),
    recall('synthetic secrets', syntheticSecrets(8)),
    recall('synthetic personal data', [...syntheticPersonalData(20).values()].flat()),
    harmless('ordinary prompts of `dev/`', oneIn(ordinaryPrompts(context), ONE_IN.ordinary)),
    harmless(
      'honest documents of author h',
      documents.map((line) => (JSON.parse(line) as { text: string }).text),
    ),
    harmless('look-alikes of secrets', secretLookAlikes(40)),
    harmless('look-alikes of personal data', personalDataLookAlikes(20)),
  ];
}

async function timeTable(guards: readonly Guard[], texts: BenchContext['texts']): Promise<string> {
  const rows: string[][] = [];
  for (const [kind, text] of texts) {
    for (const [name, { size, most }] of Object.entries(ROW_SIZES)) {
      const pieces = rowsOf(text, size).slice(0, most);
      const cells: string[] = [];
      for (const guard of guards) cells.push(await timesOf(guard, pieces, size));
      rows.push([`${kind}, ${name} (${pieces.length})`, ...cells]);
    }
  }
  return table(['Text', ...guards.map(({ name }) => name)], rows);
}

async function timesOf({ inspect }: Guard, pieces: readonly string[], size: number): Promise<string> {
  const times: number[] = [];
  for (const piece of pieces) {
    const before = process.cpuUsage();
    const { cpuMicros } = await inspect(piece);
    const { user, system } = process.cpuUsage(before);
    times.push(((cpuMicros ?? user + system) * 1024) / size);
  }
  return [0.5, 0.9].map((share) => quantile(times, share).toFixed(0)).join(' / ');
}
