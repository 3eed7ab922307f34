import { describe, expect, it } from '@jest/globals';
import { errorOf } from './chat-request.fixture.ts';
import { type ThinkingContext, toAnthropicThinking } from './to-anthropic-thinking.ts';

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
