import { describe, expect, it } from '@jest/globals';
import { Inspector } from '../core/inspect/inspector.ts';
import { linkRules } from '../core/inspect/rules/rule-library.ts';
import { ALL_EXAMPLES } from './index.examples.ts';
import { INSPECTED_RULES } from './index.ts';
import { PREPARED_RULES } from './prepared-rules.ts';

describe('the built-in rules as a bundle has them', () => {
  it('find what they find from sources', () => {
    const fromSources = new Inspector(INSPECTED_RULES, undefined, PREPARED_RULES);
    const bundled = new Inspector(INSPECTED_RULES, undefined, { linked: linkRules(INSPECTED_RULES) });
    for (const rule of INSPECTED_RULES) {
      const { positives = [], negatives = [] } = ALL_EXAMPLES[rule.id] ?? {};
      for (const text of [positives[0] ?? rule.message, negatives[0]?.text ?? rule.message]) {
        for (const surface of rule.surfaces.slice(0, 2)) {
          expect(bundled.inspect(text, surface)).toEqual(fromSources.inspect(text, surface));
        }
      }
    }
  });
});
