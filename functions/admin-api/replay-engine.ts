import { HARM_RULES, INJECTION_RULES } from '../inspection/detectors/classifier/classifier.ts';
import { CONVERSATION_SIGNAL_RULES } from '../inspection/detectors/conversation.ts';
import { ALL_RULES, createInspector } from '../inspection/detectors/index.ts';
import type { Rule, TextInspector } from '../inspection/matching/index.ts';
import { CANARY_RULE, LOST_VALUE_RULE, PROMPT_OVERLAP_RULE, PROVIDER_KEY_RULE } from '../inspection/output/index.ts';
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
