import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Command, Option } from './command.ts';
import { UsageError } from './usage-error.ts';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const LONGEST_MS = 3_660 * UNIT_MS.d;

/** Options of every command. */
export const COMMON: Readonly<Record<string, Option>> = {
  url: { value: 'URL', help: 'The API, with /v1 at its end: AdminUrl of the deployment. Or the variable SVC_URL.' },
  json: { help: 'One JSON object a line, for scripts.' },
  yes: { help: 'Asks nothing.' },
  help: { help: 'Tells this.' },
};

/** What a command was given: its arguments, and its options by name. */
export class Given {
  readonly args: readonly string[];
  private readonly values: Readonly<Record<string, unknown>>;

  private constructor(args: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.args = args;
    this.values = values;
  }

  /** @throws UsageError, which names an option at fault and no value */
  static read({ args: wanted, options }: Pick<Command, 'args' | 'options'>, argv: readonly string[]): Given {
    const shapes = Object.entries({ ...COMMON, ...options }).map(([name, { value, multiple }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', ...(multiple && { multiple }) },
    ]);
    const { values, positionals } = parsed(argv, Object.fromEntries(shapes));
    const help = values.help === true;
    if (positionals.length !== wanted.length && !help) {
      throw new UsageError(wanted.length === 0 ? 'No argument is expected.' : `Expected: ${wanted.join(' ')}.`);
    }
    return new Given(positionals, values);
  }

  /** The argument of this place. */
  arg(at: number): string {
    return this.args[at] as string;
  }

  /** An argument as a part of a path. */
  part(at: number): string {
    return encodeURIComponent(this.arg(at));
  }

  text(option: string): string | undefined {
    return this.values[option] as string | undefined;
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

  /** A time as ISO 8601, or how long before now. */
  time(option: string, nowMs: number): string | undefined {
    const text = this.text(option);
    if (text === undefined) return undefined;
    const at = /^\d{4}-/.test(text) ? Date.parse(text) : nowMs - durationOf(text, option);
    if (Number.isNaN(at))
      throw new UsageError(`--${option} must be a time (2026-11-21T09:00:00Z) or how long ago (24h).`);
    return new Date(at).toISOString();
  }
}

/** The JSON of a file, or of standard input where it is called `-`. @throws UsageError where it is none */
export async function readJson(file: string): Promise<unknown> {
  const json = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError('The file is no JSON.');
  }
}

function durationOf(text: string, option: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const ms = text === '0' ? 0 : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (!(ms <= LONGEST_MS)) throw new UsageError(`--${option} must be a duration such as 90s, 30m, 24h or 7d.`);
  return ms;
}

function parsed(argv: readonly string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options']) {
  try {
    return parseArgs({ args: [...argv], options: options ?? {}, allowPositionals: true });
  } catch (error) {
    const name = /'(?:-\w, )?(-{1,2}[a-z0-9-]{1,32})/.exec((error as Error).message)?.[1];
    const { code } = error as NodeJS.ErrnoException;
    if (name === undefined) throw new UsageError('The options cannot be read.');
    throw new UsageError(
      code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
        ? `There is no option ${name}.`
        : `${name} has no value, or one too many.`,
    );
  }
}
