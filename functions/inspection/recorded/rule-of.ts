import { ALL_RULES, CONVERSATION_SIGNAL_RULES, HARM_RULES, INJECTION_RULES } from '../detectors/index.ts';
import type { Rule } from '../matching/index.ts';
import { CANARY_RULE, LOST_VALUE_RULE, PROMPT_OVERLAP_RULE } from '../output/index.ts';
import { PROVIDER_KEY_RULE } from '../report/index.ts';
import { CALL_RULES } from '../tool-calls/index.ts';
import { TOOL_SHADOWED_RULE } from '../tool-definitions/index.ts';

let byId: ReadonlyMap<string, Rule> | undefined;

/** The built-in rule with this id, as records name it; undefined if it no longer exists. */
export function ruleOf(id: string): Rule | undefined {
  byId ??= new Map(allRules().map((rule) => [rule.id, rule]));
  return byId.get(id);
}

/** Every rule with a fixed id: those of the inspector, and those of detectors for what is specific to a request. */
function allRules(): readonly Rule[] {
  return [
    ...ALL_RULES,
    ...CONVERSATION_SIGNAL_RULES,
    ...INJECTION_RULES,
    ...HARM_RULES,
    CANARY_RULE,
    LOST_VALUE_RULE,
    PROMPT_OVERLAP_RULE,
    PROVIDER_KEY_RULE,
    ...Object.values(CALL_RULES),
    TOOL_SHADOWED_RULE,
  ];
}
