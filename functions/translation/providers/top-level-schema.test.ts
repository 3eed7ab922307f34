import { describe, expect, it, jest } from '@jest/globals';
import type { ChatRequest, ToolDefinition } from '../../kernel/model/index.ts';
import { Translation } from '../routing/index.ts';
import { toAnthropicRequest } from './anthropic/to-anthropic-request.ts';
import { fitsClaude } from './anthropic/to-claude-schema.ts';
import { toConverseRequest } from './bedrock/to-converse-request.ts';
import { toStrictTools } from './openai/strict-schema.ts';
import { CLAUDE_REFUSES, withPlainTops } from './top-level-schema.ts';

const plain = (parameters: Record<string, unknown>) =>
  withPlainTops([{ name: 'f', parameters }], CLAUDE_REFUSES, new Translation('anthropic'))[0]?.parameters;
const [TEXT, COUNT] = [{ type: 'string' }, { type: 'integer' }];
const byName = { type: 'object', properties: { kind: { const: 'name' }, name: TEXT }, required: ['kind', 'name'] };
const byId = { type: 'object', properties: { kind: { const: 'id' }, id: COUNT }, required: ['kind', 'id'] };

describe('a plain object at the top', () => {
  it.each(['anyOf', 'oneOf'])('has the properties of every alternative of %s, and requires what all require', (name) =>
    expect(plain({ description: 'Finds.', properties: { limit: COUNT }, [name]: [byName, byId] })).toEqual({
      type: 'object',
      description: `Finds. (${name}: ${JSON.stringify([byName, byId])})`,
      properties: { limit: COUNT, kind: { anyOf: [{ const: 'name' }, { const: 'id' }] }, name: TEXT, id: COUNT },
      required: ['kind'],
    }),
  );

  it('has all of allOf, of what references name, and of what is nested', () => {
    const schema = {
      type: 'object',
      allOf: [{ $ref: '#/$defs/a' }, { anyOf: [{ properties: { id: COUNT } }, true] }],
      $defs: { a: { properties: { name: TEXT }, required: ['name'] } },
    };
    expect(plain(schema)).toMatchObject({
      type: 'object',
      properties: { name: TEXT, id: COUNT },
      required: ['name'],
      $defs: schema.$defs,
    });
  });

  it.each([
    { anyOf: [{ $ref: '#' }, { $ref: '#/$defs/a' }], $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } },
    { anyOf: 'x', oneOf: [null, 1, { $ref: 'https://example.com' }, { $ref: '#/__proto__' }], required: 'y' },
    { allOf: [{ properties: [], required: [1, {}] }] },
  ])('is made of any schema: %j', (schema) => expect(plain(schema)).toMatchObject({ type: 'object', properties: {} }));

  it('is made in steps that grow with the number of alternatives, not with its square', () => {
    const anyOf = Array.from({ length: 2_000 }, () => ({ required: ['a'] }));
    const looks = jest.spyOn(Set.prototype, 'has');
    expect(plain({ anyOf })).toMatchObject({ required: ['a'] });
    const count = looks.mock.calls.length;
    looks.mockRestore();
    expect(count).toBeLessThan(20 * anyOf.length);
  });

  it('is made of references that lead on and on, which no nesting bounds', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `a${at}`);
    const chain = (link: (next: object) => object) =>
      Object.fromEntries(names.map((name, at) => [name, link({ $ref: `#/$defs/a${at + 1}` })]));
    const anyOf = [{ $ref: '#/$defs/a0' }];
    expect(plain({ anyOf, $defs: chain((next) => ({ anyOf: [next] })) })).toMatchObject({ type: 'object' });
    const closed = (a: object) => ({ type: 'object', properties: { a }, required: ['a'], additionalProperties: false });
    expect(fitsClaude({ ...closed({ $ref: '#/$defs/a0' }), $defs: chain(closed) })).toBe(false);
  });

  it('changes no other schema but for a missing type, without a warning', () => {
    const translation = new Translation('anthropic');
    const inner = { properties: { a: { anyOf: [TEXT, COUNT] } }, not: {} };
    const tools = [{ name: 'f', parameters: inner }, { name: 'g' }];
    expect(withPlainTops(tools, CLAUDE_REFUSES, translation)).toEqual([
      { name: 'f', parameters: { type: 'object', ...inner } },
      { name: 'g' },
    ]);
    expect(translation.warnings).toEqual([]);
  });
});

describe('every API that refuses others gets it', () => {
  const tool = (fields: Partial<ToolDefinition> = {}): ToolDefinition => ({
    ...{ name: 'find', parameters: { oneOf: [byName, byId] } },
    ...fields,
  });
  const request = (tools: readonly ToolDefinition[]): ChatRequest => ({
    ...{ model: 'm', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }], tools },
    ...{ stream: false, includeUsage: false, choiceCount: 1, others: [] },
  });
  const SENT: readonly (readonly [string, (tools: readonly ToolDefinition[], translation: Translation) => unknown])[] =
    [
      ['Claude', (tools, by) => toAnthropicRequest(request(tools), 'claude-sonnet-4-5', by).tools],
      [
        'Bedrock',
        (tools, by) => toConverseRequest(request(tools), 'anthropic.claude-sonnet-4-5-20250929-v1:0', by).toolConfig,
      ],
      ['OpenAI', (tools, by) => toStrictTools(tools, by)],
    ];

  it.each(SENT)('%s, strict or not, with a warning', (_, send) => {
    for (const fields of [{}, { strict: true }]) {
      const translation = new Translation('p');
      const json = JSON.stringify(send([tool(fields)], translation));
      expect(json).toContain('"type":"object"');
      expect(json).not.toMatch(/"(?:schema|parameters|input_schema|json)":\{[^{}]*"(?:oneOf|anyOf|allOf)":\[/);
      expect(json).toContain('"name":{"type":"string"}');
      expect(translation.warnings).toContainEqual(
        expect.objectContaining({ code: 'field_adjusted', field: 'tools[0].parameters' }),
      );
    }
  });

  it.each(SENT)('%s, or a refusal if the translation is strict', (_, send) =>
    expect(() => send([tool()], new Translation('p', true))).toThrow(/oneOf at the top of a tool's schema/),
  );
});
