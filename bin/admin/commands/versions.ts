import type { Command, CommandInput } from '../command.ts';
import { UsageError } from '../command.ts';
import type { Output } from '../output.ts';

/** Of commands that replace a document. */
export const IF_VERSION: Command['options'] = { 'if-version': { value: 'N', help: 'Replace only this version.' } };

/** The header of `--if-version`; empty without it. */
export function ifVersion(input: CommandInput): Record<string, string> {
  return input.text('if-version') === undefined ? {} : { 'if-match': `"${input.number('if-version')}"` };
}

/** The argument VERSION. @throws UsageError */
export function versionArgument(input: CommandInput): number {
  if (!/^\d{1,15}$/.test(input.arg(0))) throw new UsageError('VERSION is a number, such as 3.');
  return Number(input.arg(0));
}

/** Says which members a write changes, with both values. */
export function sayChanges(before: object, after: object, out: Output): void {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [one, other] = [was, is].map((from) => JSON.stringify(from.get(name)) ?? 'none');
    if (one !== other) out.say(`  ${name}: ${one} -> ${other}`);
  }
}
