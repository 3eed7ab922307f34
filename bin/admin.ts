import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import { AdminApiError, AdminClient } from './admin/admin-client.ts';
import { type CommandInput, type Context, Refused, UsageError } from './admin/command.ts';
import { Output } from './admin/output.ts';
import { COMMANDS, createProgram } from './admin/program.ts';

/** Commands for the admin API of a deployment or a local service: npm run --silent admin -- --help */
process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  // A reader that stops early, such as `head`, is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  if (argv.some((arg) => arg.includes('svc_sk_'))) {
    console.error('A key must not be an argument, since other users can read arguments. Set SVC_ADMIN_KEY.');
    return 2;
  }
  let code = 0;
  const program = createProgram(COMMANDS, async (command, input) => {
    code = (await command.run(input, contextOf(input))) ?? 0;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isExpected(error)) throw error;
    console.error(error.message);
    return 1;
  }
}

function isExpected(error: unknown): error is Error {
  const isFileError = error instanceof Error && 'syscall' in error;
  return error instanceof AdminApiError || error instanceof Refused || isFileError;
}

function contextOf(input: CommandInput): Context {
  return {
    api: () => clientFor(input.text('url') ?? process.env.SVC_URL),
    out: new Output(input.flag('json'), console.log, console.error),
    confirm: (question) => (input.flag('yes') ? Promise.resolve() : confirm(question)),
    nowMs: Date.now(),
    untilStopped,
  };
}

function clientFor(url: string | undefined): AdminClient {
  if (!url || !URL.canParse(url)) throw new UsageError('Set the address of the API: --url or SVC_URL.');
  const key = process.env.SVC_ADMIN_KEY;
  if (!key) throw new UsageError('Set SVC_ADMIN_KEY to a key with the permission admin.');
  return new AdminClient(url, key);
}

function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError(`${question} Without a terminal, pass --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const stop = new AbortController();
  terminal.once('SIGINT', () => stop.abort());
  const reply = await terminal.question(`${question} Type yes: `, { signal: stop.signal }).catch(() => '');
  terminal.close();
  if (reply.trim() !== 'yes') throw new Refused('Nothing was changed.');
}
