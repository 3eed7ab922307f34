import type { Rule } from '../core/inspect/rule.ts';
import type { TextInspector } from '../core/inspect/text-inspector.ts';
import type { ReplayEngine } from '../core/replay/replay.ts';
import { CONVERSATION_SIGNAL_RULES } from '../detectors/conversation.ts';
import { ALL_RULES, createInspector } from '../detectors/index.ts';

const BY_ID: ReadonlyMap<string, Rule> = new Map(
  [...ALL_RULES, ...CONVERSATION_SIGNAL_RULES].map((rule) => [rule.id, rule]),
);

let own: TextInspector | undefined;

/** The gateway's own engine. @param inspector an existing inspector to reuse */
export function replayEngine(inspector: TextInspector | undefined): ReplayEngine {
  const judge = inspector ?? own ?? createInspector();
  own = judge;
  return { ruleOf: (id) => BY_ID.get(id), inspector: judge };
}
