import { Inspector } from '../core/inspect/inspector.ts';
import type { Rule } from '../core/inspect/rule.ts';
import { createClassifier } from './classifier/index.ts';
import { CODE_INJECTION_RULES } from './code-injection.ts';
import { CONVERSATION_RULES, CONVERSATION_SIGNAL_RULES } from './conversation.ts';
import { DATA_EXFILTRATION_RULES } from './data-exfiltration.ts';
import { DENIAL_OF_WALLET_RULES } from './denial-of-wallet.ts';
import { INDIRECT_INJECTION_RULES } from './indirect-injection.ts';
import { JAILBREAK_RULES } from './jailbreak.ts';
import { MALICIOUS_URL_RULES } from './malicious-url/rules.ts';
import { OBFUSCATION_RULES } from './obfuscation.ts';
import { PERSONAL_DATA_RULES } from './personal-data/rules.ts';
import { PREPARED_RULES } from './prepared-rules.ts';
import { PROMPT_INJECTION_RULES } from './prompt-injection.ts';
import { SECRET_RULES } from './secrets/rules.ts';
import { SYSTEM_PROMPT_LEAK_RULES } from './system-prompt-leak.ts';
import { TEST_TEXT_RULES } from './test-texts.ts';
import { TOXICITY_RULES } from './toxicity.ts';
import { UNKNOWN_PACKAGE_RULES } from './unknown-packages/rules.ts';

/** The inspector that the gateway judges by: every rule, and the classifier. */
export function createInspector(): Inspector {
  return new Inspector(INSPECTED_RULES, createClassifier(), PREPARED_RULES);
}

/** Every rule that reads a text. A new family is a folder and a line here. */
export const ALL_RULES: readonly Rule[] = [
  ...PROMPT_INJECTION_RULES,
  ...INDIRECT_INJECTION_RULES,
  ...JAILBREAK_RULES,
  ...SYSTEM_PROMPT_LEAK_RULES,
  ...SECRET_RULES,
  ...PERSONAL_DATA_RULES,
  ...OBFUSCATION_RULES,
  ...MALICIOUS_URL_RULES,
  ...CONVERSATION_RULES,
  ...DATA_EXFILTRATION_RULES,
  ...CODE_INJECTION_RULES,
  ...DENIAL_OF_WALLET_RULES,
  ...TOXICITY_RULES,
  ...UNKNOWN_PACKAGE_RULES,
  ...TEST_TEXT_RULES,
];

/** What the inspector judges by: these, and the rules for what shows in no single text. */
export const INSPECTED_RULES: readonly Rule[] = [...ALL_RULES, ...CONVERSATION_SIGNAL_RULES];
