/**
 * What each part of the engine finds and costs, printed: npm run bench ablation [-- --data DIR] [-- --only PART,PART] [-- --pairs N]
 *
 * Each part is off in turn, in a fresh process beside one with all parts: the findings that are lost in attacks and in harmless texts, those
 * that come instead, and the CPU of both. Without DIR the texts are ours: attacks in every disguise and ordinary documents. With DIR (see
 * bench/detection.ts) also `dev/`, and `train/` by rules alone, since the classifier has seen it. What several parts are worth together:
 * npm run bench detection -- --data DIR --only families --without PART,PART
 */
import '../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gatherEvidence } from '../functions/inspection/across-texts/index.ts';
import { ALL_RULES } from '../functions/inspection/detectors/index.ts';
import { fuse } from '../functions/inspection/fusion/fuse.ts';
import { createInspector } from '../functions/inspection/index.ts';
import { Inspector } from '../functions/inspection/inspector/index.ts';
import { Families, readSets } from '../training/read-sets.ts';
import { FLAG_FROM, quantile, table } from './detection/figures.ts';
import { type Read, soleText, surfaceOf } from './detection/judge.ts';
import { PLAIN_ATTACKS } from './detection/obfuscations/attacks.ts';
import { HARMLESS_TEXTS, STRANGE_TEXTS } from './detection/obfuscations/benign.ts';
import { OBFUSCATIONS } from './detection/obfuscations/index.ts';
import { PARTS, switchOff } from './detection/without.ts';

const DOCUMENTS = path.join(import.meta.dirname, '..', 'training', 'data', 'ordinary-documents');
/** Texts that are read before the CPU is measured. */
const WARM_UP = 200;
const MAX_OUTPUT = 1 << 28;

interface Text {
  readonly text: string;
  readonly surface: Read;
  readonly isAttack: boolean;
  /** Inspected without the classifier, which has seen it. */
  readonly byRules?: boolean;
}

/** What a process found: the number of a text with the types of its findings. */
interface Run {
  readonly found: readonly string[];
  readonly cpuMs: number;
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string' },
    pairs: { type: 'string', default: '1' },
    /** Of a child: the part that is off, or an empty text. */
    child: { type: 'string' },
  },
});
if (values.child === undefined) report(values.only?.split(',') ?? PARTS, Number(values.pairs));
else console.log(JSON.stringify(inspectAll(values.child, textsOf(values.data))));

function report(parts: readonly string[], pairs: number): void {
  const texts = textsOf(values.data);
  const inAttacks = (keys: readonly string[]) =>
    keys.filter((key) => texts[Number.parseInt(key, 10)]?.isAttack === true).length;
  const rows = parts.map((part) => {
    const runs = Array.from({ length: pairs }, () => ({ whole: inspectInChild(''), reduced: inspectInChild(part) }));
    const { whole, reduced } = runs[0] as (typeof runs)[number];
    const changed = [missingIn(reduced, whole), missingIn(whole, reduced)];
    const ratios = runs.map((run) => run.reduced.cpuMs / run.whole.cpuMs);
    return [
      part,
      ...changed.flatMap((keys) => [inAttacks(keys), keys.length - inAttacks(keys)]),
      `${(quantile(ratios, 0.5) * 100 - 100).toFixed(1)} %`,
    ];
  });
  const attacks = texts.filter(({ isAttack }) => isAttack).length;
  console.log(`${attacks} attacks, ${texts.length - attacks} harmless texts, median of ${pairs} pairs\n`);
  console.log(
    table(['Off', 'Lost in attacks', 'Lost in harmless', 'Gained in attacks', 'Gained in harmless', 'CPU'], rows),
  );
}

/** What the second run found and the first did not. */
function missingIn(first: Run, second: Run): string[] {
  const known = new Set(first.found);
  return second.found.filter((key) => !known.has(key));
}

function inspectInChild(part: string): Run {
  const data = values.data === undefined ? [] : ['--data', values.data];
  const args = ['--disable-warning=ExperimentalWarning', import.meta.filename, `--child=${part}`, ...data];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`the process without ${part} failed`);
  return JSON.parse(stdout) as Run;
}

function inspectAll(part: string, texts: readonly Text[]): Run {
  if (part !== '') switchOff(part);
  const engines = { whole: createInspector(), rules: new Inspector(ALL_RULES) };
  const inspect = ({ text, surface, byRules }: Text) =>
    fuse(gatherEvidence([soleText(text, surface)], byRules ? engines.rules : engines.whole), 0);
  for (const text of texts.slice(0, WARM_UP)) inspect(text);
  const before = process.cpuUsage();
  const found = texts.flatMap((text, at) => {
    const flagged = inspect(text).filter(({ finding }) => finding.score >= FLAG_FROM);
    return [...new Set(flagged.map(({ finding }) => `${at} ${finding.rule.type}`))];
  });
  const { user, system } = process.cpuUsage(before);
  return { found, cpuMs: (user + system) / 1000 };
}

function textsOf(data: string | undefined): Text[] {
  const plain = { name: 'plain', disguise: (text: string) => text };
  const disguised = [plain, ...OBFUSCATIONS].flatMap(({ disguise }) => [
    ...PLAIN_ATTACKS.map((text) => ({ text: disguise(text), surface: 'user' as const, isAttack: true })),
    ...HARMLESS_TEXTS.map((text) => ({ text: disguise(text), surface: 'user' as const, isAttack: false })),
  ]);
  const strange = STRANGE_TEXTS.map((text) => ({ text, surface: 'user' as const, isAttack: false }));
  const documents = readdirSync(DOCUMENTS)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(path.join(DOCUMENTS, name), 'utf8').trim().split('\n'))
    .map((line) => ({ text: (JSON.parse(line) as { text: string }).text, surface: 'tool' as const, isAttack: false }));
  return [...disguised, ...strange, ...documents, ...(data === undefined ? [] : setsOf(data))];
}

function setsOf(data: string): Text[] {
  const families = new Families(path.join(data, 'families.json'));
  return ['dev', 'train'].flatMap((folder) =>
    readSets(path.join(data, folder), families).map((row) => ({
      text: row.text,
      surface: surfaceOf(row),
      isAttack: row.label === 'attack',
      byRules: folder === 'train',
    })),
  );
}
