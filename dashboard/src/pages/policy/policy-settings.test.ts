import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  faultPlace,
  faultyRule,
  readSettings,
  settingAt,
  toLines,
  withSetting,
  writeSettings,
} from './policy-settings.ts';

const name = fc.constantFrom('preset', 'input', 'output', 'pii', 'action');
const path = fc.array(name, { minLength: 1, maxLength: 3 });
const settings = fc.dictionary(
  name,
  fc.oneof(fc.string(), fc.dictionary(name, fc.dictionary(name, fc.string(), { minKeys: 1 }), { minKeys: 1 })),
);

describe('a setting of a policy', () => {
  it('is read back unchanged, and other settings stay the same', () => {
    fc.assert(
      fc.property(settings, path, fc.string(), (before, where, value) => {
        const after = withSetting(before, where, value);
        expect(settingAt(after, where)).toBe(value);
        for (const other of Object.keys(before)) if (other !== where[0]) expect(after[other]).toBe(before[other]);
      }),
    );
  });

  it('leaves no empty object when it is removed', () => {
    fc.assert(
      fc.property(path, fc.string(), (where, value) => {
        expect(withSetting(withSetting({}, where, value), where, undefined)).toEqual({});
      }),
    );
  });

  it('survives a round trip through JSON', () => {
    fc.assert(fc.property(settings, (before) => expect(readSettings(writeSettings(before))).toEqual(before)));
    for (const text of ['', '[1]', '{', 'null']) expect(readSettings(text)).toBeUndefined();
  });
});

it('the faulty rule is identified by its index', () => {
  expect(faultyRule('rules[12].tests.match[0]')).toBe(12);
  for (const param of [undefined, 'rules', 'preset', 'shadow.rules[1]']) expect(faultyRule(param)).toBeUndefined();
});

it('a fault is named by the id of its rule and the text of its test', () => {
  const policy = { rules: [{ id: 'a' }, { id: 'zeus', tests: { match: ['zeus', 'hera'], noMatch: ['ares'] } }] };
  expect(faultPlace(policy, 'rules[1].tests.match[1]')).toBe("rule 'zeus', must match 'hera'");
  expect(faultPlace(policy, 'rules[1].tests.noMatch[0]')).toBe("rule 'zeus', must not match 'ares'");
  expect(faultPlace(policy, 'rules[0].pattern')).toBe("rule 'a'");
  for (const param of [undefined, 'preset', 'rules[2].id']) expect(faultPlace(policy, param)).toBeUndefined();
});

it('lines of a field become a list without empty lines', () => {
  expect(toLines('a\n\n b\n')).toEqual(['a', ' b']);
  expect(toLines('\n')).toBeUndefined();
});
