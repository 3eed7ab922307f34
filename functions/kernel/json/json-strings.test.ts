import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from './cut-at.fixture.ts';
import { renderEdits } from './edits.ts';
import { escaped, JsonStrings, unescaped } from './json-strings.ts';

function stringsOf(pieces: readonly string[]): JsonStrings {
  const strings = new JsonStrings();
  for (const piece of pieces) strings.push(piece);
  return strings;
}

/** The text with [start, end) replaced, and with what the change became. */
function changed(json: string, start: number, end: number, pieces: readonly string[] = [json]): string {
  return renderEdits(json, 0, [stringsOf(pieces).align({ start, end, text: '[EMAIL_1]' })]);
}

/** The ranges of the values in a JSON text: within the quotes of its strings, and its numbers. */
function valuesOf(json: string): { start: number; end: number; isNumber: boolean }[] {
  return [...json.matchAll(/"((?:[^"\\]|\\.)*)"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)].map(
    ({ 0: all, 1: body, index }) =>
      body === undefined
        ? { start: index, end: index + all.length, isNumber: true }
        : { start: index + 1, end: index + 1 + body.length, isNumber: false },
  );
}

describe('a change in a JSON text', () => {
  it('takes a place within a string', () => {
    const json = '{"to":"maria@x.de","cc":""}';
    const start = json.indexOf('maria');
    expect(changed(json, start, start + 10)).toBe('{"to":"[EMAIL_1]","cc":""}');
  });

  it('begins behind an escape and ends behind one', () => {
    const json = '{"a":"x\\nmaria@x.de\\u00e4y\\\\"}';
    const start = json.indexOf('nmaria');
    expect(changed(json, start, json.indexOf('00e4'))).toBe('{"a":"x\\n[EMAIL_1]y\\\\"}');
  });

  it('makes a number a string', () => {
    const json = '{"card": 4111111111111111, "n": [1]}';
    expect(changed(json, 9, 25)).toBe('{"card": "[EMAIL_1]", "n": [1]}');
  });

  it('closes and opens what it takes away of other strings', () => {
    expect(changed('["ab","cd"]', 3, 8)).toBe('["a[EMAIL_1]d"]');
    expect(changed('["ab",12]', 3, 8)).toBe('["a[EMAIL_1]"]');
    expect(changed('[12,"ab"]', 1, 6)).toBe('["[EMAIL_1]b"]');
  });

  it('leaves JSON, wherever it stands in a value and however the text came', () => {
    const value = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
    fc.assert(
      fc.property(value, fc.array(fc.nat(200)), fc.nat(), fc.nat(), fc.nat(), (given, places, choice, from, length) => {
        const json = JSON.stringify(given).replace(/[\u0080-\uffff]/g, (unit) =>
          unit.charCodeAt(0) % 2 === 0 ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        const values = valuesOf(json).filter(({ start, end }) => end > start);
        fc.pre(values.length > 0);
        const { start, end, isNumber } = values[choice % values.length] as (typeof values)[number];
        const first = isNumber ? start : start + (from % (end - start));
        const last = isNumber ? end : first + 1 + (length % (end - first));
        const pieces = cutAt(json, places);
        const result = changed(json, first, last, pieces);
        expect(() => JSON.parse(result)).not.toThrow();
        expect(JSON.stringify(JSON.parse(result))).toContain('[EMAIL_1]');
        expect(result).toBe(changed(json, first, last));
        const forgetful = stringsOf(pieces);
        forgetful.forget(first);
        expect(forgetful.align({ start: first, end: last, text: '' })).toEqual(
          stringsOf([json]).align({ start: first, end: last, text: '' }),
        );
      }),
    );
  });

  it('may end in a text that is no JSON, or not yet', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(20), fc.nat(20), (text, start, length) => {
        const edit = stringsOf([text]).align({ start, end: start + length, text: 'x' });
        expect(edit.start).toBeGreaterThanOrEqual(start);
        expect(edit.end).toBeGreaterThanOrEqual(edit.start);
      }),
    );
  });
});

it('a text within a string is told and written as JSON does', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(unescaped(escaped(text))).toBe(text)));
  expect(unescaped('half an escape\\')).toBe('half an escape\\');
  expect(JSON.parse(`"${escaped('a "b"\n')}"`)).toBe('a "b"\n');
});
