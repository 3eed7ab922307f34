import { matchesGlob, type ToolPolicy, usualPath } from '../../kernel/model/index.ts';
import type { ToolTally } from './tool-tally.ts';

type Rule = NonNullable<ToolPolicy['rules']>[number];
type CalledTool = Pick<ToolTally, 'tool' | 'effect'> & { readonly arguments: ReadonlyMap<string, unknown> };

/** What rules name and no call had. */
export interface Unmatched {
  /** Ids of the rules for none of the tools. */
  readonly rules: string[];
  /** Arguments of the other rules. */
  readonly arguments: { rule: string; argument: string }[];
}

/** The tools and arguments that the rules of a policy name and no recorded call had: misspelled ones. Nothing if there was no call. */
export function unmatchedIn({ rules = [] }: Pick<ToolPolicy, 'rules'>, tools: readonly CalledTool[]): Unmatched {
  const unmatched: Unmatched = { rules: [], arguments: [] };
  if (tools.length === 0) return unmatched;
  for (const rule of rules) {
    // Records have unusual names as `*`: a rule for such a name may have been used.
    if (!isUsual(rule.tool)) continue;
    const called = tools.filter(({ tool, effect }) => isFor(rule, tool, effect));
    if (called.length === 0) unmatched.rules.push(rule.id);
    else if (called.every(hasAllArguments)) {
      const missing = argumentsOf(rule).filter(
        (path) => isUsual(path) && !called.some((one) => hasArgument(one, path)),
      );
      unmatched.arguments.push(...missing.map((argument) => ({ rule: rule.id, argument })));
    }
  }
  return unmatched;
}

function isFor({ tool: glob, effects }: Rule, tool: string, effect: ToolTally['effect']): boolean {
  return matchesGlob(glob, tool) && (effects?.includes(effect) ?? true);
}

/** Whether records have the arguments of a tool: not of one that reads, and of one that executes only those that look harmful. */
function hasAllArguments({ effect, arguments: all }: CalledTool): boolean {
  return effect !== 'read' && effect !== 'execute' && all.size > 0;
}

function argumentsOf({ args = {}, total }: Rule): readonly string[] {
  return [...new Set([...Object.keys(args), ...(total?.arg === undefined ? [] : [total.arg])])];
}

/** Whether a call had an argument, or a part of it. Tools take a single text in place of a list. */
function hasArgument({ arguments: all }: CalledTool, path: string): boolean {
  const wanted = plain(path).replace(/\.?\*\*$/, '');
  return wanted === '' || [...all.keys()].map(plain).some((one) => one === wanted || one.startsWith(`${wanted}.`));
}

function plain(path: string): string {
  return path.replaceAll('[*]', '');
}

/** Whether records have a name or path unchanged. */
function isUsual(glob: string): boolean {
  const written = plain(glob).replaceAll('*', '_');
  return usualPath(written) === written;
}
