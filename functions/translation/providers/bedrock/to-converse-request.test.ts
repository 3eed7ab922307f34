import { describe, expect, it, jest } from '@jest/globals';
import { GatewayError } from '../../../kernel/errors/index.ts';
import { Translation } from '../../routing/index.ts';
import { CLAUDE, chatRequest } from './chat-request.fixture.ts';
import { toConverseRequest } from './to-converse-request.ts';

/** The request to Converse, and the fields with a warning. */
function converted(fields: object, model = CLAUDE) {
  const translation = new Translation('bedrock');
  const request = toConverseRequest(chatRequest(fields), model, translation);
  return { request, warnings: translation.warnings.map(({ code, field }) => `${code} ${field}`) };
}
const convert = (fields: object, model = CLAUDE) => converted(fields, model).request;
const dataUrl = (type: string, text: string) => `data:${type};base64,${Buffer.from(text).toString('base64')}`;
const tool = { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } };
const call = (id: string, text: string) => ({ id, type: 'function', function: { name: 'f', arguments: text } });
const said = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const PAST_CALL = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: null, tool_calls: [call('c1', '{}')] },
  { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
];

describe('a request to Converse', () => {
  it('holds all fields that Converse supports', () => {
    const { request, warnings } = converted({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: dataUrl('image/jpeg', 'picture') } },
            { type: 'file', file: { filename: 'My_report (v2).pdf', file_data: dataUrl('application/pdf', 'pages') } },
            { type: 'file', file: { filename: 'My report (v2).csv', file_data: dataUrl('text/csv', 'a,b') } },
            { type: 'input_audio', input_audio: { data: Buffer.from('sound').toString('base64'), format: 'wav' } },
          ],
        },
        { role: 'assistant', content: 'Well', tool_calls: [call('c1', '{"a":1}'), call('c2', '')] },
        { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
        { role: 'tool', tool_call_id: 'c2', content: '' },
        { role: 'user', content: 'And?' },
      ],
      tools: [tool, { type: 'function', function: { name: 'g', strict: true } }],
      tool_choice: 'required',
      max_completion_tokens: 90,
      temperature: 0.5,
      stop: ['END', 'STOP'],
      service_tier: 'flex',
      user: 'user-7',
      store: true,
      metadata: { a: 'b' },
      logprobs: false,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'n', description: 'd', schema: { type: 'object', properties: { a: { minimum: 1 } } } },
      },
    });
    expect(request).toEqual({
      system: [{ text: 'Be kind.' }, { text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          content: [
            { text: 'Look' },
            { image: { format: 'jpeg', source: { bytes: Buffer.from('picture') } } },
            { document: { format: 'pdf', name: 'My report (v2)', source: { bytes: Buffer.from('pages') } } },
            { document: { format: 'csv', name: 'My report (v2) 2', source: { bytes: Buffer.from('a,b') } } },
            { audio: { format: 'wav', source: { bytes: Buffer.from('sound') } } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { text: 'Well' },
            { toolUse: { toolUseId: 'c1', name: 'f', input: { a: 1 } } },
            { toolUse: { toolUseId: 'c2', name: 'f', input: {} } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'c1', content: [{ text: 'sunny' }] } },
            { toolResult: { toolUseId: 'c2', content: [] } },
            { text: 'And?' },
          ],
        },
      ],
      inferenceConfig: { maxTokens: 90, temperature: 0.5, stopSequences: ['END', 'STOP'] },
      toolConfig: {
        tools: [
          { toolSpec: { name: 'f', description: 'd', inputSchema: { json: { type: 'object' } } } },
          {
            toolSpec: {
              name: 'g',
              inputSchema: { json: { type: 'object', properties: {}, additionalProperties: false } },
              strict: true,
            },
          },
        ],
        toolChoice: { any: {} },
      },
      serviceTier: { type: 'flex' },
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: {
            jsonSchema: {
              schema:
                '{"type":"object","properties":{"a":{"description":"(minimum: 1)"}},"additionalProperties":false}',
              name: 'n',
              description: 'd',
            },
          },
        },
      },
    });
    expect(warnings).toEqual(['field_dropped user', 'field_dropped store', 'field_dropped metadata']);
  });

  it('holds nothing beyond the request', () =>
    expect(convert({})).toEqual({ messages: [{ role: 'user', content: [{ text: 'Hello' }] }] }));

  it.each([
    ['auto', { auto: {} }],
    [{ type: 'function', function: { name: 'f' } }, { tool: { name: 'f' } }],
  ])('says which tool is to be called: %j', (tool_choice, expected) =>
    expect(convert({ tools: [tool], tool_choice }).toolConfig?.toolChoice).toEqual(expected),
  );

  it('omits the tools for tool_choice none', () =>
    expect(convert({ tools: [tool], tool_choice: 'none' }).toolConfig).toBeUndefined());
});

