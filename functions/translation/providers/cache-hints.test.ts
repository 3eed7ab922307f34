import { describe, expect, it } from '@jest/globals';
import { readJsonDocument } from '../../kernel/json/index.ts';
import type { ChatRequest } from '../../kernel/model/index.ts';
import { MESSAGES_PROTOCOL } from '../protocols/anthropic-messages/messages-protocol.ts';
import { CHAT_PROTOCOL } from '../protocols/openai-chat/chat-protocol.ts';
import { Translation } from '../routing/index.ts';
import { toAnthropicRequest } from './anthropic/to-anthropic-request.ts';
import { toConverseRequest } from './bedrock/to-converse-request.ts';
import { toGeminiRequest } from './gemini/to-gemini-request.ts';
import { COMMON_DIALECT, toOpenAiChat } from './openai/to-openai-request.ts';

const CLAUDE = 'eu.anthropic.claude-opus-4-6-v1';
const cache_control = { type: 'ephemeral' };
const hour = { type: 'ephemeral', ttl: '1h' };
const PDF = { type: 'base64', media_type: 'application/pdf', data: 'AAAA' };
const chat = (body: object) =>
  CHAT_PROTOCOL.read(CHAT_PROTOCOL.check(readJsonDocument(JSON.stringify({ model: 'm', ...body }))));
const messages = (body: object) =>
  MESSAGES_PROTOCOL.read(
    MESSAGES_PROTOCOL.check(readJsonDocument(JSON.stringify({ model: 'm', max_tokens: 9, ...body }))),
  );

/** Every place with a hint, in both APIs. */
const MESSAGES = messages({
  system: [
    { type: 'text', text: 's' },
    { type: 'text', text: 't', cache_control: hour },
  ],
  tools: [
    { name: 'f', input_schema: { type: 'object' } },
    { name: 'g', input_schema: { type: 'object' }, cache_control },
  ],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a', cache_control },
        { type: 'document', source: PDF, cache_control },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {}, cache_control }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'r', cache_control }] },
  ],
});

describe('cache hints', () => {
  it('are cache_control at Anthropic', () => {
    const translation = new Translation('anthropic', true);
    expect(toAnthropicRequest(MESSAGES, 'claude-opus-4-6', translation)).toMatchObject({
      system: [{ text: 's' }, { text: 't', cache_control: hour }],
      tools: [{ name: 'f' }, { name: 'g', cache_control }],
      messages: [
        {
          content: [
            { text: 'a', cache_control },
            { type: 'document', cache_control },
          ],
        },
        { content: [{ type: 'tool_use', cache_control }] },
        { content: [{ type: 'tool_result', cache_control }] },
      ],
    });
    expect(JSON.stringify(toAnthropicRequest(MESSAGES, 'm', translation)).match(/cache_control/g)).toHaveLength(6);
  });

  it.each([CLAUDE, 'amazon.nova-pro-v1:0'])('are cache points at Bedrock: %s', (model) => {
    const point = { cachePoint: { type: 'default' } };
    const body = toConverseRequest(MESSAGES, model, new Translation('bedrock', true));
    expect(body.system).toEqual([{ text: 's' }, { text: 't' }, { cachePoint: { type: 'default', ttl: '1h' } }]);
    expect(body.toolConfig?.tools).toEqual([
      { toolSpec: expect.objectContaining({ name: 'f' }) },
      { toolSpec: expect.objectContaining({ name: 'g' }) },
      point,
    ]);
    expect(body.messages.map(({ content }) => content)).toEqual([
      [{ text: 'a' }, point, { document: expect.anything() }, point],
      [{ toolUse: expect.anything() }, point],
      [{ toolResult: expect.anything() }, point],
    ]);
  });

  it('within a tool result are a point after it at Bedrock', () => {
    const block = { type: 'text', text: 'r', cache_control: hour };
    const body = toConverseRequest(
      messages({
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [block] }] }],
      }),
      CLAUDE,
      new Translation('bedrock', true),
    );
    expect(body.messages[0]?.content).toEqual([
      { toolResult: { toolUseId: 'c', content: [{ text: 'r' }] } },
      { cachePoint: { type: 'default', ttl: '1h' } },
    ]);
  });

  it.each<[string, (request: ChatRequest, translation: Translation) => object]>([
    ['bedrock', (request, translation) => toConverseRequest(request, 'meta.llama3-3-70b-instruct-v1:0', translation)],
    ['gemini', (request, translation) => toGeminiRequest(request, 'gemini-2.5-flash', translation)],
    ['openai', (request, translation) => toOpenAiChat(request, 'm', COMMON_DIALECT, translation)],
  ])('are dropped with one warning per place at %s', (name, translate) => {
    const translation = new Translation(name);
    expect(JSON.stringify(translate(MESSAGES, translation))).not.toMatch(/cache/i);
    expect(translation.warnings.map(({ field }) => field).sort()).toEqual([
      'messages[0].content[0].cache_control',
      'system[1].cache_control',
      'tools[1].cache_control',
    ]);
  });

  it('of chat completions apply to the last part or call of their message, and to tools', () => {
    const f = { name: 'f', arguments: '{}' };
    const request = chat({
      messages: [
        { role: 'system', content: 's', cache_control },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b', cache_control: hour },
          ],
          cache_control,
        },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: f }], cache_control },
        { role: 'tool', tool_call_id: 'c', content: 'r', cache_control },
      ],
      tools: [
        { type: 'function', function: { name: 'f' }, cache_control },
        { type: 'function', function: { name: 'g', cache_control } },
      ],
    });
    expect(toAnthropicRequest(request, 'claude-opus-4-6', new Translation('anthropic', true))).toMatchObject({
      system: [{ text: 's', cache_control }],
      messages: [
        {
          content: [
            { type: 'text', text: 'a' },
            { text: 'b', cache_control: hour },
          ],
        },
        { content: [{ type: 'tool_use', cache_control }] },
        { content: [{ type: 'tool_result', cache_control }] },
      ],
      tools: [{ cache_control }, { cache_control }],
    });
  });
});
