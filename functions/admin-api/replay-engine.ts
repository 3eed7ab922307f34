import {
  ALL_RULES,
  CANARY_RULE,
  CONVERSATION_SIGNAL_RULES,
  createInspector,
  HARM_RULES,
  INJECTION_RULES,
  LOST_VALUE_RULE,
  PROMPT_OVERLAP_RULE,
  PROVIDER_KEY_RULE,
  type Rule,
  type TextInspector,
} from '../inspection/index.ts';
import type { ReplayEngine } from '../replay/index.ts';

const BY_ID: ReadonlyMap<string, Rule> = new Map(
  [
    ...ALL_RULES,
    ...CONVERSATION_SIGNAL_RULES,
    ...INJECTION_RULES,
    ...HARM_RULES,
    CANARY_RULE,
    LOST_VALUE_RULE,
    PROMPT_OVERLAP_RULE,
    PROVIDER_KEY_RULE,
  ].map((rule) => [rule.id, rule]),
);

let own: TextInspector | undefined;

/** The gateway's own engine. @param inspector an existing inspector to reuse; otherwise one is created on first use */
export function replayEngine(inspector: TextInspector | undefined): ReplayEngine {
  return {
    ruleOf: (id) => BY_ID.get(id),
    get inspector() {
      if (inspector !== undefined) return inspector;
      own ??= createInspector();
      return own;
    },
  };
}
