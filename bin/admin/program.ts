import { Option as CliOption, InvalidArgumentError, Command as Program } from 'commander';
import { type Command, CommandInput, type Option, UsageError } from './command.ts';
import { AUDIT_COMMANDS } from './commands/audit.ts';
import { CONFIG_COMMANDS } from './commands/config.ts';
import { EVENT_COMMANDS } from './commands/events.ts';
import { KEY_COMMANDS } from './commands/keys.ts';
import { POLICY_COMMANDS } from './commands/policy.ts';
import { PROVIDER_COMMANDS } from './commands/providers.ts';
import { ROUTE_COMMANDS } from './commands/routes.ts';
import { END_USER_COMMANDS, USAGE_COMMANDS } from './commands/usage.ts';
import { WEBHOOK_COMMANDS } from './commands/webhooks.ts';

const CALL = 'npm run --silent admin --';
/** Values that commander's messages repeat; they may be secrets. */
const VALUES = /(?<='--[\w-]+)=.*(?=')|(?<=but got \d+): .*|(?<=argument) '.*'(?= is invalid)/gs;

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  url: { value: 'URL', help: 'Address of the API, ending in /v1 (AdminUrl of the deployment). Default: SVC_URL.' },
  json: { help: 'Print JSON lines, for scripts.' },
  yes: { help: 'Do not ask for confirmation.' },
};

/**
 * The command line: parses arguments, prints help and calls `run`.
 * For wrong usage, or a UsageError of `run`, its `parseAsync` prints the reason to stderr and throws a CommanderError.
 */
export function createProgram(
  commands: readonly Command[],
  { stdout, stderr }: { readonly stdout: NodeJS.WritableStream; readonly stderr: NodeJS.WritableStream },
  run: (command: Command, input: CommandInput) => Promise<void>,
): Program {
  const program = new Program(CALL)
    .exitOverride()
    .helpOption('--help', 'Show this help.')
    .helpCommand(false)
    .showHelpAfterError('Add --help to see options and examples.')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(text.replace(VALUES, '')),
    })
    .configureHelp({
      visibleCommands: ({ commands: below }) =>
        below.flatMap((command) => (command.commands.length > 0 ? [...command.commands] : [command])),
      subcommandTerm: (command) =>
        [...namesOf(command), ...command.registeredArguments.map((argument) => argument.name())].join(' '),
    })
    .usage('COMMAND [options]')
    .addHelpText(
      'after',
      '\nThe API key is read from SVC_ADMIN_KEY.\nExit codes: 0 done, 1 refused or failed, 2 wrong usage.',
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
    .description(command.summary)
    .addHelpText('after', ['\nExamples:', ...command.examples.map((example) => `  ${CALL} ${example}`)].join('\n'))
    .action(async () => {
      const values = leaf.opts<Record<string, unknown>>();
      const byName = options.map((option) => [option.name(), values[option.attributeName()]]);
      try {
        await run(command, new CommandInput(leaf.args, Object.fromEntries(byName)));
      } catch (error) {
        if (error instanceof UsageError) leaf.error(`error: ${error.message}`);
        throw error;
      }
    });
  for (const argument of command.args) leaf.argument(`<${argument}>`);
  for (const option of options) leaf.addOption(option);
}

function groupOf(program: Program, name: string): Program {
  return (
    program.commands.find((command) => command.name() === name) ?? program.command(name).usage('COMMAND [options]')
  );
}

function cliOption(name: string, { value, multiple, help }: Option): CliOption {
  if (value === undefined) return new CliOption(`--${name}`, help);
  const text = multiple ? `${help} May be repeated.` : help;
  return new CliOption(`--${name} <${value}>`, text).argParser<string | readonly string[]>((input, before = []) => {
    if (input.startsWith('--')) throw new InvalidArgumentError('A value is missing.');
    return multiple ? [...before, input] : input;
  });
}

function namesOf(command: Program): string[] {
  return command.parent === null ? [] : [...namesOf(command.parent), command.name()];
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...KEY_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...POLICY_COMMANDS,
  ...PROVIDER_COMMANDS,
  ...ROUTE_COMMANDS,
  ...USAGE_COMMANDS,
  ...EVENT_COMMANDS,
  ...AUDIT_COMMANDS,
  ...CONFIG_COMMANDS,
  ...END_USER_COMMANDS,
];
