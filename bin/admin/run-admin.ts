import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { types } from 'node:util';
import { CommanderError } from 'commander';
import { AdminApiError, AdminClient } from './admin-client.ts';
import { type CommandInput, type Context, Refused, UsageError } from './command.ts';
import { Output } from './output.ts';
import { COMMANDS, createProgram } from './program.ts';

/** The parts of a process that commands use. */
export type Io = Pick<NodeJS.Process, 'env'> & {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
};

/** Runs one command. @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage */
export async function runAdmin(argv: readonly string[], io: Io): Promise<number> {
  if (argv.some((arg) => arg.includes('svc_sk_'))) {
    io.stderr.write('A key must not be an argument, since other users can read arguments. Set SVC_ADMIN_KEY.\n');
    return 2;
  }
  let code = 0;
  const program = createProgram(COMMANDS, io, async (command, input) => {
    code = (await command.run(input, contextOf(input, io))) ?? 0;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isExpected(error)) throw error;
    io.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function isExpected(error: unknown): error is Error {
  const isFileError = types.isNativeError(error) && 'syscall' in error;
  return error instanceof AdminApiError || error instanceof Refused || isFileError;
}

function contextOf(input: CommandInput, io: Io): Context {
  return {
    api: () => clientFor(input.text('url') ?? io.env.SVC_URL, io.env.SVC_ADMIN_KEY),
    out: new Output(
      input.flag('json'),
      (line) => io.stdout.write(`${line}\n`),
      (line) => io.stderr.write(`${line}\n`),
    ),
    confirm: (question) => (input.flag('yes') ? Promise.resolve() : confirm(question, io)),
    readJson: (file) => readJson(file, io.stdin),
    nowMs: Date.now(),
    untilStopped,
  };
}

function clientFor(url: string | undefined, key: string | undefined): AdminClient {
  if (!url || !URL.canParse(url)) throw new UsageError('Set the address of the API: --url or SVC_URL.');
  if (!key) throw new UsageError('Set SVC_ADMIN_KEY to a key with the permission admin.');
  return new AdminClient(url, key);
}

async function readJson(file: string, stdin: NodeJS.ReadableStream): Promise<unknown> {
  const json = file === '-' ? await text(stdin) : await readFile(file, 'utf8');
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError('The file is not valid JSON.');
  }
}

function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

async function confirm(question: string, { stdin, stderr }: Io): Promise<void> {
  if (!stdin.isTTY) throw new UsageError(`${question} Without a terminal, pass --yes.`);
  const terminal = createInterface({ input: stdin, output: stderr });
  const stop = new AbortController();
  terminal.once('SIGINT', () => stop.abort());
  const reply = await terminal.question(`${question} Type yes: `, { signal: stop.signal }).catch(() => '');
  terminal.close();
  if (reply.trim() !== 'yes') throw new Refused('Nothing was changed.');
}
