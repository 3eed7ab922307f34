import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stageNameOf } from '../../lib/settings/stack-names.ts';
import { make, shown } from './calls.ts';
import type { Found, Keys, Plan, Step } from './plan.ts';
import { reportOf } from './report.ts';
import { stepsOf } from './steps.ts';

/** How a step ended. */
export interface Done {
  readonly at: string;
  readonly seconds: number;
}

/** What is kept between runs, without keys. */
export interface State {
  readonly startedAt: string;
  readonly stage: string;
  readonly homes: readonly string[];
  readonly done: Record<string, Done>;
  readonly found: Found;
}

type Print = (line: string) => void;

/** Prints each step, the calls that it would make and what it leaves behind. Makes none. */
export function printSteps(plan: Plan, print: Print): void {
  const nothing: Found = { values: {}, loads: {}, usage: {} };
  for (const { id, what, calls, leaves } of stepsOf(plan)) {
    print(`\n${id}: ${what}`);
    for (const call of calls) {
      const made = call(nothing, {});
      if (made === undefined) continue;
      const within =
        'withinSeconds' in made && made.withinSeconds !== undefined ? `   (within ${made.withinSeconds} s)` : '';
      print(`  ${shown(made)}${within}`);
    }
    if (leaves !== undefined) print(`  leaves ${leaves}`);
  }
}

/**
 * Makes the steps in order, except those that an earlier run has made. The state is written after each, and the report at the end of the
 * run, whether or not a step failed. Returns the fault that ended it.
 */
export async function runSteps(
  plan: Plan,
  {
    folder,
    adminKey,
    print,
  }: { readonly folder: string; readonly adminKey: string | undefined; readonly print: Print },
): Promise<string | undefined> {
  mkdirSync(folder, { recursive: true });
  const steps = stepsOf(plan);
  const state = readState(plan, folder);
  const keys: Keys = adminKey === undefined ? {} : { admin: adminKey };
  const last = steps.findLastIndex(({ id }) => state.done[id] !== undefined);
  let fault: string | undefined;
  for (const [at, step] of steps.entries()) {
    const isDone = state.done[step.id] !== undefined;
    // Keys of a home are read again while one of its steps is left.
    if (isDone && !(step.isRepeated === true && isNeeded(step, steps.slice(at + 1), state))) continue;
    print(`${step.id}: ${step.what}`);
    const started = performance.now();
    fault = await makeStep(step, state.found, keys);
    if (fault !== undefined) break;
    state.done[step.id] = { at: new Date().toISOString(), seconds: Math.round((performance.now() - started) / 1_000) };
    save(state, folder);
  }
  save(state, folder);
  if (last >= 0 && fault === undefined) print(`${last + 1} steps were made by an earlier run`);
  const file = path.join(folder, 'report.md');
  writeFileSync(file, reportOf(plan, steps, state, fault));
  print(`${file} written`);
  return fault;
}

/** Whether a step of the same home, or one after all homes, is left: these use the keys. */
function isNeeded({ id }: Step, later: readonly Step[], { done }: State): boolean {
  const home = id.slice('access-'.length);
  const next = later.findIndex(({ isRepeated }) => isRepeated === true);
  const own = later.filter((step, at) => step.id.endsWith(`-${home}`) || (next === -1 && at >= 0));
  return own.some((step) => done[step.id] === undefined && step.id !== 'remove');
}

async function makeStep(step: Step, found: Found, keys: Keys): Promise<string | undefined> {
  try {
    for (const call of step.calls) {
      const made = call(found, keys);
      if (made !== undefined) await make(made);
    }
    return undefined;
  } catch (error) {
    return `${step.id}: ${error instanceof Error ? error.message : error}`;
  }
}

function readState({ settings, homes }: Plan, folder: string): State {
  const file = path.join(folder, 'state.json');
  let stored: State | undefined;
  try {
    stored = JSON.parse(readFileSync(file, 'utf8')) as State;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new Error(`${file}: ${(error as Error).message}`);
  }
  if (stored === undefined) {
    const found = { values: {}, loads: {}, usage: {} };
    return { startedAt: new Date().toISOString(), stage: stageNameOf(settings), homes, done: {}, found };
  }
  if (stored.stage !== stageNameOf(settings) || stored.homes.join() !== homes.join())
    throw new Error(
      `${file} is of the stage ${stored.stage} and the homes ${stored.homes.join()}: resume that one, or delete the folder`,
    );
  return stored;
}

function save(state: State, folder: string): void {
  writeFileSync(path.join(folder, 'state.json'), `${JSON.stringify(state, null, 2)}\n`);
}
