import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { types } from 'node:util';
import { CommanderError } from 'commander';
import { StoreUnavailable } from '../../functions/kernel/errors/index.ts';
import { parseJsonFile, reasonOf } from '../file-errors.ts';
import { AdminApiError, AdminClient } from './admin-client.ts';
import { type CommandInput, type Context, Refused, UsageError } from './command.ts';
import { isYaml, loadYaml } from './config-text.ts';
import { Output } from './output.ts';
import {
  ADD_HELP,
  COMMANDS,
  createProgram,
  refuseUnknownCommand,
  usageMessage,
  withLeadingOptions,
} from './program.ts';

/** The parts of a process that commands use. */
export type Io = Pick<NodeJS.Process, 'env'> & {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
};

/** Runs one command. @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage */
export async function runAdmin(args: readonly string[], io: Io): Promise<number> {
  const argv = withLeadingOptions(args);
  const out = outputFor(io, argv.includes('--json'));
  if (argv.some((arg) => arg.includes('svc_sk_'))) {
    return fail(out, 2, {
      message: 'A key must not be an argument, since other users can read arguments. Set SVC_ADMIN_KEY.',
      type: 'usage',
    });
  }
  let code = 0;
  const program = createProgram(COMMANDS, io, async (command, input) => {
    code = (await command.run(input, contextOf(input, io, out))) ?? 0;
  });
  try {
    refuseUnknownCommand(argv, COMMANDS);
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.code.startsWith('commander.help')) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CommanderError || error instanceof UsageError) {
      return fail(out, 2, { message: usageMessage(error), type: 'usage' }, ADD_HELP);
    }
    if (error instanceof AdminApiError) {
      const { message, status, code, requestId } = error;
      return fail(out, 1, { message, type: status === undefined ? 'unreachable' : 'api', status, code, requestId });
    }
    if (error instanceof StoreUnavailable) {
      return fail(out, 1, { message: `${error.message}. ${AWS_HINT}`, type: 'unreachable' });
    }
    if (!isExpected(error)) throw error;
    return fail(out, 1, { message: messageOf(error), type: error instanceof Refused ? 'refused' : 'file' });
  } finally {
    out.endProgress();
  }
}

/** Only commands that use tables directly reach AWS. */
const AWS_HINT =
  'Check your AWS credentials (AWS_PROFILE), the region (AWS_REGION) and the names, which are outputs of the data stack.';

interface Failure {
  readonly message: string;
  readonly type: 'usage' | 'refused' | 'file' | 'api' | 'unreachable';
  readonly status?: number | undefined;
  readonly code?: string | null;
  readonly requestId?: string | null;
}

/** Prints an error, with --json as an object on standard output, and returns the exit code. */
function fail(out: Output, exitCode: number, failure: Failure, hint?: string): number {
  if (out.json) out.objects([{ error: failure }]);
  else {
    out.say(failure.type === 'usage' && hint ? `error: ${failure.message}` : failure.message);
    if (hint !== undefined) out.say(hint);
  }
  return exitCode;
}

function isExpected(error: unknown): error is Error {
  const isFileError = types.isNativeError(error) && 'syscall' in error;
  return error instanceof Refused || isFileError;
}

function messageOf(error: Error & { path?: string }): string {
  return error instanceof Refused ? error.message : `${error.path ?? 'the file'}: ${reasonOf(error)}`;
}

function outputFor({ stdout, stderr, env }: Io, json: boolean): Output {
  const wanted = Number(env.COLUMNS);
  const width = Number.isInteger(wanted) && wanted > 0 ? wanted : stdout.columns;
  return new Output({
    json,
    columns: stdout.isTTY === true ? width : undefined,
    stdout: (text) => stdout.write(text),
    stderr: (text) => stderr.write(text),
    showsProgress: stderr.isTTY === true && env.TERM !== 'dumb',
  });
}

function contextOf(input: CommandInput, io: Io, out: Output): Context {
  return {
    api: () => clientFor(input.text('url') ?? io.env.SVC_URL, io.env.SVC_ADMIN_KEY),
    out,
    confirm: (question) => (input.flag('yes') ? Promise.resolve() : confirm(question, io)),
    readJson: (file) => readJson(file, io.stdin, out),
    readSecret: (question) => readSecret(question, io),
    nowMs: Date.now(),
    untilStopped,
  };
}

const EXAMPLE_URL = 'http://127.0.0.1:8787/v1';

function clientFor(url: string | undefined, key: string | undefined): AdminClient {
  if (!url) throw new UsageError(`Set SVC_URL, or --url, to the address of the API, such as ${EXAMPLE_URL}.`);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new UsageError(`SVC_URL or --url is not an http or https address. An example: ${EXAMPLE_URL}.`);
  }
  if (!/\/v1\/?$/.test(parsed.pathname)) {
    throw new UsageError(`SVC_URL or --url must end in /v1. Did you mean '${parsed.origin}/v1'?`);
  }
  if (!key) throw new UsageError('Set SVC_ADMIN_KEY to a key with the permission admin.');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('SVC_ADMIN_KEY contains a space or another character that keys do not have.');
  return new AdminClient(url, key);
}

async function readJson(file: string, stdin: Io['stdin'], out: Output): Promise<unknown> {
  if (file === '-' && stdin.isTTY) out.say('Reads JSON from the terminal, until Ctrl-D.');
  const json = file === '-' ? await text(stdin) : await readFile(file, 'utf8');
  if (isYaml(file)) return parseYaml(file, json);
  return parseJsonFile(file === '-' ? 'stdin' : file, json, (message) => {
    throw new UsageError(message);
  });
}

/** @throws UsageError with the line; its message quotes nothing of the file */
async function parseYaml(file: string, yaml: string): Promise<unknown> {
  const { parseDocument } = await loadYaml();
  const document = parseDocument(yaml, { prettyErrors: true, stringKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw new UsageError(`${file}:${fault.linePos?.[0].line ?? 1}: not valid YAML`);
  try {
    return document.toJS();
  } catch (error) {
    throw error instanceof ReferenceError ? new UsageError(`${file}: too many aliases`) : error;
  }
}

/** Never an argument: other users can read arguments, and shells store them. */
async function readSecret(question: string, { stdin, stderr }: Io): Promise<string> {
  const typed = stdin.isTTY ? await typeUnseen(question, stdin, stderr) : await text(stdin);
  const secret = typed.trim();
  if (secret === '') throw new UsageError('No value was given. Pass it on standard input, or type it.');
  return secret;
}

async function typeUnseen(question: string, stdin: Io['stdin'], stderr: Io['stderr']): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: unseen, terminal: true });
  // From now on the terminal echoes nothing.
  stderr.write(`${question}: `);
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    stderr.write('\n');
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
