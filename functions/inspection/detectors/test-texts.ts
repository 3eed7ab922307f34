import type { Rule, RuleExamples } from '../matching/index.ts';

const SHARED = {
  category: 'test_text',
  severity: 'low',
  score: 1,
  view: 'exact',
  surfaces: ['system', 'user', 'tool', 'output'],
  atlas: null,
} as const;

/** Fixed texts by which an integration tests each action, like EICAR for virus scanners (decisions, section 3). */
export const TEST_TEXT_RULES: readonly Rule[] = [
  {
    ...SHARED,
    id: 'test-text/flag',
    type: 'prompt_injection',
    patterns: ['SVC-TEST-FLAG-7f3a'],
    message: 'The fixed test text for the action flag.',
    owasp: 'LLM01:2025',
    forcedAction: 'flag',
  },
  {
    ...SHARED,
    id: 'test-text/redact',
    // Not personal data, which would be restored in the response: a tester wants to see it removed.
    type: 'secret',
    patterns: ['SVC-TEST-REDACT-7f3a'],
    message: 'The fixed test text for the action redact.',
    owasp: 'LLM02:2025',
    forcedAction: 'redact',
  },
  {
    ...SHARED,
    id: 'test-text/block',
    type: 'prompt_injection',
    patterns: ['SVC-TEST-BLOCK-7f3a'],
    message: 'The fixed test text for the action block.',
    owasp: 'LLM01:2025',
    forcedAction: 'block',
  },
];

export const TEST_TEXT_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'test-text/flag': /* @__PURE__ */ examplesOf('FLAG'),
  'test-text/redact': /* @__PURE__ */ examplesOf('REDACT'),
  'test-text/block': /* @__PURE__ */ examplesOf('BLOCK'),
};

function examplesOf(action: string): RuleExamples {
  return {
    positives: [`Try SVC-TEST-${action}-7f3a now.`],
    negatives: [
      { text: `svc-test-${action.toLowerCase()}-7f3a`, reason: 'the text is fixed, case included' },
      { text: `SVC-TEST-${action}`, reason: 'not the whole text' },
    ],
  };
}
