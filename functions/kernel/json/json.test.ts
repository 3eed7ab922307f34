import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { GatewayError } from '../errors/index.ts';
import { spliceJson } from './edits.ts';
import { readJsonDocument, readJsonSteps } from './json-document.ts';

const code = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return undefined;
};

describe('readJsonDocument', () => {
  it('reads whatever JSON.stringify writes, and keeps the text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const read = readJsonDocument(text);
        expect(read.text).toBe(text);
        expect(read.value).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['{"a', '{"a":"', '["\\', '{"\\x":1}', '}', ']', ',', '{,', '[1}', '{"a":1]', ''])(
    'refuses what is no JSON: %j',
    (text) => {
      expect(code(() => readJsonDocument(text))).toBe('invalid_json');
    },
  );

  it.each([
    ['{"a": 1,\n "b" "secret"}', 'The request body is not valid JSON (line 2, column 6).'],
    ['{"a": secret}', 'The request body is not valid JSON.'],
  ])('says where %j is no JSON, without the text', (text, message) => {
    expect(() => readJsonDocument(text)).toThrow(new GatewayError('invalid_json', message));
  });

  it('pauses in a long text', () => {
    const text = JSON.stringify(Array.from({ length: 39_000 }, (_, at) => ({ [`k${at % 9_000}`]: at })));
    const steps = readJsonSteps(text);
    let count = 1;
    for (let step = steps.next(false); !step.done; step = steps.next(false)) count += 1;
    expect(count).toBeGreaterThan(20);
  });

  it.each([
    ['{"a":1,"a":2}'],
    ['{"a":1,"\\u0061":2}'],
    ['[{"b":{"x":1,"y":"\\"x\\"","x":2}}]'],
    [`{${Array.from({ length: 40 }, (_, i) => `"k${i}":0`).join(',')},"k7":1}`],
  ])('refuses duplicate keys: %s', (text) => {
    expect(code(() => readJsonDocument(text))).toBe('invalid_json');
  });

  it.each(['1e308', '1E5 ', '-2.4703282292062327e-3', '1.2345678901234567', '0.00000000000000001\n'])(
    'refuses very many numbers that take long to read, such as %j',
    (number) => {
      const list = (count: number) => JSON.stringify({ a: 1 }).replace('1', `[${Array(count).fill(number).join(',')}]`);
      expect(code(() => readJsonDocument(list(50_001)))).toBe('invalid_json');
      expect(code(() => readJsonDocument(list(50_000)))).toBe(undefined);
    },
  );

  it.each(['1', '-12345678.123', '"1e308"', 'true', '"1.2345678901234567"'])(
    'reads many values such as %j',
    (value) => {
      expect(code(() => readJsonDocument(`[${Array(70_000).fill(value).join(',')}]`))).toBe(undefined);
    },
  );

  it('lets equal keys stand in different objects, and keys in string values', () => {
    expect(code(() => readJsonDocument('{"a":{"a":[{"a":"\\"a\\":1,\\"a\\":2"},{"a":2}]}}'))).toBeUndefined();
  });

  it('refuses more than 64 levels, however deep, and takes 64', () => {
    expect(code(() => readJsonDocument('['.repeat(64) + ']'.repeat(64)))).toBeUndefined();
    expect(code(() => readJsonDocument('['.repeat(65) + ']'.repeat(65)))).toBe('invalid_json');
    expect(code(() => readJsonDocument('['.repeat(1_000_000)))).toBe('invalid_json');
    expect(code(() => readJsonDocument(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`))).toBe('invalid_json');
  });
});

describe('spliceJson', () => {
  const key = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('a"b', 'é', '\\'));
  const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });

  it('replaces, removes and inserts a member and leaves the rest as it reads', () => {
    fc.assert(
      fc.property(object, fc.nat(), fc.constantFrom(0, 1), (value, pick, indent) => {
        const { __proto__: _, ...plain } = value;
        const keys = Object.keys(plain);
        const text = JSON.stringify(plain, null, indent);
        const expectAfter = (edit: Parameters<typeof spliceJson>[1], wanted: unknown) =>
          expect(JSON.parse(spliceJson(text, edit))).toEqual(JSON.parse(JSON.stringify(wanted)));
        expectAfter([{ kind: 'insert', path: [], key: 'new key', json: '[1]' }], { ...plain, 'new key': [1] });
        const chosen = keys[pick % Math.max(keys.length, 1)];
        if (chosen === undefined) return;
        expectAfter([{ kind: 'replace', path: [chosen], json: '"x"' }], { ...plain, [chosen]: 'x' });
        const { [chosen]: _removed, ...left } = plain;
        expectAfter([{ kind: 'remove', path: [chosen] }], left);
      }),
    );
  });

  it('adds to the end of a string and to the start of an array, and leaves every byte of them', () => {
    expect(
      spliceJson('{"a": [ {"t":"x\\u0062 \\"" }], "s" : "" }', [
        { kind: 'prepend', path: ['a'], json: '1' },
        { kind: 'append', path: ['a', 0, 't'], text: '\n"y' },
        { kind: 'append', path: ['s'], text: 'z' },
      ]),
    ).toBe('{"a": [1, {"t":"x\\u0062 \\"\\n\\"y" }], "s" : "z" }');
  });

  it('keeps every other byte, odd spacing and number forms included', () => {
    const text = '{ "model" :\t"openai/gpt-5" ,"n":1.0e2 , "messages":[ {"content":"a\\u0062"} ] }\n';
    expect(
      spliceJson(text, [
        { kind: 'replace', path: ['model'], json: '"gpt-5"' },
        { kind: 'replace', path: ['messages', 0, 'content'], json: '"[X]"' },
        { kind: 'insert', path: [], key: 'svc', json: 'true' },
      ]),
    ).toBe('{ "model" :\t"gpt-5" ,"n":1.0e2 , "messages":[ {"content":"[X]"} ] ,"svc":true}\n');
  });

  it('makes many changes at any depth as it makes them one after another', () => {
    const pathsIn = (value: unknown, path: (string | number)[] = []): (string | number)[][] => {
      if (typeof value !== 'object' || value === null) return [path];
      const below = Array.isArray(value) ? value.map((part, at) => [at, part] as const) : Object.entries(value);
      return below.flatMap(([step, part]) => pathsIn(part, [...path, step]));
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const paths = [...pathsIn(JSON.parse(text)), ['not', 'there']];
        const edits = paths.map((path, at) => ({ kind: 'replace' as const, path, json: `"new ${at}"` }));
        expect(spliceJson(text, edits)).toBe(edits.reduce((rest, edit) => spliceJson(rest, [edit]), text));
      }),
    );
  });

  it('removes any members at once', () => {
    const members = fc.array(fc.tuple(fc.constantFrom('', ' ', '\n '), fc.boolean(), fc.boolean()), { maxLength: 8 });
    fc.assert(
      fc.property(members, (all) => {
        const written = all.map(
          ([space, isObject], at) => `${space}"n${at}"${space}:${space}${isObject ? '{"x":[1,{}]}' : '"a,b"'}`,
        );
        const gone = all.flatMap(([, , goes], at) => (goes ? [at] : []));
        const text = `{"in":{${written.join(' ,')} }}`;
        const edits = gone.map((at) => ({ kind: 'remove' as const, path: ['in', `n${at}`] }));
        const left = Object.fromEntries(Object.entries(JSON.parse(text).in).filter((_, at) => !gone.includes(at)));
        const insert = { kind: 'insert' as const, path: ['in'], key: 'new', json: '1' };
        expect(JSON.parse(spliceJson(text, edits))).toEqual({ in: left });
        expect(JSON.parse(spliceJson(text, [insert, ...edits]))).toEqual({ in: { ...left, new: 1 } });
      }),
    );
  });

  it('reads the text once for all changes, not once for each', () => {
    const looked = jest.spyOn(String.prototype, 'indexOf');
    const looksFor = (many: number) => {
      const text = JSON.stringify({ parts: Array.from({ length: many }, () => ({ type: 'text', text: 'x' })) });
      const edits = Array.from({ length: many }, (_, at) => ({
        kind: 'replace' as const,
        path: ['parts', at, 'text'],
        json: '"y"',
      }));
      looked.mockClear();
      spliceJson(text, edits);
      return looked.mock.calls.length;
    };
    const [few, many] = [looksFor(100), looksFor(1_000)];
    looked.mockRestore();
    expect(few).toBeGreaterThan(100);
    expect(many).toBeLessThan(11 * few);
  });
});
