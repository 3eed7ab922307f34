import { describe, expect, it } from '@jest/globals';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import type { ChatRequest } from '../../../kernel/model/index.ts';
import { MESSAGES_PROTOCOL } from '../../protocols/anthropic-messages/messages-protocol.ts';
import { geminiProtocol } from '../../protocols/gemini/gemini-protocol.ts';
import type { ResponseFormat } from '../../protocols/protocol.ts';
import { Translation } from '../../routing/index.ts';
import { COMPATIBLE_PROVIDERS } from '../provider-list.ts';
import { fromOpenAiCompletion, OpenAiChunkReader } from './from-openai-chat.ts';
import { placeByModel, reasoningEdits } from './reasoning.ts';
import { COMMON_DIALECT, type Dialect, toOpenAiChat } from './to-openai-request.ts';

const THOUGHT = 'The user wants the weather.';
const DEEPSEEK: Dialect = { ...COMMON_DIALECT, reasoningOf: () => 'reasoning_content' };
const MISTRAL: Dialect = { ...COMMON_DIALECT, reasoningOf: () => 'thinking' };
const CALL = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
const HEAD = { requestId: 'req_0a', created: 1, model: 'deepseek-v4-pro' };
/** The dialect of a provider of the list. */
const dialectOf = (provider: string): Dialect => ({
  ...COMMON_DIALECT,
  ...COMPATIBLE_PROVIDERS.find(({ name }) => name === provider)?.dialect,
});
const BASE = { model: 'deepseek-v4-pro', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };

const read = (body: object) => MESSAGES_PROTOCOL.read(MESSAGES_PROTOCOL.check(readJsonDocument(JSON.stringify(body))));
function formatOf(protocol: Pick<typeof MESSAGES_PROTOCOL, 'format'>): ResponseFormat {
  const body = MESSAGES_PROTOCOL.check(readJsonDocument(JSON.stringify(BASE)));
  return protocol.format({ ...read(BASE), stream: true }, HEAD, { asked: body, sent: body });
}
function sentTo(dialect: Dialect, request: ChatRequest): unknown {
  const translation = new Translation('deepseek');
  const { messages } = toOpenAiChat(request, 'm', dialect, translation) as { messages: object[] };
  return messages[1];
}

/** A message or delta with reasoning, as each server has it. */
const FORMS: Readonly<Record<string, (text: string) => object>> = {
  reasoning_content: (text) => ({ reasoning_content: text }),
  reasoning: (text) => ({ reasoning: text }),
  'reasoning and reasoning_details': (text) => ({
    reasoning: text,
    reasoning_details: [{ type: 'reasoning.text', text }],
  }),
  'text of reasoning_details': (text) => ({ reasoning_details: [{ type: 'reasoning.text', text, signature: null }] }),
  'summary of reasoning_details': (summary) => ({ reasoning_details: [{ type: 'reasoning.summary', summary }] }),
  'thinking parts': (text) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }),
};

