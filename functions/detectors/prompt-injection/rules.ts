import type { Rule } from '../../core/inspect/rule.ts';
import { scoreAsCommand } from '../discourse.ts';
import { OVERRIDE_CUES, scoreOverride } from '../languages/override.ts';
import { SAID } from '../own-words.ts';
import { DISMISS, EARLIER, GIVEN_EARLIER, INSTRUCTIONS, SET_ASIDE, TAKEOVER, WHICH } from './phrases.ts';

const SHARED = {
  type: 'prompt_injection',
  severity: 'high',
  view: 'folded',
  surfaces: ['user', 'system'],
  owasp: 'LLM01:2025',
  atlas: 'AML.T0051.000',
} as const;

/** Instructions that the writer gave, who may take them back, or what the model answered. */
const OF_THE_CONVERSATION = /\bmy\s|\bi (?:gave|told)$|\byou (?:\w+ )?(?:said|wrote|written)$/;

const OVERRIDE_INSTRUCTIONS: Rule = {
  ...SHARED,
  id: 'prompt-injection/override-instructions',
  category: 'instruction_override',
  score: 0.95,
  patterns: [
    `\\b${DISMISS}\\s+${WHICH}*${EARLIER}+(?:\\w+\\s+){0,1}${INSTRUCTIONS}\\b`,
    `\\b${SET_ASIDE}\\s+${WHICH}*${GIVEN_EARLIER}+(?:\\w+\\s+){0,1}${INSTRUCTIONS}\\b`,
    `\\b${DISMISS}\\s+${WHICH}*(?:\\w+\\s+){0,1}${INSTRUCTIONS}\\s+(?:(?:that\\s+)?(?:you\\s+(?:were|have been|had been|are|got|have|received)|i\\s+(?:gave|told)|(?:were|was)\\s+given|given to you|came|come|provided|written)\\b|above|before|prior|so far|until now|up to now|from (?:above|before|your|the (?:system|developer)))`,
    `\\b${DISMISS}\\s+(?:everything|anything|all|whatever)\\s+(?:that\\s+)?(?:(?:was|is|you|has been|you've been|you have been|you were|were|been)\\s+(?:\\w+\\s+)?(?:told|said|instructed|taught|written|wrote|given|learned|programmed)|above|before (?:this|that|now)|prior to this|(?:that )?(?:came|comes) before|you know about)`,
    `\\b${DISMISS}\\s+(?:everything|anything|all|whatever|what)\\s+(?:that\\s+)?i(?:'ve|\\s+have)?\\s+(?:\\w+\\s+){0,2}${SAID}\\b[^\\n]{0,80}\\b${TAKEOVER}\\b`,
    `\\b(?:ignore|disregard|forget)\\s+(?:your|all(?: of)? your|all(?: of)? the|all)\\s+(?:\\w+\\s+){0,1}${INSTRUCTIONS}\\b`,
  ],
  check: (match, context) => {
    const isOwn = context.isThirdPartys === undefined && OF_THE_CONVERSATION.test(match);
    return scoreAsCommand(isOwn ? 0.4 : 0.95, context);
  },
  message: 'Text orders the model to drop the instructions that it was given.',
};

const OVERRIDE_OTHER_LANGUAGES: Rule = {
  ...SHARED,
  id: 'prompt-injection/override-other-languages',
  category: 'instruction_override',
  score: 0.9,
  patterns: [],
  cues: OVERRIDE_CUES,
  check: scoreOverride,
  message: 'Text orders the model, in a language other than English, to drop the instructions that it was given.',
};