describe('a field that only some models support', () => {
  const additional = (fields: object, model: string) => convert(fields, model).additionalModelRequestFields;

  it.each<[string, object, string, object]>([
    [
      'a budget',
      { reasoning_effort: 'medium', max_tokens: 8_192 },
      CLAUDE,
      { thinking: { type: 'enabled', budget_tokens: 4_096 } },
    ],
    [
      'a budget without an output limit',
      { reasoning_effort: 'medium' },
      CLAUDE,
      { thinking: { type: 'enabled', budget_tokens: 2_048 } },
    ],
    [
      'an effort, for an ARN with numbers',
      { reasoning_effort: 'high' },
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-6-v1',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    ['Anthropic’s top_k', { top_k: 5 }, CLAUDE, { top_k: 5 }],
    [
      'a budget of the caller',
      { thinking: { type: 'enabled', budget_tokens: 2_000 } },
      CLAUDE,
      { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    ],
    [
      'Nova’s reasoning, off',
      { reasoning_effort: 'none' },
      'us.amazon.nova-2-lite-v1:0',
      { reasoningConfig: { type: 'disabled' } },
    ],
    [
      'a level for a budget',
      { thinking: { type: 'enabled', budget_tokens: 9_000 } },
      'openai.gpt-oss-120b-1:0',
      { reasoning_effort: 'high' },
    ],
    [
      'one call at a time',
      { tools: [tool], parallel_tool_calls: false },
      CLAUDE,
      { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    ],
    [
      'Nova’s reasoning',
      { reasoning_effort: 'minimal' },
      'us.amazon.nova-2-lite-v1:0',
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } },
    ],
    ['Nova’s top_k', { top_k: 3 }, 'amazon.nova-pro-v1:0', { inferenceConfig: { topK: 3 } }],
    [
      'a level for OpenAI’s models',
      { reasoning_effort: 'low' },
      'openai.gpt-oss-120b-1:0',
      { reasoning_effort: 'low' },
    ],
  ])('goes along in their own words: %s', (_name, fields, model, expected) =>
    expect(additional(fields, model)).toEqual(expected),
  );

  it('is dropped with a warning where Anthropic would reject it: a budget after a tool result', () => {
    const fields = { messages: PAST_CALL, tools: [tool], reasoning_effort: 'low' };
    const { request, warnings } = converted(fields);
    expect([request.additionalModelRequestFields, warnings]).toEqual([undefined, ['field_dropped reasoning_effort']]);
  });
});

describe('a field that tunes the response and is not supported is dropped with a warning', () => {
  const NOVA = 'amazon.nova-pro-v1:0';
  it.each<[string, object, string?]>([
    ['field_adjusted temperature', { temperature: 1.5 }],
    ['field_adjusted temperature', { temperature: 1.5 }, NOVA],
    ['field_dropped top_p', { temperature: 0.5, top_p: 0.5 }],
    ['field_adjusted response_format', { response_format: { type: 'json_object' } }],
    ['field_dropped seed', { seed: 1 }],
    ['field_dropped logit_bias', { logit_bias: { 1: 2 } }],
    ['field_dropped presence_penalty', { presence_penalty: 1 }],
    ['field_dropped service_tier', { service_tier: 'scale' }],
    ['field_dropped web_search_options', { web_search_options: {} }],
    ['field_dropped reasoning_effort', { reasoning_effort: 'extreme' }],
    ['field_dropped reasoning_effort', { reasoning_effort: 'low' }, NOVA],
    ['field_dropped top_k', { top_k: 3 }, 'meta.llama3-3-70b-instruct-v1:0'],
    ['field_dropped thinking', { thinking: { type: 'adaptive' } }, NOVA],
    ['field_dropped toString', { toString: 1 }],
    ['field_dropped parallel_tool_calls', { tools: [tool], parallel_tool_calls: false }, NOVA],
    ['field_dropped parallel_tool_calls', { tools: [tool], tool_choice: 'required', parallel_tool_calls: false }],
  ])('%s', (warning, fields, model = CLAUDE) => expect(converted(fields, model).warnings).toEqual([warning]));

  it('JSON without a schema is asked for in the system prompt', () =>
    expect(convert({ response_format: { type: 'json_object' } }).system).toEqual([
      { text: expect.stringContaining('JSON') },
    ]));
});

it('gives a schema without a type that of an object, which Converse requires', () => {
  const untyped = { type: 'function', function: { name: 'f', parameters: { properties: { a: { type: 'string' } } } } };
  expect(convert({ tools: [untyped] }).toolConfig?.tools).toEqual([
    { toolSpec: { name: 'f', inputSchema: { json: { type: 'object', properties: { a: { type: 'string' } } } } } },
  ]);
});

describe('reasoning of earlier turns', () => {
  const [user, asks, result] = PAST_CALL;
  const fields = { messages: [user, { ...asks, reasoning_content: 'They want f.' }, result], tools: [tool] };
  const toolUse = { toolUse: { toolUseId: 'c1', name: 'f', input: {} } };

  it.each(['deepseek.v3.2', 'us.deepseek.v3.2', 'openai.gpt-oss-120b-1:0', 'minimax.minimax-m2'])(
    'goes to %s, without a signature',
    (model) => {
      const { request, warnings } = converted(fields, model);
      expect(request.messages[1]?.content).toEqual([
        { reasoningContent: { reasoningText: { text: 'They want f.' } } },
        toolUse,
      ]);
      expect(warnings).toEqual([]);
    },
  );

  it.each([CLAUDE, 'amazon.nova-pro-v1:0', 'us.deepseek.r1-v1:0', 'moonshotai.kimi-k2.5'])(
    'does not go to %s',
    (model) => {
      const { request, warnings } = converted(fields, model);
      expect(request.messages[1]?.content).toEqual([toolUse]);
      expect(warnings).toEqual(['field_dropped messages[1].reasoning']);
    },
  );
});

describe('a field that changes the result and is not supported is rejected by name', () => {
  it.each<[string, object, string?]>([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['functions', { functions: [] }],
    ['response_format', { response_format: { type: 'grammar' } }],
    ['tool_choice', { messages: PAST_CALL, tools: [tool], tool_choice: 'none' }],
    ['messages', said(' ')],
    ['messages[0].content[0]', said([{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }])],
    ['messages[0].content[0]', said([{ type: 'image_url', image_url: { url: dataUrl('image/tiff', 'x') } }])],
    ['messages[0].content[0]', said([{ type: 'file', file: { file_id: 'file-1' } }])],
    ['messages[0].content[0]', said([{ type: 'file', file: { file_data: dataUrl('application/zip', 'x') } }])],
    [
      'messages[1].tool_calls[0].function.arguments',
      { messages: [PAST_CALL[0], { role: 'assistant', tool_calls: [call('c1', '[1]')] }] },
    ],
  ])('%s', (param, fields, model = CLAUDE) => {
    let error: unknown;
    try {
      convert(fields, model);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: 'invalid_value', status: 400, param });
    expect((error as GatewayError).message).toMatch(/^The provider bedrock /);
  });
});

it('many documents of one name get a name each, in steps that grow with their number', () => {
  const file = { type: 'file', file: { filename: 'a.csv', file_data: 'data:text/csv;base64,YSxi' } };
  const looks = jest.spyOn(Set.prototype, 'has');
  const { messages } = convert(said(Array.from({ length: 1_000 }, () => file)));
  const count = looks.mock.calls.filter(([name]) => /^a(?: \d+)?$/.test(String(name))).length;
  looks.mockRestore();
  const names = (messages as unknown as { content: { document: { name: string } }[] }[])[0]?.content.map(
    (one) => one.document.name,
  );
  expect([new Set(names).size, count]).toEqual([1_000, 1_000]);
});
