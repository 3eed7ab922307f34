import type { Command } from './command.ts';
import { COMMON } from './given.ts';

const CALL = 'npm run --silent admin --';

/** How a command is called, what its options are, and examples. */
export function helpFor(command: Command): string {
  return [
    command.summary,
    '',
    callOf(command),
    '',
    ...optionLines(command.options),
    ...optionLines(COMMON),
    '',
    'The key is read from the variable SVC_ADMIN_KEY.',
    '',
    ...command.examples.map((example) => `  ${CALL} ${example}`),
  ].join('\n');
}

/** How a command is called, in a line. */
export function callOf({ name, args }: Command): string {
  return `usage: ${[CALL, name, ...args].join(' ')} [options]; --help tells them`;
}

/** All commands, a line each. */
export function overview(commands: readonly Command[]): string {
  const calls = commands.map(({ name, args }) => [name, ...args].join(' '));
  const width = Math.max(...calls.map(({ length }) => length));
  return [
    `usage: ${CALL} COMMAND [options]; COMMAND --help tells its options`,
    '',
    ...commands.map(({ summary }, at) => `  ${(calls[at] ?? '').padEnd(width)}  ${summary}`),
    '',
    'The API is named by --url or SVC_URL, the key by SVC_ADMIN_KEY. Exit codes: 0 done, 1 refused or failed, 2 wrong call.',
  ].join('\n');
}

function optionLines(options: Command['options']): string[] {
  return Object.entries(options).map(([name, { value, help, multiple }]) => {
    const call = `--${name}${value === undefined ? '' : ` ${value}`}`;
    return `  ${call.padEnd(28)} ${help}${multiple ? ' May be given again.' : ''}`;
  });
}
