import { describe, expect, it } from '@jest/globals';
import { refusalOf } from './refusals.ts';

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const MESSAGES = '/v1/messages';
const tools = [{ type: 'function', function: { name: 'f' } }];
const call = {
  role: 'assistant',
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
};
const thought = { ...call, reasoning_content: 'Hm.' };
const thinking = { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }] };

describe('a mock provider, as the real one', () => {
  it.each([
    ['tools with an effort, from gpt-5.4', CHAT, { model: 'gpt-5.4', tools, reasoning_effort: 'low' }],
    ['tools without an effort, from gpt-5.6', CHAT, { model: 'gpt-5.6-luna', tools }],
    ['a tool loop of DeepSeek without its reasoning', CHAT, { model: 'deepseek-v4-pro', messages: [call] }],
    ['empty reasoning', CHAT, { model: 'kimi-k2', messages: [{ ...call, reasoning_content: '' }] }],
    ['parameters of chat completions in responses', RESPONSES, { model: 'gpt-5.4', max_tokens: 10 }],
    ['a limit below 16', RESPONSES, { model: 'gpt-5.4', max_output_tokens: 15 }],
    ['the effort minimal from gpt-5.1', RESPONSES, { model: 'gpt-5.1', reasoning: { effort: 'minimal' } }],
    ['a tool in the form of chat completions', RESPONSES, { model: 'gpt-5.4', tools }],
    [
      'reasoning as text',
      RESPONSES,
      { model: 'gpt-5.4', input: [{ type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }] }] },
    ],
    ['thoughts without a signature', MESSAGES, { model: 'claude-sonnet-4-6', messages: [thinking] }],
  ])('refuses %s', (_, path, body) => expect(refusalOf(path, body)).toMatchObject({ status: 400 }));

  it.each([
    ['tools up to gpt-5.3', CHAT, { model: 'gpt-5.3', tools, reasoning_effort: 'high' }],
    ['tools without an effort up to gpt-5.5', CHAT, { model: 'gpt-5.5', tools }],
    ['tools with the effort none', CHAT, { model: 'gpt-5.6', tools, reasoning_effort: 'none' }],
    ['no tools', CHAT, { model: 'gpt-5.6', tools: [], reasoning_effort: 'high' }],
    ['a tool loop with its reasoning', CHAT, { model: 'deepseek-v4-pro', messages: [thought] }],
    [
      'a tool loop without thinking',
      CHAT,
      { model: 'deepseek-v4-pro', messages: [call], thinking: { type: 'disabled' } },
    ],
    ['a loop of a model without reasoning', CHAT, { model: 'gpt-4o', messages: [call] }],
    ['tools of responses', RESPONSES, { model: 'gpt-5.6', tools: [{ type: 'function', name: 'f' }] }],
    ['thoughts of another model', MESSAGES, { model: 'qwen3', messages: [thinking] }],
  ])('accepts %s', (_, path, body) => expect(refusalOf(path, body)).toBeUndefined());
});