const INSTRUCTION_PRIORITY: Rule = {
  ...SHARED,
  id: 'prompt-injection/instruction-priority',
  category: 'instruction_override',
  score: 0.88,
  patterns: [
    `\\b(?:this|these|the following|my|new)\\s+(?:new\\s+|updated\\s+)?(?:instructions?|directives?|commands?|prompts?)\\s+(?:\\w+\\s+){0,2}(?:supersedes?|overrides?|replaces?|overrules?|takes? (?:precedence|priority) over|ha(?:s|ve) priority over|cancels?)\\s+${WHICH}*(?:${EARLIER}+(?:\\w+\\s+)?|system\\s+)${INSTRUCTIONS}`,
    `\\b${EARLIER}+${INSTRUCTIONS}\\s+(?:are|is|have been|has been|were)\\s+(?:now\\s+)?(?:void|null|invalid|cancell?ed|revoked|obsolete|outdated|superseded|no longer (?:valid|apply|applicable|in effect)|overridden|to be (?:ignored|disregarded)|a (?:lie|test|joke))\\b`,
  ],
  check: (_, context) => scoreAsCommand(0.88, context),
  message: 'Text claims to rank above the instructions that the model was given.',
};

const NEW_INSTRUCTIONS: Rule = {
  ...SHARED,
  id: 'prompt-injection/new-instructions',
  category: 'instruction_override',
  severity: 'medium',
  score: 0.6,
  patterns: [
    `\\b(?:your|here are(?: your)?|here is(?: your)?|follow (?:these|this|the|my)|the real)\\s+(?:new|real|actual|true|updated|next and final)\\s+(?:system\\s+|secret\\s+|main\\s+|primary\\s+)?(?:${INSTRUCTIONS}|task|objective|goal|mission|purpose)\\b`,
    '(?:^|[\\n.!>*#=-])\\s*(?:new|updated|revised|real|additional|important new)\\s+(?:system\\s+|user\\s+)?(?:instructions?|directives?|orders|prompt)\\s*[:!]',
    '\\b(?:from now on|starting now|henceforth|from this point (?:on|forward))[,:]?\\s+(?:you\\s+(?:are|will be|shall be)\\s+(?:no longer|now)|(?:you\\s+)?(?:ignore|disregard|only (?:obey|listen to|follow) me))',
    '\\byou are no longer (?:an? )?(?:ai|assistant|chatbot|language model|bound|required|restricted|limited|subject|obliged|chatgpt|claude)\\b',
  ],
  check: (_, context) => scoreAsCommand(0.6, context),
  message: 'Text hands the model new instructions in the place of those it was given.',
};

const FAKE_TURN: Rule = {
  ...SHARED,
  id: 'prompt-injection/fake-turn',
  category: 'role_markup',
  score: 0.75,
  patterns: [
    '<\\|(?:im_start|start_header_id|im_sep)\\|>\\s*(?:system|developer|assistant)',
    '<\\|(?:system|developer|assistant|endofprompt|begin_of_text|eot_id|im_end)\\|>',
    '<<\\s*sys\\s*>>|\\[/inst\\]\\s*\\[inst\\]',
    '</(?:system|system_prompt|systemprompt|user_input|user_query|untrusted|context|document)>\\s*<(?:system|instructions?|admin|developer)>',
    '(?:^|\\n)\\s*(?:#{1,4}|\\[|<|\\*\\*|"{3}|-{3,}|={3,})\\s*(?:system|developer|admin(?:istrator)?|root)\\s*(?:prompt|message|instructions?|override|command|note|update|alert)?\\s*(?:\\]|>|\\*\\*|"{3}|-{3,}|={3,}|:)\\s*:?\\s*(?:you (?:must|will|shall|are now|have to|answer everything)|ignore|disregard|forget|new (?:instructions?|rules?|task)|override|from now|do not follow|stop following|reveal|print)\\b',
  ],
  message: 'Text imitates the markup that separates the turns of a conversation.',
};

