import { describe, expect, it } from '@jest/globals';
import type { ChatRequest, ToolDefinition } from '../../core/model/chat.ts';
import { chatRequest, errorOf, message } from './chat-request.fixture.ts';
import { toAnthropicRequest } from './to-anthropic-request.ts';

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
