import fc from 'fast-check';
import type { FuzzedService } from '../fuzzed-service.ts';
import { hostileString } from '../hostile-json.ts';
import { faultOf } from '../judge-answer.ts';
import type { FuzzTarget } from '../target.ts';

const ATOMS = [
  'a',
  'b',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '[a-z]',
  '[^a]',
  '\\p{L}',
  '\\u1F60',
  '\\b',
  '^',
  '$',
  'é',
  '\\x41',
  '\\\\',
];
const REFUSED = [
  '(?=a)',
  '(?<!a)',
  '\\1',
  '(?<n>a)\\k<n>',
  '[',
  '(',
  '*',
  '{2,1}',
  '\\p{Nope}',
  '(?i)a',
  'a{99999}',
  '\\',
];
const REPEATS = ['*', '+', '?', '{2}', '{1,9}', '{0,200}', '{3,}'];

const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 40, arbitrary: fc.constantFrom(...ATOMS) },
    { weight: 1, arbitrary: fc.constantFrom(...REFUSED) },
    {
      weight: 4,
      arbitrary: fc.tuple(tie('pattern'), fc.constantFrom(...REPEATS)).map(([of, times]) => `(?:${of})${times}`),
    },
    { weight: 2, arbitrary: fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(${a}|${b})`) },
  ),
  pattern: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
}));

/** Patterns of callers' own, and texts that make backtracking matchers stall. */
export function ruleTarget(service: FuzzedService): FuzzTarget {
  const text = fc.oneof(
    hostileString.map((words) => `- ${words}`),
    fc
      .tuple(fc.constantFrom('a', 'ab', 'aé', ' ', '1', '\u{1F600}'), fc.nat(4_000))
      .map(([unit, times]) => `${unit.repeat(times)}!`),
  );
  const policy = fc.record(
    {
      rules: fc.uniqueArray(
        fc.record(
          {
            id: fc.stringMatching(/^[a-z0-9]{1,6}$/),
            pattern: fc.oneof(
              { weight: 5, arbitrary: pattern },
              { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
            ),
            ignoreCase: fc.boolean(),
            action: fc.constantFrom('flag', 'redact', 'block'),
          },
          { requiredKeys: ['id', 'pattern', 'action'] },
        ),
        { selector: ({ id }) => id, maxLength: 3 },
      ),
      allow: fc.array(fc.record({ pattern }), { maxLength: 2 }),
      bannedTopics: fc.array(
        fc.record({
          name: fc.constantFrom('x', 'y'),
          keywords: fc.array(
            fc.oneof(
              fc.constantFrom('gold', 'the*'),
              hostileString.map((word) => `x${word}`.slice(0, 100)),
            ),
            { minLength: 1, maxLength: 3 },
          ),
          action: fc.constant('flag'),
        }),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ['rules'] },
  );
  return {
    name: 'custom rules',
    share: 10,
    property: fc.asyncProperty(policy, text, async (own, input) => {
      const fault = faultOf(
        await service.ask({ method: 'POST', path: '/v1/guard', body: JSON.stringify({ input, policy: own }) }),
      );
      if (fault !== undefined) throw new Error(fault);
    }),
  };
}
