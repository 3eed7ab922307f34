import { describe, expect, it } from '@jest/globals';
import type { ChatDelta, ChatRequest, ContentPart } from '../../../kernel/model/index.ts';
import { Translation } from '../../routing/index.ts';
import { fromOpenAiCompletion, OpenAiChunkReader } from './from-openai-chat.ts';
import { COMMON_DIALECT, OPENAI_DIALECT, toOpenAiChat } from './to-openai-request.ts';

const asked = (fields: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'openai/gpt-4o',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  stream: false,
  includeUsage: true,
  choiceCount: 1,
  others: [],
  ...fields,
});
/** The body, and the fields with a warning. */
function translated(fields: Partial<ChatRequest>, model = 'gpt-4o', dialect = OPENAI_DIALECT) {
  const translation = new Translation('openai');
  const body = toOpenAiChat(asked(fields), model, dialect, translation);
  return { body, warnings: translation.warnings.map(({ field }) => field) };
}
const bodyOf = (fields: Partial<ChatRequest>) => translated(fields).body;

describe('a request for a chat completion', () => {
  it('holds nothing beyond the request', () =>
    expect(bodyOf({})).toEqual({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }));

  it("requests a stream's usage, and limits the output with the server's field", () => {
    const fields = { stream: true, maxOutputTokens: 9 };
    expect(bodyOf(fields)).toMatchObject({ stream_options: { include_usage: true }, max_completion_tokens: 9 });
    expect(translated(fields, 'm', COMMON_DIALECT).body).toMatchObject({ max_tokens: 9 });
  });

  it('has all kinds of parts, tool calls and their results', () => {
    const { messages } = bodyOf({
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'a' },
            { type: 'image', url: 'https://x', detail: 'low' },
            { type: 'audio', data: 'AA', format: 'wav' },
            { type: 'file', filename: 'a.pdf', data: 'data:application/pdf;base64,AA' },
          ],
        },
        { role: 'assistant', parts: [], toolCalls: [{ id: 'c', name: 'f', arguments: '{"a":1}' }] },
        { role: 'tool', parts: [{ type: 'text', text: 'r' }], toolCallId: 'c' },
        { role: 'tool', parts: [], toolCallId: 'd' },
        { role: 'assistant', parts: [{ type: 'refusal', text: 'no' }] },
      ],
    }) as { messages: object[] };
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'https://x', detail: 'low' } },
          { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', content: 'r', tool_call_id: 'c' },
      { role: 'tool', content: '', tool_call_id: 'd' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
    ]);
  });

  it('has the media of tool results in a message of the user behind all results', () => {
    const image = { type: 'image', url: 'https://x' } as const;
    const result = (toolCallId: string, ...parts: ContentPart[]) => ({ role: 'tool', parts, toolCallId }) as const;
    const calls = ['c', 'd'].map((id) => ({ id, name: 'f', arguments: '{}' }));
    const { messages } = bodyOf({
      messages: [
        { role: 'assistant', parts: [], toolCalls: calls },
        result('c', image, { type: 'text', text: 'r' }),
        result('d', { type: 'file', data: 'data:application/pdf;base64,AA' }),
        { role: 'assistant', parts: [{ type: 'text', text: 'a' }] },
        result('e', image),
      ],
    }) as { messages: object[] };
    const sentImage = { type: 'image_url', image_url: { url: 'https://x' } };
    expect(messages.slice(1)).toEqual([
      { role: 'tool', content: 'r', tool_call_id: 'c' },
      { role: 'tool', content: 'The result is attached.', tool_call_id: 'd' },
      {
        role: 'user',
        content: [sentImage, { type: 'file', file: { file_data: 'data:application/pdf;base64,AA' } }],
      },
      { role: 'assistant', content: 'a' },
      { role: 'tool', content: 'The result is attached.', tool_call_id: 'e' },
      { role: 'user', content: [sentImage] },
    ]);
  });

  it('has no cache hint of a tool, call or text', () => {
    const cache = {};
    const messages = [
      { role: 'user', parts: [{ type: 'text', text: 'hi', cache }] },
      { role: 'assistant', parts: [], toolCalls: [{ id: 'c', name: 'f', arguments: '{}', cache }] },
      { role: 'tool', parts: [{ type: 'text', text: 'r' }], toolCallId: 'c', cache },
    ] as const;
    expect(JSON.stringify(bodyOf({ messages, tools: [{ name: 'f', cache }] }))).not.toContain('cache');
  });

  it('is refused for an essential field, by its name', () =>
    expect(() => bodyOf({ others: [{ path: 'messages[0].content[0]', meaning: 'essential', value: {} }] })).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'messages[0].content[0]', status: 400 }),
    ));

  it.each<[string, Partial<ChatRequest>, object, string[]]>([
    ['gpt-4o', { temperature: 0.5, topP: 0.9 }, { temperature: 0.5, top_p: 0.9 }, []],
    ['gpt-5.1', { temperature: 0.5, topP: 0.9 }, {}, ['temperature', 'top_p']],
    ['o3-mini', { temperature: 1, topP: 1 }, {}, []],
  ])('has the sampling that the model takes: %s', (model, fields, expected, dropped) => {
    const { body, warnings } = translated(fields, model);
    const { temperature, top_p } = body as Record<string, unknown>;
    expect(JSON.parse(JSON.stringify({ temperature, top_p }))).toEqual(expected);
    expect(warnings).toEqual(dropped);
    // Other servers' models take both, whatever their names.
    expect(translated(fields, model, COMMON_DIALECT).warnings).toEqual([]);
  });
});

