import type { AdminClient } from './admin-client.ts';
import type { Output } from './output.ts';

export interface Option {
  /** Placeholder of its value in the help; an option without one is a switch. */
  readonly value?: string;
  readonly multiple?: true;
  readonly help: string;
  /** The accepted values, in any case; the help lists them. */
  readonly choices?: readonly string[];
  /** The value is a list `a,b` of the choices. */
  readonly list?: true;
  /** The API accepts values besides the choices. */
  readonly open?: true;
}

/** A description of an argument, and its accepted values. */
export interface ArgumentHelp {
  readonly help: string;
  readonly choices?: readonly string[];
}

/** Dependencies of a command. */
export interface Context {
  /** Throws UsageError without an address or a key. */
  readonly api: () => AdminClient;
  readonly out: Output;
  /** Asks the operator unless `--yes` is set; throws Refused if they decline. */
  readonly confirm: (question: string) => Promise<void>;
  /** The JSON of a file, or of standard input for `-`. Throws UsageError for invalid JSON. */
  readonly readJson: (file: string) => Promise<unknown>;
  /** A secret from standard input, on a terminal typed without echo. Throws UsageError if it is empty. */
  readonly readSecret: (question: string) => Promise<string>;
  readonly nowMs: number;
  /** Aborted by Ctrl-C, for commands that run until then. */
  readonly untilStopped: () => AbortSignal;
}

export interface Command {
  /** Such as `keys create`. */
  readonly name: string;
  /** Required arguments, in order. */
  readonly args: readonly string[];
  /** Of arguments whose name does not say enough. */
  readonly argHelp?: Readonly<Record<string, ArgumentHelp>>;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Follow `svc admin`. */
  readonly examples: readonly string[];
  /** @returns the exit code; undefined for 0 */
  run(input: CommandInput, context: Context): Promise<number | undefined>;
}

/** The operator declined, or a file is invalid. */
export class Refused extends Error {}

/** Invalid arguments: printed with the usage, exit code 2. Quotes no argument, which may be a secret. */
export class UsageError extends Error {}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const LONGEST_MS = 3_660 * UNIT_MS.d;

/** The arguments and options of a command. */
export class CommandInput {
  readonly args: readonly string[];
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(args: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.args = args;
    this.values = values;
  }

  /** The argument at this position. */
  arg(at: number): string {
    return this.args[at] as string;
  }

  /** An argument, encoded for a path. */
  part(at: number): string {
    return encodeURIComponent(this.arg(at));
  }

  text(option: string): string | undefined {
    return this.values[option] as string | undefined;
  }

  /** A required option. */
  needed(option: string): string {
    const text = this.text(option);
    if (!text) throw new UsageError(`--${option} is required.`);
    return text;
  }

  flag(option: string): boolean {
    return this.values[option] === true;
  }

  all(option: string): readonly string[] {
    return (this.values[option] as string[] | undefined) ?? [];
  }

  /** `a,b`: an empty value is an empty list. */
  list(option: string): string[] | undefined {
    return this.text(option)
      ?.split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  }

  number(option: string): number | undefined {
    const text = this.text(option);
    if (text === undefined) return undefined;
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isNaN(number)) throw new UsageError(`--${option} must be a number.`);
    return number;
  }

  /** A whole number of at least 1. */
  count(option: string): number | undefined {
    const number = this.number(option);
    if (number !== undefined && (!Number.isInteger(number) || number < 1)) {
      throw new UsageError(`--${option} must be a whole number of at least 1.`);
    }
    return number;
  }

  /** `90s`, `30m`, `24h`, `7d`, or 0: milliseconds. */
  duration(option: string): number | undefined {
    const text = this.text(option);
    return text === undefined ? undefined : durationOf(text, option);
  }

  /** A time as ISO 8601; accepts durations before now. */
  time(option: string, nowMs: number): string | undefined {
    const text = this.text(option);
    if (text === undefined) return undefined;
    const at = /^\d{4}-/.test(text) ? Date.parse(text) : nowMs - durationOf(text, option);
    if (Number.isNaN(at))
      throw new UsageError(`--${option} must be a time (2026-11-21T09:00:00Z) or how long ago (24h).`);
    return new Date(at).toISOString();
  }
}

function durationOf(text: string, option: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const ms = text === '0' ? 0 : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (!(ms <= LONGEST_MS)) throw new UsageError(`--${option} must be a duration such as 90s, 30m, 24h or 7d.`);
  return ms;
}

/** Help of an option or argument, with its values. */
export function helpOf({ help, choices, ...option }: Option | ArgumentHelp): string {
  const { multiple, list } = option as Option;
  const values = choices && `${list ? 'Any of' : 'One of'}: ${choices.join(', ')}.`;
  return [help, values, multiple && 'May be repeated.'].filter((text) => text).join(' ');
}
