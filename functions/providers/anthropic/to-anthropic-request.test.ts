import { describe, expect, it } from '@jest/globals';
import type { ChatRequest, ToolDefinition } from '../../core/model/chat.ts';
import { chatRequest, errorOf, message } from './chat-request.fixture.ts';
import {
  type ThinkingContext,
  toAnthropicRequest,
  toAnthropicThinking,
  withoutOpenAiFields,
} from './to-anthropic-request.ts';

const translate = (fields: Partial<ChatRequest> = {}, model = 'claude-sonnet-4-6') =>
  toAnthropicRequest(chatRequest(fields), model);
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
    topP: 0.9,
    stop: ['END'],
    endUser: 'user-7',
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
    top_p: 0.9,
    stop_sequences: ['END'],
    metadata: { user_id: 'user-7' },
    tools: [{ name: 'look', input_schema: TOOL.parameters }],
    tool_choice: { type: 'auto' },
  });
});

it('keeps zeros and leaves out empty lists', () => {
  const request = translate({ temperature: 0, topP: 0, stop: [], tools: [] });
  expect(request).toMatchObject({ temperature: 0, top_p: 0 });
  expect(request).not.toHaveProperty('stop_sequences');
  expect(request).not.toHaveProperty('tools');
});

it('uses the configured limit where the caller sets none', () => {
  expect(toAnthropicRequest(chatRequest(), 'm', 99).max_tokens).toBe(99);
  expect(toAnthropicRequest(chatRequest({ maxOutputTokens: 5 }), 'm', 99).max_tokens).toBe(5);
});

it('refuses a temperature that the API does not have, and more than one choice', () => {
  expect(translate({ temperature: 1 }).temperature).toBe(1);
  expect(errorOf(() => translate({ temperature: 1.01 }))).toMatchObject({
    code: 'invalid_value',
    param: 'temperature',
  });
  expect(errorOf(() => translate({ choiceCount: 2 }))).toMatchObject({ code: 'invalid_value', param: 'n' });
});

describe('tools', () => {
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

describe('fields of the inbound request', () => {
  it('passes on what is not a field of OpenAI, untouched', () => {
    const extra = { top_k: 5, cache_control: { type: 'ephemeral' }, toString: null, another: [null] };
    expect(translate({ extra })).toMatchObject(extra);
  });

  it.each(['system', 'stop_sequences'])('refuses %s where the translation makes it too', (name) => {
    const fields = { messages: [message('system', 'x'), message('user', 'y')], stop: ['z'] };
    expect(errorOf(() => translate({ ...fields, extra: { [name]: ['other'] } }))).toMatchObject({
      code: 'invalid_value',
      param: name,
    });
    expect(translate({ extra: { [name]: ['other'] } })).toMatchObject({ [name]: ['other'] });
  });

  it("lets the caller's own thinking and output_config win over reasoning_effort", () => {
    const own = { thinking: { type: 'enabled', budget_tokens: 2000 }, output_config: { effort: 'max' } };
    expect(translate({ extra: { reasoning_effort: 'low', ...own } })).toMatchObject(own);
  });

  it('leaves out reasoning_effort itself', () => {
    const request = translate({ extra: { reasoning_effort: 'medium' } });
    expect(request).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } });
    expect(request).not.toHaveProperty('reasoning_effort');
  });
});

