/**
 * Runs one `Task`, read as JSON, and prints its result as JSON. Started by bench/ablation/parts.ts, so that the memory of its engines is free
 * again.
 */
import { readFileSync } from 'node:fs';
import type { Engine } from './engine.ts';
import { loadEngine } from './load-engine.ts';
import type { InspectedText } from './texts.ts';

export type Task =
  /** What the whole engine finds. Result: `Traced`. */
  | { readonly kind: 'trace'; readonly texts: readonly InspectedText[] }
  /** What an engine without some parts finds in the texts with these numbers. Result: `Found`. */
  | { readonly kind: 'find'; readonly texts: readonly InspectedText[]; readonly parts: readonly PartTexts[] }
  /** CPU of engines without some parts. Result: `Ratios` for each. */
  | {
      readonly kind: 'time';
      readonly texts: readonly InspectedText[];
      readonly parts: readonly string[];
      readonly pairs: number;
    };

/** One part, or several joined by `+`; the whole engine where it is empty. */
export interface PartTexts {
  readonly part: string;
  readonly numbers: readonly number[];
}

/** Of each text the types of its findings, and the parts that do something with it. */
export type Traced = readonly { readonly found: readonly string[]; readonly noted: readonly string[] }[];
/** Of each part the types of the findings of each of its texts. */
export type Found = readonly (readonly (readonly string[])[])[];
/** Of each pair, CPU without the part for CPU of the whole engine. */
export type Ratios = readonly number[];

const WARM_UPS = 8;
/** Texts that one engine reads before it is the next one's turn: what slows the machine slows all. */
const IN_TURN = 8;

process.stdout.write(JSON.stringify(await run(JSON.parse(readFileSync(0, 'utf8')))));

async function run(task: Task): Promise<Traced | Found | readonly Ratios[]> {
  if (task.kind === 'trace') return task.texts.map((await loadEngine([])).traced());
  if (task.kind === 'time') return ratiosOf(task.parts, task.texts, task.pairs);
  const found: (readonly string[])[][] = [];
  for (const { part, numbers } of task.parts) {
    const engine = await loadWithout(part);
    found.push(numbers.map((number) => engine.find(task.texts[number] as InspectedText)));
  }
  return found;
}

async function ratiosOf(parts: readonly string[], texts: readonly InspectedText[], pairs: number): Promise<Ratios[]> {
  const engines: Engine[] = [];
  for (const part of ['', ...parts]) engines.push(await loadWithout(part));
  const rounds = Array.from({ length: WARM_UPS + pairs }, () => cpuOfEach(engines, texts)).slice(WARM_UPS);
  return parts.map((_, at) => rounds.map((cpu) => (cpu[at + 1] as number) / (cpu[0] as number)));
}

function loadWithout(part: string): Promise<Engine> {
  return loadEngine(part.split('+').filter(Boolean));
}

/** CPU of each engine for all texts; each is the first as often as the others. */
function cpuOfEach(engines: readonly Engine[], texts: readonly InspectedText[]): number[] {
  const cpu = engines.map(() => 0);
  for (let from = 0; from < texts.length; from += IN_TURN) {
    const some = texts.slice(from, from + IN_TURN);
    for (const turn of engines.keys()) {
      const at = (turn + from / IN_TURN) % engines.length;
      cpu[at] = (cpu[at] as number) + cpuOf(engines[at] as Engine, some);
    }
  }
  return cpu;
}

/** Of this thread: the compiler and the garbage collector have other threads, which serve all engines. */
function cpuOf(engine: Engine, texts: readonly InspectedText[]): number {
  const before = process.threadCpuUsage();
  for (const text of texts) engine.find(text);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
