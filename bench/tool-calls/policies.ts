import { CallRules } from '../../functions/inspection/calls/call-rules.ts';
import { ofFinding } from '../../functions/inspection/calls/doubts.ts';
import type { TextInspector } from '../../functions/inspection/matching/index.ts';
import { policyOf } from '../../functions/inspection/policy/index.ts';
import type { CallFinding } from '../../functions/inspection/tool-calls/call-scorer.ts';
import { CALL_RULES } from '../../functions/inspection/tool-calls/rules.ts';
import { type Action, strongerAction } from '../../functions/kernel/model/index.ts';
import { finish } from '../../functions/kernel/tasks/index.ts';
import { EXAMPLE_POLICIES } from '../../test/support/example-policies.ts';
import type { Case } from '../../training/tool-calls/scenes.ts';

/** The example of docs/reference/tool-rules.md for each domain; it has none for the others. */
const EXAMPLES: Readonly<Record<string, string>> = { mail: 'mail', money: 'payments', coding: 'coding' };

/** What the example policy of its domain does with a call; undefined if there is no example. */
export async function actionOfExample(
  { domain, messages, tools, call }: Case,
  finding: (from: number) => CallFinding | undefined,
  inspector: TextInspector,
): Promise<Action | undefined> {
  const settings = EXAMPLE_POLICIES[EXAMPLES[domain] ?? ''];
  if (settings === undefined) return undefined;
  const policy = policyOf(settings);
  const rules = await CallRules.of(policy, { messages, tools }, inspector);
  if (rules === undefined) throw new Error(`the example for ${domain} has no rules`);
  const made = { name: call.tool, arguments: JSON.stringify(call.arguments) };
  const doubts = [...finish(rules.doubtsAbout(made, messages.length, () => false)).doubts];
  const found = finding(policy.output.tool_misuse.threshold);
  if (found !== undefined) {
    const rule = CALL_RULES[found.category];
    const action = policy.decide({ rule, score: found.score, start: 0, end: 0, decodedFrom: [] }, 'output');
    if (action !== 'allow' && action !== 'redact') doubts.push(ofFinding(call.tool, found, action));
  }
  return doubts.reduce<Action>((strongest, { action }) => strongerAction(strongest, action), 'allow');
}
