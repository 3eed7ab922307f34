import { CALL_RULES } from '../tool-calls/index.ts';
import type { Uninspected } from './call-gate.ts';
import type { Doubt } from './doubts.ts';

/** Calls that cannot be inspected: for `coverage.skipped`, and as the end of a sentence. */
export const UNINSPECTED: Readonly<Record<Uninspected, { readonly skipped: string; readonly reason: string }>> = {
  costly: {
    skipped: 'tool calls: the CPU budget of the inspection was used up',
    reason: 'could not be inspected in time',
  },
  renamed: {
    skipped: 'tool calls: one changes its name',
    reason: 'has another name in the response, too',
  },
  incomplete: { skipped: 'tool calls: one is incomplete', reason: 'is incomplete' },
};

/** The doubt about a held call that cannot be inspected. */
export function uninspected(why: Uninspected): Doubt {
  const { reason } = UNINSPECTED[why];
  const rule = { ...CALL_RULES.tool_policy, message: `A held tool call cannot be inspected: it ${reason}.` };
  return { rule, score: 0, action: 'block', argument: null, reason };
}
