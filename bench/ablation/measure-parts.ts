/**
 * Measures the engine without some of its parts, each in turn, beside the whole engine in one process. Reads a `Task` as JSON and prints a
 * `Measured` for each part, or, without parts, what the whole engine finds, as `Traced`. Started by bench/ablation/parts.ts.
 */
import { readFileSync } from 'node:fs';
import type { Engine } from './engine.ts';
import { loadEngine } from './load-engine.ts';
import type { InspectedText } from './texts.ts';

export interface Task {
  /** `name`: one part, or several joined by `+`. `texts`: numbers of those that may have another result without it. */
  readonly parts: readonly { readonly name: string; readonly texts: readonly number[] }[];
  readonly texts: readonly InspectedText[];
  /** Numbers of the texts whose inspection is timed. */
  readonly timed: readonly number[];
  readonly pairs: number;
}

/** Of each text the types of its findings, and the parts that do something with it. */
export type Traced = readonly { readonly found: readonly string[]; readonly noted: readonly string[] }[];

export interface Measured {
  /** The types of the findings of each of the part's texts. */
  readonly found: readonly (readonly string[])[];
  /** Of each pair, CPU without the part for CPU of the whole engine. */
  readonly ratios: readonly number[];
}

const WARM_UPS = 10;
/** Texts that one engine reads before it is the next one's turn: what slows the machine slows all. */
const IN_TURN = 8;

const { parts, texts, timed, pairs } = JSON.parse(readFileSync(0, 'utf8')) as Task;
const whole = await loadEngine([]);
process.stdout.write(JSON.stringify(parts.length === 0 ? texts.map(whole.traced()) : await measureAll()));

async function measureAll(): Promise<Measured[]> {
  const engines = [whole];
  for (const { name } of parts) engines.push(await loadEngine(name.split('+').filter(Boolean)));
  const rounds = Array.from({ length: WARM_UPS + pairs }, () => cpuOfEach(engines)).slice(WARM_UPS);
  return parts.map(({ texts: own }, at) => {
    const engine = engines[at + 1] as Engine;
    return {
      found: own.map((number) => engine.find(texts[number] as InspectedText)),
      ratios: rounds.map(({ [0]: cpuOfWhole, [at + 1]: cpu }) => (cpu as number) / (cpuOfWhole as number)),
    };
  });
}

/** CPU of each engine for all timed texts; each is the first as often as the others. */
function cpuOfEach(engines: readonly Engine[]): number[] {
  const cpu = engines.map(() => 0);
  for (let from = 0; from < timed.length; from += IN_TURN) {
    const chunk = timed.slice(from, from + IN_TURN).map((number) => texts[number] as InspectedText);
    for (const turn of engines.keys()) {
      const at = (turn + from / IN_TURN) % engines.length;
      cpu[at] = (cpu[at] as number) + cpuOf(engines[at] as Engine, chunk);
    }
  }
  return cpu;
}

/** Of this thread: the compiler and the garbage collector have other threads, which serve all engines. */
function cpuOf(engine: Engine, chunk: readonly InspectedText[]): number {
  const before = process.threadCpuUsage();
  for (const text of chunk) engine.find(text);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
