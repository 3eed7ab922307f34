import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countMembers, hasDuplicateMembers, PARSE_BOUNDS } from '../../../kernel/json/index.ts';
import { readResponseJson } from './response-json.ts';

const word = fc.constantFrom('a', 'b', 'c:d', '"', '__proto__', 'x');

/** JSON objects whose members may have one name, in one of two spellings. */
const text: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word.map((each) => JSON.stringify(each)),
    fc.constantFrom('1.0e2', '12345678901234567890', 'null'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[ ${items.join(' ,')}]`),
    fc
      .array(fc.tuple(word, fc.boolean(), tie('value')), { maxLength: 4 })
      .map(
        (members) => `{${members.map(([name, escaped, value]) => `${spelled(name, escaped)} :${value}`).join(',')}}`,
      ),
  ),
})).value;

function spelled(name: string, escaped: boolean): string {
  const first = `\\u00${name.charCodeAt(0).toString(16)}`;
  return escaped ? `"${first}${JSON.stringify(name.slice(1)).slice(1)}` : JSON.stringify(name);
}

/** Every object as its list of members, where the last duplicate counts. */
const written = (value: unknown) => JSON.stringify(value);

describe('response JSON', () => {
  it('has one meaning for every parser, and stays byte-identical if it already had one', () => {
    fc.assert(
      fc.property(text, (sent) => {
        const { json } = readResponseJson(`{"said":${sent}}`);
        expect(written(JSON.parse(json))).toBe(written(JSON.parse(`{"said":${sent}}`)));
        expect(hasDuplicateMembers(json, countMembers(JSON.parse(json), PARSE_BOUNDS.depth))).toBe(false);
        const isAmbiguous = hasDuplicateMembers(sent, countMembers(JSON.parse(sent), PARSE_BOUNDS.depth));
        if (!isAmbiguous) expect(json).toBe(`{"said":${sent}}`);
      }),
    );
  });

  it('loses exactly the members that only the gateway writes', () => {
    const own = '"svc":{"a":1}';
    expect(readResponseJson(`{${own}, "a":1.0,"response":{"b":2,"svc":0},"moderation":{}}`).json).toBe(
      '{"a":1.0,"response":{"b":2}}',
    );
    expect(readResponseJson('{"svc":null,"response":{"svc":null}}').json).toBe('{"response":{}}');
    const kept = `{"moderation":null,"response":{"moderation":null},"list":[{${own}}],"deep":{"input":{${own}}}}`;
    expect(readResponseJson(kept).json).toBe(kept);
  });

  it.each(['[]', '[{"choices":[]}]', '"a text"', '7', 'true', 'null'])('is an object: not %s', (json) => {
    expect(() => readResponseJson(json)).toThrow(SyntaxError);
  });

  it('is refused beyond the depth limit, and accepted at the limit', () => {
    const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
    expect(readResponseJson(`{"a":${nested(PARSE_BOUNDS.depth - 2)}}`).body).toHaveProperty('a');
    expect(() => readResponseJson(`{"a":${nested(PARSE_BOUNDS.depth)}}`)).toThrow(RangeError);
    expect(() => readResponseJson(`{"a":${nested(1_000_000)}}`)).toThrow(RangeError);
  });
});
