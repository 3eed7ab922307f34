import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readArguments, readObject } from './json.ts';
import { boundJson, checkStructure, JsonOverBounds, PARSE_BOUNDS } from './json-structure.ts';

const BOUNDS = { depth: 3, nodes: 10, values: 10, names: 2, plainChars: 100_000 };

/** The steps that a text takes, and why it is refused. */
function run(text: string, bounds = BOUNDS): { steps: number; refused: string | undefined } {
  const check = checkStructure(text, bounds);
  let steps = 0;
  try {
    for (;;) {
      steps += 1;
      if (check.next(false).done) return { steps, refused: undefined };
    }
  } catch (error) {
    return { steps, refused: (error as Error).message };
  }
}

const list = (count: number, value: string) => `[${Array.from({ length: count }, () => value).join(',')}]`;

describe('a text is refused', () => {
  it.each([
    ['is nested deeper than 3 levels', '[[[', '[[[['],
    ['holds more than 10 strings, objects and arrays', list(9, '"a"'), list(10, '"a"')],
    ['holds more than 10 strings, objects and arrays', list(9, '[]'), list(10, '{}')],
    ['holds more than 10 values', list(11, '1'), list(12, '1')],
    ['holds more than 2 different names', '{"a":1,"b":2}', '{"a":1,"b":{"c":2}}'],
    ['holds more than 100000 characters outside of strings', ' '.repeat(100_000), ' '.repeat(100_001)],
    ['a string without an end', '"a\\""', '["a\\"]'],
  ])('that %s', (why, last, first) => {
    expect(run(last).refused).toBeUndefined();
    expect(run(first).refused).toBe(why);
  });

  it('that holds more than 100,000 different short strings, escaped or not', () => {
    const texts = (count: number, make: (at: number) => string) =>
      `[${Array.from({ length: count }, (_, at) => make(at))}]`;
    for (const make of [(at: number) => `"${at}"`, (at: number) => `"\\u0061\\u0062\\u0063${at}"`]) {
      expect(run(texts(100_000, make), PARSE_BOUNDS).refused).toBeUndefined();
      expect(run(texts(100_001, make), PARSE_BOUNDS).refused).toBe('holds more than 100000 different short strings');
    }
    expect(
      run(
        texts(200_000, (at) => `"a long text ${at}"`),
        PARSE_BOUNDS,
      ).refused,
    ).toBeUndefined();
    expect(run(list(200_000, '"user"'), PARSE_BOUNDS).refused).toBeUndefined();
  });

  it('at its first item too many, whatever follows', () => {
    const few = run(list(100_000, '[]'), PARSE_BOUNDS);
    expect(few.refused).toBeUndefined();
    const many = run(list(20_000_000, '[]'), PARSE_BOUNDS);
    expect(many.refused).toBe('holds more than 250000 strings, objects and arrays');
    expect(many.steps).toBeLessThan(3 * few.steps);
  });
});

it('pauses in white space, numbers and strings alike', () => {
  for (const text of [' '.repeat(1_000_000), list(300_000, '1.5'), list(100_000, '"a b c"')]) {
    expect(run(text, PARSE_BOUNDS).steps).toBeGreaterThan(40);
  }
});

it('refuses no JSON within the bounds', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      expect(run(JSON.stringify(value, null, indent), PARSE_BOUNDS).refused).toBeUndefined();
    }),
  );
});

describe('a text that takes long to parse', () => {
  const costly = `{"a":${list(300_000, '[]')}}`;

  it('is no object, and not the arguments of a call', () => {
    expect(() => boundJson(costly)).toThrow(JsonOverBounds);
    expect(readObject(costly)).toBeUndefined();
    expect(readArguments(costly)).toEqual({ arguments: costly });
  });

  it('is not one that is short, or has one long string', () => {
    expect(readObject(`{"a":"${'a'.repeat(20_000_000)}"}`)).toHaveProperty('a');
    expect(readArguments('[1]')).toEqual({ arguments: [1] });
  });
});
