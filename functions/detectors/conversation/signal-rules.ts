import type { Rule } from '../../core/inspect/rule.ts';

const SHARED = { view: 'folded', patterns: [], surfaces: ['user'], severity: 'medium', owasp: 'LLM01:2025' } as const;

/** What shows in no text: the inspector looks for it in the whole conversation (core/inspect/requests). */
export const CONVERSATION_SIGNAL_RULES: readonly Rule[] = [
  {
    ...SHARED,
    id: 'conversation/assembled-payload',
    type: 'obfuscation',
    category: 'split_payload',
    score: 0.65,
    signal: 'assembled',
    message: 'The message asks to act on a text that earlier messages gave in pieces.',
    atlas: 'AML.T0051.000',
  },
  {
    ...SHARED,
    id: 'conversation/staged-answers',
    type: 'jailbreak',
    category: 'many_shot',
    score: 0.7,
    signal: 'staged',
    message: 'The history holds made-up answers that teach the model to comply with anything.',
    atlas: 'AML.T0054',
  },
];
