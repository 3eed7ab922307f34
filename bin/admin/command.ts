import type { AdminClient } from './admin-client.ts';
import type { CommandInput } from './command-input.ts';
import type { Output } from './output.ts';

export interface Option {
  /** What stands for its value in the help; an option without one is a switch. */
  readonly value?: string;
  readonly multiple?: true;
  readonly help: string;
}

/** What a command works with. */
export interface Context {
  /** Throws UsageError where the address or the key is not known. */
  readonly api: () => AdminClient;
  readonly out: Output;
  /** Asks whoever called, unless `--yes` was given; throws Refused where the answer is no. */
  readonly confirm: (question: string) => Promise<void>;
  readonly nowMs: number;
  /** Aborted by Ctrl-C from now on, for commands that run until then. */
  readonly untilStopped: () => AbortSignal;
}

export interface Command {
  /** As it is called: `keys create`. */
  readonly name: string;
  /** What stands behind the name, in order, all of it needed. */
  readonly args: readonly string[];
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Behind `npm run --silent admin --`. */
  readonly examples: readonly string[];
  /** @returns the exit code where it is not 0 */
  run(input: CommandInput, context: Context): Promise<number | undefined>;
}

/** Somebody was asked and said no, or could not be asked. */
export class Refused extends Error {}