describe('thinking', () => {
  const context = (fields: Partial<ThinkingContext> = {}): ThinkingContext => ({
    model: 'claude-sonnet-4-5',
    maxTokens: 10_000,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    toolChoice: undefined,
    ...fields,
  });
  const answered: ThinkingContext['messages'] = [
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a' },
        { type: 'text', text: 'go on' },
      ],
    },
  ];

  it.each([undefined, null])('adds nothing where no level is asked for (%j)', (effort) => {
    expect(toAnthropicThinking(effort, context())).toEqual({});
  });

  it.each(['huge', 3, {}])('refuses the level %j', (effort) => {
    expect(errorOf(() => toAnthropicThinking(effort, context()))).toMatchObject({
      code: 'invalid_value',
      param: 'reasoning_effort',
    });
  });

  describe('models before 4.6', () => {
    it.each([
      ['minimal', 1024],
      ['low', 2000],
      ['medium', 5000],
      ['high', 8000],
      ['xhigh', 9000],
      ['max', 9000],
    ])('%s gives a budget within max_tokens', (effort, budget) => {
      expect(toAnthropicThinking(effort, context())).toEqual({ thinking: { type: 'enabled', budget_tokens: budget } });
    });

    it('none, a small max_tokens, a forced tool and a tool result at the end give no thinking', () => {
      expect(toAnthropicThinking('none', context())).toEqual({});
      expect(toAnthropicThinking('low', context({ maxTokens: 2047 }))).toEqual({});
      expect(toAnthropicThinking('low', context({ toolChoice: { type: 'any' } }))).toEqual({});
      expect(toAnthropicThinking('low', context({ messages: answered }))).toEqual({});
      expect(toAnthropicThinking('max', context({ maxTokens: 2048 })).thinking).toEqual({
        type: 'enabled',
        budget_tokens: 1843,
      });
    });
  });

  describe('models from 4.6 on', () => {
    const newer = (fields: Partial<ThinkingContext> = {}) => context({ model: 'claude-opus-5', ...fields });

    it.each([
      ['minimal', 'low'],
      ['low', 'low'],
      ['medium', 'medium'],
      ['high', 'high'],
      ['xhigh', 'xhigh'],
      ['max', 'max'],
    ])('%s gives adaptive thinking with effort %s', (effort, expected) => {
      expect(toAnthropicThinking(effort, newer())).toEqual({
        thinking: { type: 'adaptive' },
        output_config: { effort: expected },
      });
    });

    it('none switches thinking off', () => {
      expect(toAnthropicThinking('none', newer())).toEqual({ thinking: { type: 'disabled' } });
    });

    it('a forced tool leaves only the effort; a small max_tokens and tool results change nothing', () => {
      expect(toAnthropicThinking('low', newer({ toolChoice: { type: 'tool', name: 'a' } }))).toEqual({
        output_config: { effort: 'low' },
      });
      expect(toAnthropicThinking('low', newer({ messages: answered, maxTokens: 5 }))).toHaveProperty('thinking');
    });
  });

  it.each([
    ['claude-3-7-sonnet-20250219', false],
    ['claude-3-opus-20240229', false],
    ['claude-sonnet-4-20250514', false],
    ['claude-opus-4-5-20251101', false],
    ['claude-haiku-4-5', false],
    ['claude-sonnet-4-6', true],
    ['claude-opus-4-10-20270101', true],
    ['claude-fable-5', true],
    ['claude-opus-5-5', true],
    ['claude-mythos-preview', true],
  ])('%s takes a level of effort: %j', (model, expected) => {
    expect('output_config' in toAnthropicThinking('low', context({ model }))).toBe(expected);
  });
});

describe('fields of OpenAI alone', () => {
  describe('withoutOpenAiFields', () => {
    it.each<[string, unknown]>([
      ['logprobs', true],
      ['top_logprobs', 2],
      ['logit_bias', { '50256': -100 }],
      ['presence_penalty', 0.1],
      ['frequency_penalty', -1],
      ['response_format', { type: 'json_object' }],
      ['response_format', { type: 'json_schema', json_schema: {} }],
      ['response_format', 'text'],
      ['seed', 0],
      ['audio', { voice: 'alloy', format: 'wav' }],
      ['modalities', ['text', 'audio']],
      ['prediction', { type: 'content', content: 'x' }],
      ['web_search_options', {}],
      ['functions', []],
      ['function_call', 'auto'],
      ['verbosity', 'low'],
      ['service_tier', 'flex'],
      ['prompt', ['two', 'prompts']],
      ['best_of', 2],
      ['echo', true],
      ['suffix', 'end'],
    ])('refuses %s = %j, naming provider and field', (name, value) => {
      const error = errorOf(() => withoutOpenAiFields({ [name]: value }));
      expect(error).toMatchObject({ code: 'invalid_value', param: name });
      expect(error?.message).toContain('anthropic');
      expect(error?.message).toContain(name);
      expect(withoutOpenAiFields({ [name]: null })).toEqual({});
    });

    it.each(['messages[0].audio', 'generationConfig.topK', 'safetySettings'])('refuses another API’s %s', (name) => {
      expect(errorOf(() => withoutOpenAiFields({ [name]: 1 }))).toMatchObject({ code: 'invalid_value', param: name });
    });

    it.each<[string, unknown]>([
      ['logprobs', false],
      ['top_logprobs', 0],
      ['logit_bias', {}],
      ['presence_penalty', 0],
      ['frequency_penalty', 0],
      ['response_format', { type: 'text' }],
      ['modalities', ['text']],
      ['verbosity', 'medium'],
      ['service_tier', 'auto'],
      ['service_tier', 'default'],
      ['store', true],
      ['metadata', { a: 'b' }],
      ['prompt_cache_key', 'k'],
      ['prompt_cache_retention', '24h'],
      ['prompt_cache_options', {}],
      ['safety_identifier', 'u'],
      ['stream_options', { include_usage: true }],
      ['reasoning_effort', 'low'],
      ['moderation', {}],
      ['svc', {}],
    ])('leaves out %s = %j', (name, value) => {
      expect(withoutOpenAiFields({ [name]: value })).toEqual({});
    });

    it('passes on any other field, null and names from Object.prototype too', () => {
      const extra = JSON.parse('{"top_k":3,"unknown":null,"constructor":1,"__proto__":{"a":1}}');
      expect(JSON.stringify(withoutOpenAiFields(extra))).toBe(JSON.stringify(extra));
    });
  });
});