describe.each(Object.entries(FORMS))("a server's %s in a tool loop", (_, holding) => {
  const completion = fromOpenAiCompletion(
    JSON.stringify({
      id: 'c',
      model: 'm',
      choices: [{ index: 0, message: { ...holding(THOUGHT), tool_calls: [CALL] }, finish_reason: 'tool_calls' }],
    }),
    'deepseek',
    new Translation('deepseek'),
  );
  const chunks = ['The user ', 'wants the weather.'].map((text) => ({ delta: holding(text) }));
  const reader = new OpenAiChunkReader('deepseek', new Translation('deepseek'));
  const deltas = [
    ...chunks,
    { delta: { tool_calls: [{ index: 0, ...CALL }] } },
    { finish_reason: 'tool_calls' },
  ].flatMap((choice) => reader.read(JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, ...choice }] })));

  it('is a thinking block of Messages, and comes back in the next turn', () => {
    const { content } = JSON.parse(formatOf(MESSAGES_PROTOCOL).encodeWhole(completion));
    expect(content[0]).toEqual({ type: 'thinking', thinking: THOUGHT, signature: '' });
    const result = { type: 'tool_result', tool_use_id: 'c1', content: 'sunny' };
    const turns = [
      { role: 'assistant', content },
      { role: 'user', content: [result] },
    ];
    const request = read({ ...BASE, messages: [...BASE.messages, ...turns] });
    const expected = { role: 'assistant', content: null, tool_calls: [CALL] };
    expect(sentTo(DEEPSEEK, request)).toEqual({ ...expected, reasoning_content: THOUGHT });
    expect(sentTo(COMMON_DIALECT, request)).toEqual(expected);
    const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: THOUGHT }] }];
    expect(sentTo(MISTRAL, request)).toEqual({ ...expected, content: thinking });
  });

  it('is streamed as a thinking block before the call, and only read in inspection', () => {
    const format = formatOf(MESSAGES_PROTOCOL);
    const events = [...deltas.flatMap((delta) => format.encode(delta)), ...format.encodeEnd()];
    const blocks = events.map((json) => JSON.parse(json)).filter(({ type }) => type.startsWith('content_block'));
    expect(blocks.slice(0, 5)).toMatchObject([
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { index: 0, delta: { type: 'thinking_delta', thinking: 'The user ' } },
      { index: 0, delta: { type: 'thinking_delta', thinking: 'wants the weather.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use' } },
    ]);
    const slots = events
      .flatMap((json) => format.readPiece(json).slots)
      .filter(({ channel }) => /thinking/.test(channel));
    expect(slots.map(({ text, isReadOnly }) => [text, isReadOnly])).toEqual([
      ['The user ', true],
      ['wants the weather.', true],
    ]);
  });

  it('is a thought of Gemini, whole and streamed', () => {
    const format = formatOf(geminiProtocol('', false) as unknown as typeof MESSAGES_PROTOCOL);
    const [part] = JSON.parse(format.encodeWhole(completion)).candidates[0].content.parts;
    expect(part).toEqual({ text: THOUGHT, thought: true });
    const parts = deltas
      .flatMap((delta) => format.encode(delta))
      .flatMap((json) =>
        JSON.parse(json).candidates.flatMap(({ content }: { content: { parts: object[] } }) => content.parts),
      );
    expect(parts).toEqual([
      { text: 'The user ', thought: true },
      { text: 'wants the weather.', thought: true },
    ]);
  });
});

it('is apart from the answer in a list of parts', () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: THOUGHT }] },
    { type: 'text', text: 'Sunny' },
    { type: 'reference', reference_ids: [1] },
    { type: 'text', text: '.' },
  ];
  const choice = { index: 0, message: { content }, finish_reason: 'stop' };
  const body = JSON.stringify({ id: 'c', model: 'm', choices: [choice] });
  expect(fromOpenAiCompletion(body, 'mistral', new Translation('mistral')).choices[0]).toMatchObject({
    text: 'Sunny.',
    reasoning: THOUGHT,
  });
});

