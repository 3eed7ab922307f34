import { type Action, type CallOrigin, type Reason, usualPath, withoutUnusualNames } from '../../kernel/model/index.ts';
import type { Rule } from '../matching/index.ts';
import { CALL_RULES, type CallFinding } from '../tool-calls/index.ts';

/** Why a call may not be sent. */
export interface Doubt {
  readonly rule: Rule;
  readonly score: number;
  readonly action: Exclude<Action, 'allow' | 'redact'>;
  /** Path of the doubtful argument; null if the call as a whole is. */
  readonly argument: string | null;
  /** As the end of a sentence about the argument or the call. It repeats no value. */
  readonly reason: string;
  /** Where its values come from; undefined if only a rule of the policy forbids it. */
  readonly origin?: CallOrigin | undefined;
  readonly reasons?: readonly Reason[] | undefined;
}

/** A doubt about where a call comes from. */
export function ofFinding(call: string, found: CallFinding, action: Doubt['action']): Doubt {
  const { category, score, argument, isFromUser: user, sources, isOrdered: ordered } = found;
  return {
    rule: CALL_RULES[category],
    score,
    action: actionFor(found, action),
    argument,
    reason: reasonOf(found),
    // A model or a third party may have chosen the names.
    origin: withoutUnusualNames({ call, argument, user, sources: [...sources], ordered }),
    ...(found.isDelegated && { reasons: ['delegated'] }),
  };
}

function actionFor({ isDelegated, hasSecret }: CallFinding, action: Doubt['action']): Doubt['action'] {
  // A user who leaves it to a document what to do may mean just that.
  if (isDelegated) return action === 'block' ? 'flag' : action;
  return hasSecret && action === 'ask' ? 'block' : action;
}

function reasonOf({ category, hasSecret, sources: [source] }: CallFinding): string {
  if (source === undefined) return 'is not in what the user wrote';
  const from = source.tool === null ? 'a document' : `the result of ${source.tool}`;
  if (category === 'private_data_out')
    return `is not in what the user wrote, and ${hasSecret ? 'a secret' : 'data'} of ${from} would go there`;
  return `comes from ${from} and not from the user`;
}

/** What the client and its model read instead of a call: where the doubt comes from, without any value. */
export function removalText(tool: string, { argument, reason }: Doubt): string {
  const what = argument === null ? 'it' : `its argument "${usualPath(argument)}"`;
  return `[The call of ${tool} was blocked by the security policy: ${what} ${reason}. Ask the user before you try again.]`;
}
