import { expect, it } from '@jest/globals';
import { claudeVersion, takesEffort, takesOneOfSampling, takesSampling, takesSchema } from './claude-models.ts';

/** By model: its version, and whether it takes sampling fields, only one of them, a schema, an effort. */
it.each<[string, number, boolean, boolean, boolean, boolean]>([
  ['claude-3-haiku-20240307', 3, true, false, false, false],
  ['claude-instant-v1', 1, true, false, false, false],
  ['claude-3-7-sonnet-20250219', 3.07, true, false, false, false],
  ['claude-3-5-haiku-latest', 3.05, true, false, false, false],
  ['claude-sonnet-4-20250514', 4, true, false, false, false],
  ['claude-sonnet-4-0', 4, true, false, false, false],
  ['claude-opus-4@20250514', 4, true, false, false, false],
  ['claude-opus-4-1-20250805', 4.01, true, true, false, false],
  ['claude-sonnet-4-5-20250929', 4.05, true, true, true, false],
  ['claude-haiku-4-5', 4.05, true, true, true, false],
  ['claude-opus-4-6', 4.06, true, true, true, true],
  ['claude-opus-4-6-v1', 4.06, true, true, true, true],
  ['claude-opus-4-7', 4.07, false, true, true, true],
  ['claude-opus-4-10-20270101', 4.1, false, true, true, true],
  ['claude-opus-5', 5, false, true, true, true],
  ['claude-fable-5-v1:0', 5, false, true, true, true],
  ['claude-opus-5-5', 5.05, false, true, true, true],
  ['claude-mythos-preview', Infinity, false, true, true, true],
])('%s has version %d and its rules', (model, version, sampling, oneOfSampling, schema, effort) => {
  expect(claudeVersion(model)).toBeCloseTo(version, 5);
  expect([takesSampling(model), takesOneOfSampling(model), takesSchema(model), takesEffort(model)]).toEqual([
    sampling,
    oneOfSampling,
    schema,
    effort,
  ]);
});
