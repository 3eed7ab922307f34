import { Inspector } from '../inspector/index.ts';
import type { Rule, RuleExamples } from '../matching/index.ts';
import { createClassifier } from './classifier/classifier.ts';
import { CODE_INJECTION_EXAMPLES, CODE_INJECTION_RULES } from './code-injection.ts';
import { CONVERSATION_EXAMPLES, CONVERSATION_RULES, CONVERSATION_SIGNAL_RULES } from './conversation.ts';
import { CARRYING_ADDRESS_EXAMPLES, CARRYING_ADDRESS_RULES } from './data-exfiltration/address-rules.ts';
import { SENDING_COMMAND_EXAMPLES, SENDING_COMMAND_RULES } from './data-exfiltration/command-rules.ts';
import { SENDING_ORDER_EXAMPLES, SENDING_ORDER_RULES } from './data-exfiltration/order-rules.ts';
import { DENIAL_OF_WALLET_EXAMPLES, DENIAL_OF_WALLET_RULES } from './denial-of-wallet.ts';
import { INDIRECT_INJECTION_EXAMPLES, INDIRECT_INJECTION_RULES } from './indirect-injection.ts';
import { JAILBREAK_EXAMPLES, JAILBREAK_RULES } from './jailbreak.ts';
import { MALICIOUS_URL_EXAMPLES, MALICIOUS_URL_RULES } from './malicious-url/rules.ts';
import { OBFUSCATION_EXAMPLES, OBFUSCATION_RULES } from './obfuscation.ts';
import codes from './patterns.generated.json' with { type: 'json' };
import { CONTACT_EXAMPLES, CONTACT_RULES } from './personal-data/contact-rules.ts';
import { FINANCIAL_EXAMPLES, FINANCIAL_RULES } from './personal-data/financial-rules.ts';
import { IDENTITY_EXAMPLES, IDENTITY_RULES } from './personal-data/identity-rules.ts';
import { AMERICAN_ID_EXAMPLES, AMERICAN_ID_RULES } from './personal-data/national-ids-americas.ts';
import { OTHER_ID_EXAMPLES, OTHER_ID_RULES } from './personal-data/national-ids-asia-pacific-africa.ts';
import { EUROPEAN_ID_EXAMPLES, EUROPEAN_ID_RULES } from './personal-data/national-ids-europe.ts';
import { PHONE_EXAMPLES } from './personal-data/phone.ts';
import { PROMPT_INJECTION_RULES, promptInjectionExamples } from './prompt-injection/rules.ts';
import { ignorePublishedExamples } from './published-examples.ts';
import { AI_AND_CLOUD_TOKEN_EXAMPLES, AI_AND_CLOUD_TOKEN_RULES } from './secrets/ai-and-cloud-tokens.ts';
import { ASSIGNED_SECRET, ASSIGNED_SECRET_EXAMPLES, NAMED_PASSWORD } from './secrets/assigned-secret.ts';
import { BUSINESS_TOKEN_EXAMPLES, BUSINESS_TOKEN_RULES } from './secrets/business-tokens.ts';
import { CREDENTIAL_EXAMPLES, CREDENTIAL_RULES } from './secrets/credential-rules.ts';
import { DEVELOPMENT_TOKEN_EXAMPLES, DEVELOPMENT_TOKEN_RULES } from './secrets/development-tokens.ts';
import { PASSWORD_EXAMPLES, PASSWORD_RULES } from './secrets/password-rules.ts';
import { SYSTEM_PROMPT_LEAK_EXAMPLES, SYSTEM_PROMPT_LEAK_RULES } from './system-prompt-leak.ts';
import { TEST_TEXT_EXAMPLES, TEST_TEXT_RULES } from './test-texts.ts';
import { TOOL_DEFINITION_EXAMPLES, TOOL_DEFINITION_RULES } from './tool-definitions.ts';
import { TOXICITY_EXAMPLES, TOXICITY_RULES } from './toxicity.ts';
import { UNKNOWN_PACKAGE_EXAMPLES, UNKNOWN_PACKAGE_RULES } from './unknown-packages/rules.ts';