const USAGE = {
  prompt_tokens: 9,
  completion_tokens: 4,
  prompt_tokens_details: { cached_tokens: 3 },
  completion_tokens_details: { reasoning_tokens: 2 },
};
const COUNTS = { inputTokens: 9, outputTokens: 4, cachedInputTokens: 3, reasoningTokens: 2 };

describe('a chat completion', () => {
  it('is parsed with its tool calls, refusal and usage', () => {
    const body = {
      id: 'chatcmpl-1',
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            content: null,
            refusal: 'no',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          finish_reason: 'function_call',
        },
      ],
      usage: USAGE,
    };
    expect(fromOpenAiCompletion(JSON.stringify(body), 'openai', new Translation('openai'))).toEqual({
      id: 'chatcmpl-1',
      model: 'm',
      choices: [
        {
          index: 0,
          text: null,
          refusal: 'no',
          toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }],
          finishReason: 'tool_calls',
        },
      ],
      usage: COUNTS,
    });
  });

  it('has no usage if the response has none, and an unknown reason becomes stop', () => {
    const body = { id: 'i', model: 'm', choices: [{ message: { content: 'a' }, finish_reason: 'tired' }] };
    expect(fromOpenAiCompletion(JSON.stringify(body), 'openai', new Translation('openai'))).toMatchObject({
      choices: [{ index: 0, text: 'a', finishReason: 'stop' }],
      usage: {},
    });
  });

  it.each(['', '{}', '[]', '{"id":"i","model":"m","choices":[]}', '{"error":{"message":"x"}}'])(
    'is rejected: %j',
    (body) =>
      expect(() => fromOpenAiCompletion(body, 'openai', new Translation('openai'))).toThrow(
        expect.objectContaining({ code: 'provider_error' }),
      ),
  );
});

describe('a choice of a compatible server', () => {
  const whole = (ending: object) =>
    fromOpenAiCompletion(
      JSON.stringify({ id: 'i', model: 'm', choices: [{ message: { content: 'Half a' }, ...ending }] }),
      'house',
      new Translation('house'),
    );
  const streamed = (ending: object) =>
    new OpenAiChunkReader('house', new Translation('house')).read(
      JSON.stringify({ id: 'i', model: 'm', choices: [{ index: 0, delta: {}, ...ending }] }),
    );

  it.each([
    { finish_reason: 'error' },
    { finish_reason: 'insufficient_system_resource' },
    { finish_reason: 'abort' },
    { finish_reason: 'stop', error: { code: 502, message: 'Gone' } },
    { finish_reason: null, error: { code: 502, message: 'Gone' } },
  ])('that failed is no complete response: %j', (ending) => {
    for (const read of [whole, streamed]) expect(() => read(ending)).toThrow('The provider house failed.');
  });

  it('that used up the context of its model is cut', () => {
    expect(whole({ finish_reason: 'model_length' }).choices).toMatchObject([{ finishReason: 'length' }]);
    expect(streamed({ finish_reason: 'model_length', error: null })).toContainEqual({
      type: 'finish',
      choice: 0,
      reason: 'length',
    });
  });
});