it('is not taken from reasoning that another provider signed', () => {
  const content = [
    { type: 'thinking', thinking: THOUGHT, signature: 'c2ln' },
    { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
  ];
  const request = read({ ...BASE, messages: [...BASE.messages, { role: 'assistant', content }] });
  expect(sentTo(DEEPSEEK, request)).not.toHaveProperty('reasoning_content');
});

describe('the place of reasoning at a provider', () => {
  it.each([
    // https://api-docs.deepseek.com/guides/thinking_mode
    ['deepseek', 'deepseek-v4-pro', 'reasoning_content'],
    // https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
    ['openrouter', 'deepseek/deepseek-v4-pro', 'reasoning'],
    // https://docs.vllm.ai/en/stable/features/reasoning_outputs/
    ['vllm', 'qwen3', 'reasoning'],
    ['groq', 'qwen3', 'refused'],
    ['mistral', 'magistral-medium', 'thinking'],
    ['mistral', 'mistral-large', 'refused'],
  ])('%s of %s is %s', (name, model, place) => {
    const entry = COMPATIBLE_PROVIDERS.find((one) => one.name === name);
    expect(entry?.dialect?.reasoningOf?.(model)).toBe(place);
  });

  it.each(['deepseek-v4', 'Kimi-K2', 'glm-5', 'qwen3-max', 'mimo-v2'])(
    'that a deployment names is known by the model %s',
    (model) => expect(placeByModel(model)).toBe('reasoning_content'),
  );

  it('is unknown for other models', () => expect(placeByModel('llama-4')).toBeUndefined());
});

describe('reasoning at each provider', () => {
  const LOOP: ChatRequest['messages'] = [
    { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', parts: [], reasoning: THOUGHT, toolCalls: [{ id: 'c1', name: 'f', arguments: '{}' }] },
    { role: 'tool', parts: [{ type: 'text', text: 'ok' }], toolCallId: 'c1' },
  ];
  const sent = (provider: string, model: string, request: Partial<ChatRequest> = {}) => {
    const translation = new Translation(provider);
    const body = toOpenAiChat({ ...read(BASE), messages: LOOP, ...request }, model, dialectOf(provider), translation);
    const { messages, ...rest } = body as { messages: Record<string, unknown>[] };
    const { reasoning, reasoning_content } = messages[1] ?? {};
    return { reasoning, reasoning_content, rest, warnings: translation.warnings.length };
  };

  it.each([
    ['fireworks', 'accounts/fireworks/models/qwen3p8-max', 'reasoning_content'],
    ['together', 'moonshotai/Kimi-K3', 'reasoning_content'],
    ['together', 'zai-org/GLM-5.2', 'reasoning_content'],
    ['together', 'openai/gpt-oss-120b', 'reasoning'],
    ['together', 'Qwen/Qwen3.5-9B', 'reasoning'],
    ['ollama', 'qwen3:8b', 'reasoning'],
  ])('%s gets that of %s in %s', (provider, model, place) =>
    expect(sent(provider, model)).toMatchObject({ [place]: THOUGHT, warnings: 0 }),
  );

  it.each([
    ['xai', 'grok-4.7'],
    ['cohere', 'command-a-reasoning-08-2025'],
    ['together', 'meta-llama/Llama-3.3-70B-Instruct-Turbo'],
  ])('%s gets none of %s, with a warning', (provider, model) =>
    expect(sent(provider, model)).toMatchObject({ reasoning: undefined, reasoning_content: undefined, warnings: 1 }),
  );

  const withoutReasoning = LOOP.map(({ reasoning: _, ...message }) => message);
  const OFF = [
    { path: 'thinking', meaning: 'thinking', value: { off: true } },
    { path: 'generationConfig.thinkingConfig', meaning: 'thinking', value: { budget: 0 } },
    { path: 'reasoning_effort', meaning: 'reasoning_effort', value: 'none' },
  ] as const;
  it.each(OFF)('no placeholder is sent if thinking is off by $path, and the provider gets that', (field) => {
    const request = { messages: withoutReasoning, others: [field] };
    expect(sent('deepseek', 'deepseek-v4-pro', { messages: withoutReasoning })).toMatchObject({
      reasoning_content: '.',
    });
    for (const [provider, model, member] of [
      ['deepseek', 'deepseek-v4-pro', { thinking: { type: 'disabled' } }],
      ['fireworks', 'accounts/fireworks/models/deepseek-v4-pro', { thinking: { type: 'disabled' } }],
      ['together', 'deepseek-ai/DeepSeek-V4-Pro-0813', { reasoning: { enabled: false } }],
    ] as const) {
      const result = sent(provider, model, request);
      expect(result).toMatchObject({ reasoning_content: undefined, rest: member, warnings: 0 });
      expect(result.rest).not.toHaveProperty('reasoning_effort');
    }
  });

  it('thinking that is off changes nothing at models that do not think by default', () => {
    const request = { messages: withoutReasoning, others: [OFF[0]] };
    expect(sent('mistral', 'mistral-large-latest', request)).toMatchObject({ warnings: 0 });
    expect(sent('mistral', 'mistral-large-latest', request).rest).not.toHaveProperty('thinking');
  });

  it("Fireworks gets no other server's members, which it refuses", () => {
    const call = { role: 'assistant', content: null, reasoning: THOUGHT, reasoning_details: [], tool_calls: [CALL] };
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }, call] };
    const edits = reasoningEdits(body, 'reasoning_content alone', 'm', new Translation('fireworks'));
    expect(edits).toEqual([
      { kind: 'remove', path: ['messages', 1, 'reasoning'] },
      { kind: 'remove', path: ['messages', 1, 'reasoning_details'] },
      { kind: 'insert', path: ['messages', 1], key: 'reasoning_content', json: JSON.stringify(THOUGHT) },
    ]);
  });
});
