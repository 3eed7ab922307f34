import type { RuleExamples } from '../../core/inspect/rule.ts';

export const TEST_TEXT_EXAMPLES: Readonly<Record<string, RuleExamples>> = Object.fromEntries(
  ['FLAG', 'REDACT', 'BLOCK'].map((action) => [
    `test-text/${action.toLowerCase()}`,
    {
      positives: [`Try SVC-TEST-${action}-7f3a now.`],
      negatives: [
        { text: `svc-test-${action.toLowerCase()}-7f3a`, reason: 'the text is fixed, case included' },
        { text: `SVC-TEST-${action}`, reason: 'not the whole text' },
      ],
    },
  ]),
);