describe('the chunks of a stream', () => {
  const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
    JSON.stringify({ id: 'chatcmpl-1', model: 'm', choices: [{ index: 0, delta, finish_reason }], ...more });
  const read = (...chunks: string[]): ChatDelta[] => {
    const reader = new OpenAiChunkReader('openai', new Translation('openai'));
    return chunks.flatMap((json) => reader.read(json));
  };
  const call = (index: number, fields: object) => ({ tool_calls: [{ index, ...fields }] });

  it('become deltas: a start, texts, each call once with its arguments, the finish, the usage', () => {
    expect(
      read(
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'a' }),
        chunk({ refusal: 'b' }),
        chunk(call(0, { id: 'c', type: 'function', function: { name: 'f', arguments: '' } })),
        chunk(call(0, { function: { arguments: '{"a"' } })),
        chunk(call(0, { function: { arguments: ':1}' } })),
        chunk(call(1, { id: 'd', function: { name: 'g', arguments: '{}' } })),
        chunk({}, 'tool_calls'),
        JSON.stringify({ id: 'chatcmpl-1', model: 'm', choices: [], usage: USAGE }),
      ),
    ).toEqual([
      { type: 'start', id: 'chatcmpl-1', model: 'm' },
      { type: 'text', choice: 0, text: 'a' },
      { type: 'refusal', choice: 0, text: 'b' },
      { type: 'tool_call', choice: 0, index: 0, id: 'c', name: 'f' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"a"' },
      { type: 'tool_arguments', choice: 0, index: 0, text: ':1}' },
      { type: 'tool_call', choice: 0, index: 1, id: 'd', name: 'g' },
      { type: 'tool_arguments', choice: 0, index: 1, text: '{}' },
      { type: 'finish', choice: 0, reason: 'tool_calls' },
      { type: 'usage', usage: COUNTS },
    ]);
  });

  it('may have no choices', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const without = (fields: object) => JSON.stringify({ id: 'c', model: 'm', ...fields });
    expect(read('{}', without({ choices: null }), chunk({ content: 'a' }), without({ usage }))).toEqual([
      { type: 'start', id: 'c', model: 'm' },
      { type: 'text', choice: 0, text: 'a' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
    ]);
  });

  it.each(['x', '[]', '{"error":{"message":"x"}}', '{"choices":[],"error":{"message":"x"}}'])(
    'are rejected: %j',
    (json) => expect(() => read(json)).toThrow(expect.objectContaining({ code: 'provider_error' })),
  );
});

describe('a strict tool', () => {
  const tool = (fields: object) => ({
    name: 'f',
    strict: true,
    parameters: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false, ...fields },
  });
  const strictAt = (fields: object, dialect = OPENAI_DIALECT) => {
    const { body, warnings } = translated({ tools: [tool(fields)] }, 'gpt-4o', dialect);
    return [(body as { tools: { function: { strict: boolean } }[] }).tools[0]?.function.strict, warnings];
  };

  it.each([
    { required: [] },
    { required: ['a'], additionalProperties: true },
    { required: ['a'], properties: { a: { allOf: [{}] } } },
    { required: ['a'], properties: { a: { type: 'array', items: { type: 'object' } } } },
  ])("is plain where OpenAI's strict schemas cannot express it: %j", (fields) =>
    expect(strictAt(fields)).toEqual([false, ['tools']]),
  );

  it('with a composition at the top is plain there, and unchanged at other servers', () => {
    const fields = { required: ['a'], allOf: [{}] };
    expect(strictAt(fields)).toEqual([true, ['tools[0].parameters']]);
    expect(strictAt(fields, COMMON_DIALECT)).toEqual([true, []]);
  });

  it('stays strict otherwise, and at other servers', () => {
    expect(strictAt({ required: ['a'] })).toEqual([true, []]);
    expect(strictAt({ required: [] }, COMMON_DIALECT)).toEqual([true, []]);
  });
});