const CLAIMED_AUTHORITY: Rule = {
  ...SHARED,
  id: 'prompt-injection/claimed-authority',
  category: 'authority',
  severity: 'medium',
  score: 0.65,
  patterns: [
    '\\b(?:system|admin|administrator|developer|root|security|emergency|maintenance|sudo)\\s+(?:level\\s+)?override(?:\\s+(?:code|command|sequence|protocol|mode|accepted|authorized|activated|engaged|initiated))?\\s*[:!.\\]-]',
    "\\b(?:this is|i am|i'm|as)\\s+(?:your|the)\\s+(?:developer|creator|administrator|admin|system administrator|programmer|owner|engineer|lead developer)\\b[^.\\n]*\\b(?:override|ignore|disable|unlock|bypass|debug mode|full access|reveal|grant)\\b",
    "\\b(?:i am|i'm|this is)\\s+(?:an?\\s+)?(?:openai|anthropic|google|microsoft|meta)\\s+(?:employee|engineer|developer|researcher|staff|administrator|admin)\\b",
    '\\b(?:enter|enable|activate|switch to|go into|initiate|you are (?:now )?in)\\s+(?:\\w+\\s+)?(?:admin|administrator|root|sudo|god|unrestricted|no-filter|unfiltered)\\s+mode\\b',
  ],
  check: (_, context) => scoreAsCommand(0.65, context),
  message: 'Text claims an authority that would free the model from its instructions.',
};

const END_OF_INPUT: Rule = {
  ...SHARED,
  id: 'prompt-injection/end-of-input',
  category: 'role_markup',
  severity: 'medium',
  score: 0.7,
  patterns: [
    "(?:[-=#*<[/]{2,}|\\[|<)\\s*(?:end of|end|/end)\\s+(?:of\\s+)?(?:the\\s+)?(?:user(?:'s)?\\s+)?(?:document|context|input|text|prompt|data|query|message|email|system prompt|instructions)s?\\s*(?:[-=#*>\\]]{1,}|\\n)\\s*(?:\\S+\\s+){0,6}(?:ignore|disregard|instead|new (?:task|instructions?)|now|system|you (?:must|are|should|will))\\b",
    "\\b(?:the )?(?:user(?:'s)? )?(?:input|prompt|document|text|context) (?:ends|ended|is over|stops) here\\b",
  ],
  message: 'Text pretends that the untrusted part of the prompt is over.',
};

const FORCED_ANSWER: Rule = {
  ...SHARED,
  id: 'prompt-injection/forced-answer',
  category: 'goal_hijacking',
  severity: 'medium',
  score: 0.7,
  patterns: [
    "\\b(?:do not|don't|instead of)\\s+(?:answer(?:ing)?|translat(?:e|ing)|summari[sz](?:e|ing)|classify(?:ing)?|respond(?:ing)? to|do(?:ing)?|follow(?:ing)?|complet(?:e|ing))\\s+(?:\\w+\\s+){1,6}[^.\\n]*\\b(?:just|instead|simply|only)[,\\s]+(?:say|print|output|write|respond with|reply with|tell|repeat)\\b",
    '\\b(?:ignore|disregard|forget)\\s+(?:everything|all(?: of (?:this|that|the above))?|the above|the (?:text|question|prompt|content|document|sentence) above)(?:\\s+(?:else|above|before))?\\s*(?:[,.;:!]|and|&|\\bbut\\b)\\s*(?:\\w+\\s+){0,2}(?:say|print|output|write|respond|reply|tell me|repeat|give|answer|just|only|instead|reveal|show|explain|generate|translate|act|pretend|concentrate|focus|forget|start)\\b',
  ],
  check: (_, context) => scoreAsCommand(0.7, context),
  message: 'Text turns the model away from its task towards a given answer.',
};

/** Rules for what a user writes; `indirect.ts` applies the same to tool results. */
export const PROMPT_INJECTION_RULES: readonly Rule[] = [
  OVERRIDE_INSTRUCTIONS,
  OVERRIDE_OTHER_LANGUAGES,
  INSTRUCTION_PRIORITY,
  NEW_INSTRUCTIONS,
  FAKE_TURN,
  CLAIMED_AUTHORITY,
  END_OF_INPUT,
  FORCED_ANSWER,
];
