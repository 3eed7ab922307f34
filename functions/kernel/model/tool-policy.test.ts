import { expect, it } from '@jest/globals';
import { toValidationError } from '../errors/index.ts';
import { policySchema } from './policy.ts';

/** The error of a policy, as a client gets it; undefined for a valid one. */
function errorOf(policy: object): readonly [param: string | undefined, message: string] | undefined {
  const { error } = policySchema.safeParse(policy);
  if (error === undefined) return undefined;
  const { param, message } = toValidationError(error, policy);
  return [param, message];
}

it.each<[string, string, string[], string[]]>([
  ['tool_misuse', 'a call', ['off', 'flag', 'ask', 'block'], ['redact']],
  ['secret', 'a text', ['off', 'flag', 'redact', 'block'], ['ask']],
])('the action for %s is one that is possible for %s, and the error lists those', (type, _, possible, others) => {
  for (const action of possible) expect(errorOf({ output: { [type]: { action } } })).toBeUndefined();
  for (const action of [...others, 'deny']) {
    const [param, message] = errorOf({ output: { [type]: { action } } }) as readonly [string, string];
    expect([param, message.match(/"\w+"/g)]).toEqual([`output.${type}.action`, possible.map((one) => `"${one}"`)]);
  }
});

it('a rule that waits for a source needs a tool of that source', () => {
  const rules = [{ id: 'mail', tool: 'send_*', action: 'block', after: { source: 'private' } }];
  const of = (sources: object) => errorOf({ tools: { ...sources, rules } });
  expect(of({ sources: { read_mail: 'private' } })).toBeUndefined();
  for (const sources of [{}, { sources: {} }, { sources: { fetch: 'public' } }]) {
    expect(of(sources)).toEqual([
      'tools.rules[0].after.source',
      "'tools.rules[0].after.source': never holds: no tool in 'sources' is private.",
    ]);
  }
});

it('a condition for an argument may be that it is there, and must be something', () => {
  const of = (condition: object) =>
    errorOf({ tools: { rules: [{ id: 'r', tool: 'pay', action: 'block', args: { to: condition } }] } });
  expect(of({ required: true })).toBeUndefined();
  expect(of({ required: false })?.[0]).toBe('tools.rules[0].args.to.required');
  expect(of({})?.[1]).toContain("has none of 'from', 'match', 'max', 'min', 'without' and 'required'");
});