/** Creates the gateway's inspector: every rule, and the classifier. With `rules`, one of these alone. */
export function createInspector(rules?: readonly Rule[]): Inspector {
  return rules === undefined ? new Inspector(INSPECTED_RULES, createClassifier(), codes) : new Inspector(rules);
}

const RULES: readonly Rule[] = [
  ...PROMPT_INJECTION_RULES,
  ...INDIRECT_INJECTION_RULES,
  ...JAILBREAK_RULES,
  ...SYSTEM_PROMPT_LEAK_RULES,
  ...AI_AND_CLOUD_TOKEN_RULES,
  ...DEVELOPMENT_TOKEN_RULES,
  ...BUSINESS_TOKEN_RULES,
  ...CREDENTIAL_RULES,
  ...PASSWORD_RULES,
  ASSIGNED_SECRET,
  NAMED_PASSWORD,
  ...CONTACT_RULES,
  ...FINANCIAL_RULES,
  ...AMERICAN_ID_RULES,
  ...EUROPEAN_ID_RULES,
  ...OTHER_ID_RULES,
  ...IDENTITY_RULES,
  ...OBFUSCATION_RULES,
  ...MALICIOUS_URL_RULES,
  ...CONVERSATION_RULES,
  ...CARRYING_ADDRESS_RULES,
  ...SENDING_COMMAND_RULES,
  ...SENDING_ORDER_RULES,
  ...CODE_INJECTION_RULES,
  ...DENIAL_OF_WALLET_RULES,
  ...TOOL_DEFINITION_RULES,
  ...TOXICITY_RULES,
  ...UNKNOWN_PACKAGE_RULES,
  ...TEST_TEXT_RULES,
];

/** Every rule for texts. A new family is a file, a line in `RULES` and one in `allExamples`. */
export const ALL_RULES: readonly Rule[] = RULES.map(ignorePublishedExamples);

/** Rules of the inspector: those of single texts, and those of whole conversations. */
const INSPECTED_RULES: readonly Rule[] = [...ALL_RULES, ...CONVERSATION_SIGNAL_RULES];

/** The examples of every rule, by its id. A function, so that bundles omit them: only tests and benches call it. */
export function allExamples(): Readonly<Record<string, RuleExamples>> {
  return {
    ...promptInjectionExamples(),
    ...INDIRECT_INJECTION_EXAMPLES,
    ...JAILBREAK_EXAMPLES,
    ...SYSTEM_PROMPT_LEAK_EXAMPLES,
    ...AI_AND_CLOUD_TOKEN_EXAMPLES,
    ...DEVELOPMENT_TOKEN_EXAMPLES,
    ...BUSINESS_TOKEN_EXAMPLES,
    ...CREDENTIAL_EXAMPLES,
    ...PASSWORD_EXAMPLES,
    ...ASSIGNED_SECRET_EXAMPLES,
    ...CONTACT_EXAMPLES,
    ...PHONE_EXAMPLES,
    ...FINANCIAL_EXAMPLES,
    ...AMERICAN_ID_EXAMPLES,
    ...EUROPEAN_ID_EXAMPLES,
    ...OTHER_ID_EXAMPLES,
    ...IDENTITY_EXAMPLES,
    ...OBFUSCATION_EXAMPLES,
    ...MALICIOUS_URL_EXAMPLES,
    ...CONVERSATION_EXAMPLES,
    ...CARRYING_ADDRESS_EXAMPLES,
    ...SENDING_COMMAND_EXAMPLES,
    ...SENDING_ORDER_EXAMPLES,
    ...CODE_INJECTION_EXAMPLES,
    ...DENIAL_OF_WALLET_EXAMPLES,
    ...TOOL_DEFINITION_EXAMPLES,
    ...TOXICITY_EXAMPLES,
    ...UNKNOWN_PACKAGE_EXAMPLES,
    ...TEST_TEXT_EXAMPLES,
  };
}
