import { createInterface } from 'node:readline/promises';
import { AdminApiError, AdminClient } from './admin/admin-client.ts';
import { type Command, type Context, Refused } from './admin/command.ts';
import { COMMANDS } from './admin/commands/index.ts';
import { Given } from './admin/given.ts';
import { callOf, helpFor, overview } from './admin/help.ts';
import { Output } from './admin/output.ts';
import { UsageError } from './admin/usage-error.ts';

/** Commands over the admin API of a deployment or of a local service: npm run --silent admin -- --help */
process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  // Who reads no further, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  if (argv.some((arg) => arg.includes('svc_sk_'))) {
    return wrong('A key must not stand in the call, where others see it: set SVC_ADMIN_KEY.');
  }
  const command = commandOf(argv);
  if (command === undefined) {
    const group = COMMANDS.filter(({ name }) => name.startsWith(`${argv[0]} `));
    const text = overview(group.length > 0 ? group : COMMANDS);
    if (!argv.includes('--help')) return wrong(text);
    console.log(text);
    return 0;
  }
  try {
    const given = Given.read(command, argv.slice(command.name.split(' ').length));
    if (given.flag('help')) {
      console.log(helpFor(command));
      return 0;
    }
    return (await command.run(given, contextOf(given))) ?? 0;
  } catch (error) {
    if (error instanceof UsageError) return wrong(`${error.message}\n${callOf(command)}`);
    if (!isExpected(error)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** The longest name that the call begins with. */
function commandOf(argv: readonly string[]): Command | undefined {
  const two = argv.slice(0, 2).join(' ');
  return COMMANDS.find(({ name }) => name === two) ?? COMMANDS.find(({ name }) => name === argv[0]);
}

function wrong(message: string): number {
  console.error(message);
  return 2;
}

function isExpected(error: unknown): error is Error {
  const isFileError = error instanceof Error && 'syscall' in error;
  return error instanceof AdminApiError || error instanceof Refused || isFileError;
}

function contextOf(given: Given): Context {
  return {
    api: () => clientFor(given.text('url') ?? process.env.SVC_URL),
    out: new Output(given.flag('json'), console.log, console.error),
    confirm: (question) => (given.flag('yes') ? Promise.resolve() : confirm(question)),
    nowMs: Date.now(),
    untilStopped,
  };
}

function clientFor(url: string | undefined): AdminClient {
  if (!url || !URL.canParse(url)) throw new UsageError('Say where the API is: --url, or the variable SVC_URL.');
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
  if (!process.stdin.isTTY) throw new UsageError(`${question} Say --yes where nobody can be asked.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const stop = new AbortController();
  terminal.once('SIGINT', () => stop.abort());
  const answer = await terminal.question(`${question} Type yes: `, { signal: stop.signal }).catch(() => '');
  terminal.close();
  if (answer.trim() !== 'yes') throw new Refused('Nothing was done.');
}
