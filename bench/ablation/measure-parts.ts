/**
 * Measures the engine without some of its parts, each in turn, beside the whole engine in one process. Reads a `Task` as JSON and prints a
 * `Measured` for each part. Started by bench/ablation/parts.ts.
 */
import { readFileSync } from 'node:fs';
import type { FindTypes } from './engine.ts';
import { loadEngine } from './load-engine.ts';
import type { InspectedText } from './texts.ts';

export interface Task {
  /** Each a part, several joined by `+`, or an empty text for the whole engine. */
  readonly parts: readonly string[];
  readonly texts: readonly InspectedText[];
  /** Numbers of the texts whose inspection is timed. */
  readonly timed: readonly number[];
  readonly pairs: number;
}

export interface Measured {
  /** Of each text, the types of its findings. */
  readonly found: readonly (readonly string[])[];
  /** Of each pair, CPU without the part for CPU of the whole engine. */
  readonly ratios: readonly number[];
}

const WARM_UPS = 4;
/** Texts that one engine reads before it is the other's turn: what slows the machine slows both. */
const IN_TURN = 8;

const { parts, texts, timed, pairs } = JSON.parse(readFileSync(0, 'utf8')) as Task;
const chunks = Array.from({ length: Math.ceil(timed.length / IN_TURN) }, (_, at) =>
  timed.slice(at * IN_TURN, (at + 1) * IN_TURN).map((number) => texts[number] as InspectedText),
);
const whole = await loadEngine([]);
const measured: Measured[] = [];
for (const part of parts) {
  const reduced = await loadEngine(part.split('+').filter(Boolean));
  const ratios = Array.from({ length: WARM_UPS + pairs }, () => ratioOf(reduced)).slice(WARM_UPS);
  measured.push({ found: texts.map(reduced), ratios });
  process.stderr.write(`${part || 'nothing'} `);
}
process.stdout.write(JSON.stringify(measured));

/** CPU of this engine for CPU of the whole one. Each is the first of every other chunk. */
function ratioOf(reduced: FindTypes): number {
  let [cpu, cpuOfWhole] = [0, 0];
  for (const [at, chunk] of chunks.entries()) {
    if (at % 2 === 0) cpuOfWhole += cpuOf(whole, chunk);
    cpu += cpuOf(reduced, chunk);
    if (at % 2 === 1) cpuOfWhole += cpuOf(whole, chunk);
  }
  return cpu / cpuOfWhole;
}

/** Of this thread: the compiler and the collector of garbage have threads of their own, which serve both engines. */
function cpuOf(engine: FindTypes, chunk: readonly InspectedText[]): number {
  const before = process.threadCpuUsage();
  for (const text of chunk) engine(text);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
