import { Option as CliOption, InvalidArgumentError, Command as Program } from 'commander';
import { callOf } from '../entry.ts';
import { type ArgumentHelp, type Command, CommandInput, helpOf, type Option, UsageError } from './command.ts';
import { ALERT_COMMANDS } from './commands/alerts.ts';
import { APPROVAL_COMMANDS } from './commands/approvals.ts';
import { AUDIT_COMMANDS } from './commands/audit.ts';
import { CONFIG_COMMANDS } from './commands/config.ts';
import { CREDENTIAL_COMMANDS } from './commands/credentials.ts';
import { EVENT_COMMANDS } from './commands/events.ts';
import { IDENTITY_COMMANDS } from './commands/identity.ts';
import { KEY_COMMANDS } from './commands/keys.ts';
import { MCP_COMMANDS } from './commands/mcp.ts';
import { OVERRIDE_COMMANDS } from './commands/override.ts';
import { POLICY_COMMANDS } from './commands/policy.ts';
import { PRICE_COMMANDS } from './commands/prices.ts';
import { PROVIDER_COMMANDS } from './commands/providers.ts';
import { ROUTE_COMMANDS } from './commands/routes.ts';
import { TEAM_COMMANDS } from './commands/teams.ts';
import { TOOL_COMMANDS } from './commands/tools.ts';
import { END_USER_COMMANDS, USAGE_COMMANDS } from './commands/usage.ts';
import { WEBHOOK_COMMANDS } from './commands/webhooks.ts';
import { completionCommand } from './completion.ts';
import { clean } from './output.ts';

const CALL = callOf('admin');
export const ADD_HELP = 'Add --help to see options and examples.';
/** Values that commander's messages repeat; they may be secrets. */
const VALUES = /(?<='--[\w-]+)=.*(?=')|(?<=but got \d+): .*|(?<=argument) '.*'(?= is invalid)/gs;

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  url: { value: 'URL', help: 'Address of the API, ending in /v1 (AdminUrl of the deployment). Default: SVC_URL.' },
  json: { help: 'Print JSON lines on standard output, for scripts; also an error.' },
  yes: { help: 'Do not ask for confirmation.' },
};

/** Of arguments without their own description. */
const ARGUMENTS: Readonly<Record<string, ArgumentHelp>> = {
  ID: { help: 'The id, as the list shows it.' },
  NAME: { help: 'A name for people.' },
  FILE: { help: 'A file with JSON.' },
};

/**
 * The command line: parses arguments, prints help and calls `run`. For wrong usage its `parseAsync` throws a CommanderError without
 * printing it; usageMessage has the text.
 */
export function createProgram(
  commands: readonly Command[],
  { stdout, stderr }: { readonly stdout: NodeJS.WritableStream; readonly stderr: NodeJS.WritableStream },
  run: (command: Command, input: CommandInput) => Promise<void>,
): Program {
  const program = new Program(CALL)
    .exitOverride()
    // Of `prices` and `prices set`, each has options of the same names: what follows `set` belongs to it.
    .enablePositionalOptions()
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
    })
    .configureHelp({
      visibleCommands: ({ commands: below }) =>
        below.flatMap((command) => [...(isGroup(command) ? [] : [command]), ...command.commands]),
      subcommandTerm: (command) =>
        [...namesOf(command), ...command.registeredArguments.map((argument) => argument.name())].join(' '),
    })
    .usage('COMMAND [options]')
    .addHelpText(
      'after',
      `\nVariables: SVC_URL, the address of the API; SVC_ADMIN_KEY, a key with the permission admin.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.
Options and examples of a command: ${CALL} keys create --help`,
    );
  for (const command of commands) addCommand(program, command, run);
  return program;
}

function addCommand(
  program: Program,
  command: Command,
  run: (command: Command, input: CommandInput) => Promise<void>,
): void {
  const [group = '', name] = command.name.split(' ');
  const parent = name === undefined ? program : groupOf(program, group);
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(([option, shape]) =>
    cliOption(option, shape),
  );
  const leaf = parent
    .command(name ?? group)
    .enablePositionalOptions()
    .description(command.summary)
    .addHelpText('after', ['\nExamples:', ...command.examples.map((example) => `  ${CALL} ${example}`)].join('\n'))
    .action(async () => {
      // A command that begins others, such as `routes`, takes the common options of these too.
      const values = leaf.optsWithGlobals<Record<string, unknown>>();
      const byName = options.map((option) => [option.name(), values[option.attributeName()]]);
      await run(command, new CommandInput(leaf.args, Object.fromEntries(byName)));
    });
  for (const name of command.args) {
    const about = command.argHelp?.[name] ?? ARGUMENTS[name];
    leaf.argument(`<${name}>`, about === undefined ? undefined : helpOf(about));
  }
  for (const option of options) leaf.addOption(option);
}

/** Whether commands of other commands follow its name, and it is none itself. */
function isGroup(command: Program): boolean {
  return command.commands.length > 0 && command.description() === '';
}

function groupOf(program: Program, name: string): Program {
  return (
    program.commands.find((command) => command.name() === name) ?? program.command(name).usage('COMMAND [options]')
  );
}

