import { describe, expect, it } from '@jest/globals';
import type { ChatRequest, Effort, Meaning, OtherField, ToolDefinition } from '../../../kernel/model/index.ts';
import { Translation } from '../../routing/index.ts';
import { chatRequest, errorOf, message } from './chat-request.fixture.ts';
import { type AnthropicContext, toAnthropicRequest, toThinkingFields } from './to-anthropic-request.ts';

/** The request for Anthropic, and the fields with a warning. */
function translated(fields: Partial<ChatRequest> = {}, model = 'claude-sonnet-4-6') {
  const translation = new Translation('anthropic');
  const request = toAnthropicRequest(chatRequest(fields), model, translation);
  return { request, warnings: translation.warnings.map(({ code, field }) => `${code} ${field}`) };
}
const translate = (fields: Partial<ChatRequest> = {}, model?: string) => translated(fields, model).request;
const other = (meaning: Meaning, value: unknown, path: string = meaning): OtherField => ({ path, meaning, value });
const TOOL: ToolDefinition = { name: 'look', parameters: { type: 'object', properties: { at: { type: 'string' } } } };

it('writes the smallest request with the default limit and nothing else', () => {
  expect(translate()).toEqual({
    model: 'claude-sonnet-4-6',
    max_tokens: 4096,
    stream: false,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  });
});

it('translates every field that has an equivalent', () => {
  const request = translate({
    messages: [message('system', 'Be brief.'), message('user', 'Hello')],
    stream: true,
    maxOutputTokens: 100,
    temperature: 0.5,
    stop: ['END'],
    others: [other('end_user', 'user-7', 'user'), other('top_k', 5)],
    tools: [TOOL],
    toolChoice: 'auto',
  });
  expect(request).toEqual({
    model: 'claude-sonnet-4-6',
    max_tokens: 100,
    stream: true,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    temperature: 0.5,
    top_k: 5,
    stop_sequences: ['END'],
    metadata: { user_id: 'user-7' },
    tools: [{ name: 'look', input_schema: TOOL.parameters }],
    tool_choice: { type: 'auto' },
  });
});

it('keeps zeros and leaves out empty lists', () => {
  const request = translate({ temperature: 0, stop: [], tools: [] });
  expect(request).toMatchObject({ temperature: 0 });
  expect(translate({ topP: 0 })).toMatchObject({ top_p: 0 });
  expect(request).not.toHaveProperty('stop_sequences');
  expect(request).not.toHaveProperty('tools');
});

it('uses the configured limit where the caller sets none', () => {
  const limit = (fields: Partial<ChatRequest>) =>
    toAnthropicRequest(chatRequest(fields), 'm', new Translation('anthropic'), 99).max_tokens;
  expect([limit({}), limit({ maxOutputTokens: 5 })]).toEqual([99, 5]);
});

it('refuses more than one choice', () =>
  expect(errorOf(() => translate({ choiceCount: 2 }))).toMatchObject({ code: 'invalid_value', param: 'n' }));

describe('sampling', () => {
  const OLD = 'claude-sonnet-4-20250514';
  const MIDDLE = 'claude-opus-4-6';
  const NEW = 'claude-opus-4-7';
  const thinking = other('reasoning_effort', 'high');
  it.each<[string, Partial<ChatRequest>, string, object, string[]]>([
    ['both', { temperature: 0.5, topP: 0.9 }, OLD, { temperature: 0.5, top_p: 0.9 }, []],
    ['one', { temperature: 0.5, topP: 0.9 }, MIDDLE, { temperature: 0.5 }, ['field_dropped top_p']],
    ['one without the default of the other', { temperature: 1, topP: 0.9 }, MIDDLE, { top_p: 0.9 }, []],
    ['none', { temperature: 0.5, topP: 0.9 }, NEW, {}, ['field_dropped temperature', 'field_dropped top_p']],
    ['none, by default', { temperature: 1, topP: 1 }, NEW, {}, []],
    ['at most 1', { temperature: 1.01 }, OLD, { temperature: 1 }, ['field_adjusted temperature']],
    [
      'none with thinking',
      { temperature: 0.5, topP: 0.9, others: [thinking, other('top_k', 3)] },
      OLD,
      {},
      ['field_dropped top_k', 'field_dropped temperature', 'field_dropped top_p'],
    ],
    [
      'none with thinking, whatever the order',
      { others: [other('top_k', 3), thinking] },
      MIDDLE,
      {},
      ['field_dropped top_k'],
    ],
    ['top_k', { others: [other('top_k', 3)] }, MIDDLE, { top_k: 3 }, []],
    ['no top_k', { others: [other('top_k', 3)] }, NEW, {}, ['field_dropped top_k']],
    ['no top_k that is not a whole number', { others: [other('top_k', 'x')] }, OLD, {}, ['field_dropped top_k']],
    [
      'all of it where thinking is off',
      { temperature: 0, others: [other('reasoning_effort', 'none')] },
      MIDDLE,
      { temperature: 0 },
      [],
    ],
  ])('has %s', (_, fields, model, expected, warnings) => {
    const { request, warnings: found } = translated(fields, model);
    const { temperature, top_p, top_k } = request;
    expect(JSON.parse(JSON.stringify({ temperature, top_p, top_k }))).toEqual(expected);
    expect(found).toEqual(warnings);
  });
});

