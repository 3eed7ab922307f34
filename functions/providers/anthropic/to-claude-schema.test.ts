import { describe, expect, it } from '@jest/globals';
import { hasFreeProperties, toClaudeSchema } from './to-claude-schema.ts';

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
    const schema = { const: { minimum: 1 }, default: { type: 'object' }, enum: [{ maxLength: 1 }], items: true };
    expect(toClaudeSchema(schema)).toEqual(schema);
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
