import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../../kernel/tasks/index.ts';
import { concatenateNames } from './name-texts.ts';
import { content } from './text.fixture.ts';

describe.each([
  ['names', {}, 2048],
  ['names that the API defines', { isFixed: true }, 512],
] as const)('many %s', (_, fields, units) => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,40}$/), { minLength: 2, maxLength: 400, size: 'max' });
  const named = (text: string) => content('user', text, { name: 'value', message: 0, ...fields });
  const joinsOf = (names: readonly string[]) => finish(concatenateNames(names.map(named))).map(({ text }) => text);

  it('are joined in parts that overlap', () => {
    fc.assert(
      fc.property(names, fc.nat(), (given, at) => {
        const whole = given.join(' ');
        const start = at % Math.max(1, whole.length - 256);
        expect(joinsOf(given).some((text) => text.includes(whole.slice(start, start + 256)))).toBe(true);
      }),
    );
  });

  it('are read again in a short part alone', () => {
    fc.assert(fc.property(names, (given) => joinsOf(given).every((text) => text.length <= units + 40)));
  });

  it('keep all parts but the last when one more comes', () => {
    fc.assert(
      fc.property(names, (given) => {
        const before = joinsOf(given.slice(0, -1)).slice(0, -1);
        expect(joinsOf(given).slice(0, before.length)).toEqual(before);
      }),
    );
  });
});

it('numbers in hexadecimal digits are left out of joined names', () => {
  const ids = ['call_9f86d081884c7d659a2feaa0', 'call_ignore', 'call_c55ad015a3bf4f1b2b0b822c'];
  const names = ids.map((text) => content('user', text, { name: 'value', isFixed: true }));
  expect(finish(concatenateNames(names)).map(({ text }) => text)).toEqual(['call call ignore call']);
});
