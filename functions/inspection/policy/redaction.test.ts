import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Finding, Rule } from '../matching/index.ts';
import { Redaction } from './redaction.ts';

const of = (category: string): Finding => {
  const rule: Rule = {
    id: `test/${category}`,
    type: 'pii',
    category,
    severity: 'low',
    score: 1,
    view: 'exact',
    patterns: ['x'],
    surfaces: ['user'],
    message: 'A test.',
    owasp: 'LLM02:2025',
    atlas: null,
  };
  return { rule, score: 1, start: 0, end: 1, decodedFrom: [] };
};

describe('a placeholder', () => {
  it('is the same for a value in every request of its scope', () => {
    const first = new Redaction('session one');
    const [email] = ['ann@x.de', 'tom@x.de'].map((value) => first.hideInput(of('email'), value));
    const later = new Redaction('session one');
    later.hideInput(of('phone'), '+49 30 1234567');
    expect(later.hideInput(of('email'), 'ann@x.de')).toBe(email);
    expect(email).toMatch(/^\[EMAIL_[1-9]\d{4}\]$/);
  });

  it('differs for the same value in another scope', () => {
    const values = Array.from({ length: 50 }, (_, at) => `person${at}@x.de`);
    const [one, other] = ['one', 'other'].map((scope) => {
      const redaction = new Redaction(scope);
      return values.map((value) => redaction.hideInput(of('email'), value));
    });
    expect(one?.filter((placeholder, at) => placeholder === other?.[at])).toEqual([]);
  });

  it('identifies one value among any number of values', () => {
    fc.assert(
      fc.property(fc.string(), fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 2_000 }), (scope, values) => {
        const redaction = new Redaction(scope);
        const placeholders = values.map((value) => redaction.hideInput(of('email'), value));
        expect(new Set(placeholders).size).toBe(values.length);
        const restored = placeholders.map((text) =>
          redaction
            .restorations(text, 0)
            .map((edit) => edit.text)
            .join(''),
        );
        expect(restored).toEqual(values);
      }),
      { numRuns: 20 },
    );
  });

  it('exists for more values than short numbers', () => {
    const redaction = new Redaction('test');
    const email = of('email');
    const placeholders = Array.from({ length: 100_000 }, (_, at) => redaction.hideInput(email, `${at}@x.de`));
    expect(new Set(placeholders).size).toBe(100_000);
    const longest = placeholders.reduce((one, other) => (other.length > one.length ? other : one));
    const [edit] = redaction.restorations(longest, 0);
    expect(edit?.text).toBe(`${placeholders.indexOf(longest)}@x.de`);
    expect(redaction.openFrom(longest.slice(0, -1))).toBe(0);
  });
});
