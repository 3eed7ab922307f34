import type { RuleExamples } from '../core/inspect/rule.ts';
import { CODE_INJECTION_EXAMPLES } from './code-injection.ts';
import { CONVERSATION_EXAMPLES } from './conversation.ts';
import { DATA_EXFILTRATION_EXAMPLES } from './data-exfiltration.ts';
import { DENIAL_OF_WALLET_EXAMPLES } from './denial-of-wallet.ts';
import { INDIRECT_INJECTION_EXAMPLES } from './indirect-injection.ts';
import { JAILBREAK_EXAMPLES } from './jailbreak.ts';
import { MALICIOUS_URL_EXAMPLES } from './malicious-url/rules.examples.ts';
import { OBFUSCATION_EXAMPLES } from './obfuscation.ts';
import { PERSONAL_DATA_EXAMPLES } from './personal-data/rules.examples.ts';
import { PROMPT_INJECTION_EXAMPLES } from './prompt-injection.ts';
import { SECRET_EXAMPLES } from './secrets/rules.examples.ts';
import { SYSTEM_PROMPT_LEAK_EXAMPLES } from './system-prompt-leak.ts';
import { TEST_TEXT_EXAMPLES } from './test-texts.ts';
import { TOXICITY_EXAMPLES } from './toxicity.ts';
import { UNKNOWN_PACKAGE_EXAMPLES } from './unknown-packages/rules.examples.ts';

/** The examples of every rule, by its id. Only tests and measurements import this: it never ships. */
export const ALL_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  ...PROMPT_INJECTION_EXAMPLES,
  ...INDIRECT_INJECTION_EXAMPLES,
  ...JAILBREAK_EXAMPLES,
  ...SYSTEM_PROMPT_LEAK_EXAMPLES,
  ...SECRET_EXAMPLES,
  ...PERSONAL_DATA_EXAMPLES,
  ...OBFUSCATION_EXAMPLES,
  ...MALICIOUS_URL_EXAMPLES,
  ...CONVERSATION_EXAMPLES,
  ...DATA_EXFILTRATION_EXAMPLES,
  ...CODE_INJECTION_EXAMPLES,
  ...DENIAL_OF_WALLET_EXAMPLES,
  ...TOXICITY_EXAMPLES,
  ...UNKNOWN_PACKAGE_EXAMPLES,
  ...TEST_TEXT_EXAMPLES,
};