describe('tools', () => {
  it('gives a schema without a type that of an object, which the API requires', () => {
    const properties = { a: { type: 'string' } };
    const schemaOf = (parameters: object) => translate({ tools: [{ name: 'f', parameters: { ...parameters } }] }).tools;
    expect(schemaOf({})).toEqual([{ name: 'f', input_schema: { type: 'object' } }]);
    expect(schemaOf({ properties })).toEqual([{ name: 'f', input_schema: { type: 'object', properties } }]);
  });

  it('gives a tool without parameters the schema of an empty object', () => {
    expect(translate({ tools: [{ name: 'now', description: 'The time.' }] }).tools).toEqual([
      { name: 'now', description: 'The time.', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  it('keeps strict where it is asked for', () => {
    expect(translate({ tools: [{ ...TOOL, strict: true }] }).tools?.[0]).toMatchObject({ strict: true });
    expect(translate({ tools: [{ ...TOOL, strict: false }] }).tools?.[0]).not.toHaveProperty('strict');
  });

  it.each<[ChatRequest['toolChoice'], boolean | undefined, unknown]>([
    [undefined, undefined, undefined],
    [undefined, true, undefined],
    [undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
    ['auto', undefined, { type: 'auto' }],
    ['auto', false, { type: 'auto', disable_parallel_tool_use: true }],
    ['none', undefined, { type: 'none' }],
    ['none', false, { type: 'none' }],
    ['required', true, { type: 'any' }],
    ['required', false, { type: 'any', disable_parallel_tool_use: true }],
    [{ name: 'look' }, undefined, { type: 'tool', name: 'look' }],
    [{ name: 'look' }, false, { type: 'tool', name: 'look', disable_parallel_tool_use: true }],
  ])('translates the choice %j with parallel calls %j', (toolChoice, parallelToolCalls, expected) => {
    const fields = {
      ...(toolChoice !== undefined && { toolChoice }),
      ...(parallelToolCalls !== undefined && { parallelToolCalls }),
    };
    expect(translate({ tools: [TOOL], ...fields }).tool_choice).toEqual(expected);
    expect(translate(fields)).not.toHaveProperty('tool_choice');
  });
});

describe('a response format', () => {
  const SCHEMA = { type: 'object', properties: { a: { type: 'string', maxLength: 3 } } };
  const format = other('response_format', { name: 'n', schema: SCHEMA, strict: true });

  it('by a schema becomes output_config.format, beside an effort', () => {
    const { request, warnings } = translated({ others: [format, other('reasoning_effort', 'low')] });
    expect(request.output_config).toEqual({
      effort: 'low',
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { a: { type: 'string', description: '(maxLength: 3)' } },
          additionalProperties: false,
        },
      },
    });
    expect(warnings).toEqual([]);
  });

  it('by a schema is refused for models without it', () =>
    expect(errorOf(() => translate({ others: [format] }, 'claude-opus-4-1-20250805'))).toMatchObject({
      code: 'invalid_value',
      param: 'response_format',
      message: expect.stringContaining('4.5'),
    }));

  it('without a schema is asked for in the system prompt, with a warning', () => {
    const messages = [message('system', 'Be brief.'), message('user', 'Hello')];
    const { request, warnings } = translated({ messages, others: [other('response_format', {})] });
    expect(request.system).toEqual([
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: expect.stringContaining('JSON') },
    ]);
    expect(request).not.toHaveProperty('output_config');
    expect(warnings).toEqual(['field_adjusted response_format']);
  });
});

describe('thinking', () => {
  const context = (fields: Partial<AnthropicContext> = {}): AnthropicContext => ({
    model: 'claude-sonnet-4-5',
    maxTokens: 10_000,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    toolChoice: undefined,
    thinks: false,
    ...fields,
  });
  const answered: AnthropicContext['messages'] = [
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a' },
        { type: 'text', text: 'go on' },
      ],
    },
  ];

  it.each(['huge', 3, {}])('is not there for the level %j, with a warning', (effort) => {
    const { request, warnings } = translated({ others: [other('reasoning_effort', effort)] });
    expect(request).not.toHaveProperty('thinking');
    expect(warnings).toEqual(['field_dropped reasoning_effort']);
  });

  describe('models before 4.6', () => {
    it.each<[Effort, number]>([
      ['minimal', 1024],
      ['low', 2000],
      ['medium', 5000],
      ['high', 8000],
      ['xhigh', 9000],
      ['max', 9000],
    ])('%s gives a budget within max_tokens', (effort, budget) => {
      expect(toThinkingFields({ effort }, context())).toEqual({ thinking: { type: 'enabled', budget_tokens: budget } });
    });

    it('none gives no thinking', () => {
      expect(toThinkingFields({ effort: 'none' }, context())).toEqual({});
      expect(toThinkingFields({ budget: 0 }, context())).toEqual({});
    });

    it('a small max_tokens, a forced tool and a tool result at the end allow no thinking', () => {
      expect(toThinkingFields({ effort: 'low' }, context({ maxTokens: 2047 }))).toBeUndefined();
      expect(toThinkingFields({ effort: 'low' }, context({ toolChoice: { type: 'any' } }))).toBeUndefined();
      expect(toThinkingFields({ effort: 'low' }, context({ messages: answered }))).toBeUndefined();
      expect(toThinkingFields({ effort: 'max' }, context({ maxTokens: 2048 }))?.thinking).toEqual({
        type: 'enabled',
        budget_tokens: 1843,
      });
    });

    it.each([
      [{ budget: 3_000 }, 3_000],
      [{ budget: 5 }, 1_024],
      [{ budget: 90_000 }, 9_999],
      [{}, 5_000],
    ])('%j gives the budget %i', (thinking, budget) => {
      expect(toThinkingFields(thinking, context())).toEqual({ thinking: { type: 'enabled', budget_tokens: budget } });
    });

    it('that is not possible is reported by its name', () => {
      const tool = { ...message('tool', 'sunny'), toolCallId: 'c1' };
      const call = { ...message('assistant'), toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] };
      const messages = [message('user', 'Hello'), call, tool];
      const thinking = other('thinking', { budget: 2_000 });
      const { request, warnings } = translated({ messages, others: [thinking], temperature: 0 }, 'claude-haiku-4-5');
      expect(request).toMatchObject({ temperature: 0 });
      expect(request).not.toHaveProperty('thinking');
      expect(warnings).toEqual(['field_dropped thinking']);
    });
  });

  describe('models from 4.6 on', () => {
    const newer = (fields: Partial<AnthropicContext> = {}) => context({ model: 'claude-opus-5', ...fields });

    it.each<[Effort, string]>([
      ['minimal', 'low'],
      ['low', 'low'],
      ['medium', 'medium'],
      ['high', 'high'],
      ['xhigh', 'xhigh'],
      ['max', 'max'],
    ])('%s gives adaptive thinking with effort %s', (effort, expected) => {
      expect(toThinkingFields({ effort }, newer())).toEqual({
        thinking: { type: 'adaptive' },
        output_config: { effort: expected },
      });
    });

    it('none switches thinking off', () => {
      expect(toThinkingFields({ effort: 'none' }, newer())).toEqual({ thinking: { type: 'disabled' } });
    });

    it('a forced tool leaves only the effort; a small max_tokens and tool results change nothing', () => {
      expect(toThinkingFields({ effort: 'low' }, newer({ toolChoice: { type: 'tool', name: 'a' } }))).toEqual({
        output_config: { effort: 'low' },
      });
      expect(toThinkingFields({ effort: 'low' }, newer({ messages: answered, maxTokens: 5 }))).toHaveProperty(
        'thinking',
      );
      expect(toThinkingFields({}, newer({ toolChoice: { type: 'any' } }))).toBeUndefined();
    });

    it('a budget becomes an effort, and thinking without a budget has none', () => {
      expect(toThinkingFields({ budget: 1_024 }, newer())).toMatchObject({ output_config: { effort: 'low' } });
      expect(toThinkingFields({ budget: 30_000 }, newer())).toMatchObject({ output_config: { effort: 'high' } });
      expect(toThinkingFields({}, newer())).toEqual({ thinking: { type: 'adaptive' } });
    });
  });
});
