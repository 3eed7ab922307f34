import { type ParseArgsOptionsConfig, parseArgs, types } from 'node:util';
import type { Io } from '../admin/run-admin.ts';
import { reasonOf } from '../file-errors.ts';
import { gatewayAddress } from './addresses.ts';
import { SignInError } from './sign-in-error.ts';

/** The options of a command, by name. */
type Values = Readonly<Record<string, string | boolean | undefined>>;

interface SignInCommand {
  readonly usage: string;
  /** Besides `--gateway` and `--help`. */
  readonly options?: ParseArgsOptionsConfig;
  readonly run: (gateway: string, values: Values) => Promise<void>;
}

/** Prints a line for a person, on standard error. */
export type Say = (line: string) => void;

/** Runs a command of one gateway. @returns the exit code: 0 done, 1 failed with one line on standard error, 2 wrong usage */
export async function runCommand(
  args: readonly string[],
  io: Io,
  { usage, options = {}, run }: SignInCommand,
): Promise<number> {
  const values = read(args, { ...options, gateway: { type: 'string' }, help: { type: 'boolean' } });
  if (values?.help === true) {
    io.stdout.write(`${usage}\n`);
    return 0;
  }
  if (typeof values?.gateway !== 'string') {
    io.stderr.write(`error: ${values === undefined ? 'unknown argument' : '--gateway is required'}.\n\n${usage}\n`);
    return 2;
  }
  const say = sayTo(io);
  try {
    await run(gatewayAddress(values.gateway), values);
    return 0;
  } catch (error) {
    if (error instanceof SignInError) say(error.message);
    else if (types.isNativeError(error) && 'syscall' in error)
      say(`${(error as NodeJS.ErrnoException).path ?? 'A file'}: ${reasonOf(error)}`);
    else throw error;
    return 1;
  }
}

/** Prints for a person of this process. */
export function sayTo({ stderr }: Pick<Io, 'stderr'>): Say {
  return (line) => stderr.write(`${line}\n`);
}

function read(args: readonly string[], options: ParseArgsOptionsConfig): Values | undefined {
  try {
    return parseArgs({ args: [...args], options }).values as Values;
  } catch {
    // The message would repeat the argument, which may be a secret.
    return undefined;
  }
}