function cliOption(name: string, option: Option): CliOption {
  const { value, multiple } = option;
  if (value === undefined) return new CliOption(`--${name}`, helpOf(option));
  return new CliOption(`--${name} <${value}>`, helpOf(option)).argParser<string | readonly string[]>(
    (input, before = []) => {
      if (input.startsWith('--')) throw new InvalidArgumentError('A value is missing.');
      const chosen = chosenOf(input, option);
      return multiple ? [...before, chosen] : chosen;
    },
  );
}

/** The value as the API has it. Throws InvalidArgumentError if it is none of the choices. */
function chosenOf(input: string, { choices, list, open }: Option): string {
  if (choices === undefined || input === '') return input;
  const words = list ? input.split(',').map((word) => word.trim()) : [input];
  return words
    .map((word) => {
      const choice = choices.find((one) => one.toLowerCase() === word.toLowerCase());
      if (choice !== undefined || open) return choice ?? word;
      const near = nearest(word, choices);
      throw new InvalidArgumentError(
        `It must be ${list ? 'of' : 'one of'} ${choices.join(', ')}.${near ? ` Did you mean ${near}?` : ''}`,
      );
    })
    .join();
}

/** The message of a wrong call, without values, which may be secrets. */
export function usageMessage(error: Error): string {
  const text = error instanceof UsageError ? error.message : error.message.replace(VALUES, '');
  return clean(text.replace(/^error: /, '').replace(/\n/g, ' '));
}

/** The arguments with the common options that come before the command behind it. */
export function withLeadingOptions(argv: readonly string[]): readonly string[] {
  if (argv[0] === 'help') return [...argv.slice(1), '--help'];
  const moved: string[] = [];
  let at = 0;
  while (COMMON.test(argv[at] ?? '')) {
    const count = argv[at] === '--url' ? 2 : 1;
    moved.push(...argv.slice(at, at + count));
    at += count;
  }
  const words = argv.slice(at);
  const end = words.findIndex((word) => word.startsWith('-'));
  return end < 0 ? [...words, ...moved] : [...words.slice(0, end), ...moved, ...words.slice(end)];
}

const COMMON = /^--(?:json|yes|url(?:=.*)?)$/s;

/** Other words for a command. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  list: ['ls', 'all'],
  show: ['get', 'describe'],
  create: ['add', 'new', 'make'],
  update: ['edit', 'change', 'set'],
  delete: ['remove', 'rm', 'del'],
  revoke: ['remove', 'rm', 'del', 'delete'],
};

/** Throws UsageError for a word that is no command, with the nearest that is. */
export function refuseUnknownCommand(argv: readonly string[], commands: readonly Command[]): void {
  const end = argv.findIndex((word) => word.startsWith('-'));
  const [first, second] = end < 0 ? argv : argv.slice(0, end);
  if (first === undefined) return;
  const names = commands.map(({ name }) => name);
  const groups = new Map(
    names.map((name) => [name.split(' ')[0] ?? '', names.filter((one) => one.startsWith(`${name.split(' ')[0]} `))]),
  );
  const below = groups.get(first);
  if (below !== undefined && (below.length === 0 || second === undefined)) return;
  if (below === undefined) {
    const swapped = names.find((name) => name === `${second} ${first}`);
    const group = nearest(first, [...groups.keys()]);
    const full =
      group &&
      second &&
      nearest(
        second,
        (groups.get(group) ?? []).map((name) => name.slice(group.length + 1)),
      );
    const near = swapped ?? (full ? `${group} ${full}` : group);
    throw new UsageError(
      `unknown command '${first}'. ${near ? `Did you mean '${near}'?` : `The first word is one of ${[...groups.keys()].join(', ')}.`}`,
    );
  }
  const words = below.map((name) => name.slice(first.length + 1));
  if (words.includes(second ?? '')) return;
  const near = nearest(second ?? '', words) ?? words.find((word) => SYNONYMS[word]?.includes(second ?? ''));
  throw new UsageError(
    `unknown command '${first} ${second}'. ${near ? `Did you mean '${first} ${near}'?` : `'${first}' has ${words.join(', ')}.`}`,
  );
}

/** The candidate that a word begins, or that few changed letters make of it. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.min(lower.length, candidate.length) * 0.4))
    .sort((a, b) => a.distance - b.distance);
  const begun =
    lower.length > 1 ? candidates.find((candidate) => candidate.toLowerCase().startsWith(lower)) : undefined;
  return best?.candidate ?? begun;
}

/** Inserted, deleted, replaced and swapped letters (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]?.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}

function namesOf(command: Program): string[] {
  return command.parent === null ? [] : [...namesOf(command.parent), command.name()];
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...KEY_COMMANDS,
  ...ALERT_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...POLICY_COMMANDS,
  ...OVERRIDE_COMMANDS,
  ...PROVIDER_COMMANDS,
  ...TEAM_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...ROUTE_COMMANDS,
  ...PRICE_COMMANDS,
  ...IDENTITY_COMMANDS,
  ...USAGE_COMMANDS,
  ...EVENT_COMMANDS,
  ...TOOL_COMMANDS,
  ...MCP_COMMANDS,
  ...APPROVAL_COMMANDS,
  ...AUDIT_COMMANDS,
  ...CONFIG_COMMANDS,
  ...END_USER_COMMANDS,
  completionCommand(() => ({ commands: COMMANDS, common: COMMON_OPTIONS })),
];
