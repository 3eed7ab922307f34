import { matchesGlob, type ToolPolicy } from '../../kernel/model/index.ts';
import type { ToolTally } from './tool-tally.ts';

/** The ids of the rules for none of these tools: they would have looked at no call. None if not all tools are known. */
export function unmatchedRules(
  { rules = [] }: Pick<ToolPolicy, 'rules'>,
  tools: readonly Pick<ToolTally, 'tool' | 'effect'>[],
): string[] {
  // Records have unusual names as `*`: those may be of any rule.
  if (tools.length === 0 || tools.some(({ tool }) => tool.includes('*'))) return [];
  const isUsed = ({ tool: glob, effects }: (typeof rules)[number]) =>
    tools.some(({ tool, effect }) => matchesGlob(glob, tool) && (effects?.includes(effect) ?? true));
  return rules.flatMap((rule) => (isUsed(rule) ? [] : [rule.id]));
}
