import { CANARY_RULE } from '../core/inspect/output/canary.ts';
import { LOST_VALUE_RULE } from '../core/inspect/output/lost-values.ts';
import { PROMPT_OVERLAP_RULE } from '../core/inspect/output/prompt-overlap.ts';
import { PROVIDER_KEY_RULE } from '../core/inspect/output/provider-keys.ts';
import type { Rule } from '../core/inspect/rule.ts';
import type { TextInspector } from '../core/inspect/text-inspector.ts';
import type { ReplayEngine } from '../core/replay/replay.ts';
import { HARM_RULES, INJECTION_RULES } from '../detectors/classifier/classifier.ts';
import { CONVERSATION_SIGNAL_RULES } from '../detectors/conversation.ts';
import { ALL_RULES, createInspector } from '../detectors/index.ts';

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
