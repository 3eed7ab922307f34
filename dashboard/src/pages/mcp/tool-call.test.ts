import { expect, it } from '@jest/globals';
import { argumentFields, lastMessage, toArguments } from './tool-call.ts';

const schemaOf = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });

it('a flat schema has a field for each argument', () => {
  const schema = schemaOf(
    {
      text: { type: 'string', description: 'What\u200b to find' },
      limit: { type: 'integer', maximum: 10 },
      kind: { type: 'string', enum: ['a', 'b'] },
      deep: { type: 'boolean' },
    },
    ['text', 'kind'],
  );
  const fields = argumentFields(schema);
  expect(fields?.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
    ['text', 'text', true],
    ['limit', 'number', false],
    ['kind', 'select', true],
    ['deep', 'select', false],
  ]);
  expect(fields?.map(({ choices }) => choices)).toEqual([undefined, undefined, ['a', 'b'], ['', 'true', 'false']]);
  expect([fields?.[0]?.hint, fields?.[1]?.maximum]).toEqual(['What<U+200B> to find', 10]);
  expect(toArguments(schema, { text: 'Ada', deep: 'false' })).toEqual({ text: 'Ada', deep: false });
  expect(argumentFields({ type: 'object' })).toEqual([]);
});

it.each([
  ['an object', schemaOf({ filter: { type: 'object' } })],
  ['a list', schemaOf({ ids: { type: 'array' } })],
  ['a choice of types', schemaOf({ id: { anyOf: [{ type: 'string' }, { type: 'integer' }] } })],
  ['a name with a dot', schemaOf({ 'a.b': { type: 'string' } })],
  ['choices that are no texts', schemaOf({ level: { enum: [1, 2] } })],
  ['too many', schemaOf(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, { type: 'string' }])))],
  ['no object', 'text'],
])('%s is entered as JSON', (_, schema) => {
  expect(argumentFields(schema)).toBeUndefined();
});

it('of a stream the last message counts, over several lines', () => {
  const stream =
    ': ping\n\nevent: message\ndata: {"method":"x"}\n\nevent: message\ndata: {"id":1,\ndata: "result":{}}\n\n';
  expect(JSON.parse(lastMessage(stream))).toEqual({ id: 1, result: {} });
  expect(lastMessage('{"id":1}')).toBe('{"id":1}');
});
