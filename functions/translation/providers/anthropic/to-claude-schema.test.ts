import { describe, expect, it } from '@jest/globals';
import type { ToolDefinition } from '../../../kernel/model/index.ts';
import { Translation } from '../../routing/index.ts';
import { fitsClaude, hasFreeProperties, toClaudeSchema, toClaudeTools } from './to-claude-schema.ts';

describe('a schema for Claude', () => {
  it('has closed objects at every depth, and limits in the description', () => {
    const schema = {
      type: 'object',
      additionalProperties: true,
      required: ['age'],
      properties: {
        age: { type: 'integer', description: 'In years.', minimum: 0, maximum: 150 },
        tags: { type: 'array', minItems: 2, items: { type: 'object', properties: {} } },
        // A property may have the name of a keyword.
        minimum: { type: 'string', enum: ['a'] },
        one: { anyOf: [{ type: 'object', properties: {} }, { type: 'null' }] },
        ref: { $ref: '#/$defs/node' },
      },
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
    };
    const before = JSON.stringify(schema);
    expect(toClaudeSchema(schema)).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['age'],
      properties: {
        age: { type: 'integer', description: 'In years. (minimum: 0, maximum: 150)' },
        tags: {
          type: 'array',
          description: '(minItems: 2)',
          items: { type: 'object', properties: {}, additionalProperties: false },
        },
        minimum: { type: 'string', enum: ['a'] },
        one: { anyOf: [{ type: 'object', properties: {}, additionalProperties: false }, { type: 'null' }] },
        ref: { $ref: '#/$defs/node' },
      },
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } }, additionalProperties: false } },
    });
    expect(JSON.stringify(schema)).toBe(before);
  });

  it.each([0, 1])('keeps minItems %i, which the API takes', (minItems) =>
    expect(toClaudeSchema({ type: 'array', minItems })).toEqual({ type: 'array', minItems }),
  );

  it('keeps values that are not schemas', () => {
    const schema = { const: { minimum: 1 }, default: { type: 'object' }, enum: ['maxLength', null], items: true };
    expect(toClaudeSchema(schema)).toEqual(schema);
  });
});

describe('keywords that Claude refuses', () => {
  it.each([
    [
      { type: 'number', exclusiveMinimum: 0, multipleOf: 2 },
      { type: 'number', description: '(exclusiveMinimum: 0, multipleOf: 2)' },
    ],
    [{ oneOf: [{ type: 'string', maxLength: 3 }] }, { anyOf: [{ type: 'string', description: '(maxLength: 3)' }] }],
    [
      { type: 'string', format: 'regex' },
      { type: 'string', description: '(format: "regex")' },
    ],
    [
      { type: 'string', format: 'uuid', pattern: '^a+$' },
      { type: 'string', format: 'uuid', pattern: '^a+$' },
    ],
    [
      { type: 'string', pattern: '(?=a)b' },
      { type: 'string', description: '(pattern: "(?=a)b")' },
    ],
    [{ not: { type: 'null' } }, { description: '(not: {"type":"null"})' }],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' }, { type: 'string' }],
  ])('are in the description: %j', (schema, expected) => expect(toClaudeSchema(schema)).toEqual(expected));

  const node = (fields: object) => ({ type: 'object', properties: { next: fields }, required: ['next'] });
  it.each([
    node({ $ref: '#' }),
    { ...node({ $ref: '#/$defs/a' }), $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } },
    node({ $ref: 'https://example.com/schema.json' }),
    node({ $ref: '#/$defs/missing' }),
    { ...node({ allOf: [{ $ref: '#/$defs/a' }] }), $defs: { a: { type: 'string' } } },
  ])('cannot be left out: %j', (schema) => expect(fitsClaude(schema)).toBe(false));

  it('are not repeated references', () =>
    expect(
      fitsClaude({
        type: 'object',
        properties: { a: { $ref: '#/$defs/s' }, b: { $ref: '#/$defs/s' } },
        $defs: { s: { type: 'string' } },
      }),
    ).toBe(true));
});

describe('strict tools', () => {
  const tool = (properties: object, required: string[] = Object.keys(properties)): ToolDefinition => ({
    name: 'f',
    parameters: { type: 'object', properties, required, additionalProperties: false },
    strict: true,
  });
  const strictOf = (tools: readonly ToolDefinition[], takesStrict = true) => {
    const translation = new Translation('anthropic');
    const sent = toClaudeTools({ tools, others: [] }, takesStrict, translation);
    return { sent, strict: sent.filter(({ strict }) => strict).length, warnings: translation.warnings.length };
  };
  const many = (count: number) => Array.from({ length: count }, () => tool({ a: { type: 'string' } }));
  const optional = (count: number) => tool(Object.fromEntries(Array.from({ length: count }, (_, at) => [at, {}])), []);
  const unions = (count: number) =>
    tool(Object.fromEntries(Array.from({ length: count }, (_, at) => [at, { type: ['string', 'null'] }])));

  it('have reduced schemas', () => {
    const { sent } = strictOf([tool({ age: { type: 'integer', minimum: 0 }, tags: { type: 'array', maxItems: 3 } })]);
    expect(sent[0]).toMatchObject({
      strict: true,
      parameters: {
        properties: {
          age: { type: 'integer', description: '(minimum: 0)' },
          tags: { type: 'array', description: '(maxItems: 3)' },
        },
      },
    });
  });

  it.each([
    ['20 tools', many(21), 20],
    ['24 optional parameters', [optional(20), optional(5), optional(4)], 2],
    ['16 parameters of several types', [unions(16), unions(1), tool({})], 2],
    ['closed objects', [tool({ any: { type: 'object' } })], 0],
  ])('are at most %s', (_, tools, expected) =>
    expect(strictOf(tools)).toMatchObject({ strict: expected, warnings: 1 }),
  );

  it('are plain for models without structured outputs, with their schema unchanged', () => {
    const [strict] = [tool({ age: { minimum: 0 } })];
    expect(strictOf([strict], false)).toMatchObject({
      strict: 0,
      warnings: 1,
      sent: [{ parameters: strict.parameters }],
    });
  });
});

describe('free properties', () => {
  const object = (fields: object) => ({ type: 'object', properties: {}, ...fields });

  it.each([
    { type: 'object' },
    object({ additionalProperties: true }),
    object({ additionalProperties: { type: 'string' } }),
    object({ properties: { a: { type: 'array', items: { anyOf: [{ type: 'object' }] } } } }),
    { $defs: { a: object({ additionalProperties: {} }) } },
  ])('are found in %j', (schema) => expect(hasFreeProperties(schema)).toBe(true));

  it.each([
    object({}),
    { type: 'object', additionalProperties: false },
    object({ properties: { additionalProperties: { type: 'string' } } }),
    { const: { additionalProperties: true }, type: 'array', items: true },
  ])('are not found in %j', (schema) => expect(hasFreeProperties(schema)).toBe(false));
});
