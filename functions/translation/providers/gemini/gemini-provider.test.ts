import { describe, expect, it } from '@jest/globals';
import type { GatewayError } from '../../../kernel/errors/index.ts';
import type { HttpRequest } from '../../../kernel/http/index.ts';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import type { ChatDelta } from '../../../kernel/model/index.ts';
import { geminiProtocol } from '../../protocols/gemini/gemini-protocol.ts';
import { CHAT_PROTOCOL } from '../../protocols/openai-chat/chat-protocol.ts';
import { type ChatCall, Translation } from '../../routing/index.ts';
import { GeminiProvider } from './gemini-provider.ts';

const ENCODER = new TextEncoder();

function setUp(
  answer: { status?: number; body: string; headers?: Record<string, string> },
  apiKey: string | undefined = 'the key',
) {
  const requests: HttpRequest[] = [];
  const subject = new GeminiProvider({
    name: 'gemini',
    http: {
      async send(request) {
        requests.push(request);
        const body = (async function* () {
          // Split anywhere: the reader puts it together.
          for (let at = 0; at < answer.body.length; at += 7) yield ENCODER.encode(answer.body.slice(at, at + 7));
        })();
        return { status: answer.status ?? 200, headers: answer.headers ?? {}, body };
      },
    },
    apiKey: async () => apiKey,
    keyVariable: 'GEMINI_API_KEY',
    baseUrl: 'https://host',
    headTimeoutMs: 1,
    idleTimeoutMs: 2,
  });
  return { subject, requests };
}

function chat(fields: object): ChatCall {
  const messages = [{ role: 'user', content: 'Hello' }];
  const source = readJsonDocument(JSON.stringify({ model: 'gemini-2.5-flash', messages, ...fields }));
  const request = CHAT_PROTOCOL.read(CHAT_PROTOCOL.check(source));
  return {
    operation: 'openai-chat',
    source,
    request,
    model: 'gemini-2.5-flash',
    translation: new Translation('gemini'),
    signal: new AbortController().signal,
  };
}

function native(text: string, stream = false): ChatCall {
  const source = readJsonDocument(text);
  const protocol = geminiProtocol('gemini-2.5-flash', stream);
  const request = protocol.read(protocol.check(source));
  return {
    operation: 'gemini',
    source,
    request,
    model: 'gemini-2.5-flash',
    translation: new Translation('gemini'),
    signal: new AbortController().signal,
  };
}

const candidate = (parts: object[], finishReason?: string) => ({
  content: { parts, role: 'model' },
  ...(finishReason && { finishReason }),
  index: 0,
});
const ANSWER = {
  candidates: [candidate([{ text: 'Hi ' }, { text: 'there' }], 'STOP')],
  usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 2, totalTokenCount: 6, thoughtsTokenCount: 3 },
  modelVersion: 'gemini-2.5-flash-001',
  responseId: 'r1',
};

const failure = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error: GatewayError) => error,
  );

describe('a request in the same protocol', () => {
  const BODY = '{ "contents":[{"role":"user","parts":[{"text":"caf\\u00e9"}]}], "x": 1.0 }';

  it('passes unchanged, and so does its response', async () => {
    const { subject, requests } = setUp({ body: JSON.stringify(ANSWER) });
    expect(await subject.complete(native(BODY))).toEqual({ kind: 'native', body: JSON.stringify(ANSWER) });
    expect(requests[0]).toMatchObject({
      url: 'https://host/v1beta/models/gemini-2.5-flash:generateContent',
      body: BODY,
      headers: { 'x-goog-api-key': 'the key' },
    });
  });

  it('gets the output limit that the key needs if it has none', async () => {
    for (const [given, expected] of [
      ['{"contents":[{"parts":[{"text":"a"}]}]}', { maxOutputTokens: 5 }],
      ['{"contents":[{"parts":[{"text":"a"}]}],"generation_config":{"topK":2}}', { topK: 2, maxOutputTokens: 5 }],
    ] as const) {
      const { subject, requests } = setUp({ body: JSON.stringify(ANSWER) });
      await subject.complete({ ...native(given), imposedMaxTokens: 5 });
      const sent = JSON.parse(requests[0]?.body as string);
      expect(sent.generationConfig ?? sent.generation_config).toEqual(expected);
    }
  });

  it('streams chunk by chunk, and fails without a finish reason', async () => {
    const events = [{ candidates: [candidate([{ text: 'Hi' }])] }, ANSWER].map((one) => JSON.stringify(one));
    const read = async (texts: string[]) => {
      const { subject } = setUp({ body: texts.map((json) => `data: ${json}\n\n`).join('') });
      const answer = await subject.complete(native(BODY, true));
      const chunks: string[] = [];
      if (answer.kind === 'native-stream') for await (const batch of answer.chunks) chunks.push(...batch);
      return chunks;
    };
    expect(await read(events)).toEqual(events);
    expect(await failure(read(events.slice(0, 1)))).toMatchObject({ code: 'provider_error' });
  });
});

const TOOL = { type: 'function', function: { name: 'f' } };

describe("a request in OpenAI's protocol", () => {
  it('is translated', async () => {
    const { subject, requests } = setUp({ body: JSON.stringify(ANSWER) });
    await subject.complete(
      chat({
        messages: [
          { role: 'system', content: 'Be kind.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
        ],
        tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } }],
        tool_choice: 'required',
        max_tokens: 9,
        temperature: 0.5,
        stop: 'END',
        seed: 7,
        reasoning_effort: 'low',
        store: true,
      }),
    );
    expect(JSON.parse(requests[0]?.body as string)).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'f', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'f', response: { result: 'sunny' } } }] },
      ],
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
      tools: [{ functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema: { type: 'object' } }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      generationConfig: {
        seed: 7,
        thinkingConfig: { thinkingBudget: 1_024, includeThoughts: true },
        maxOutputTokens: 9,
        temperature: 0.5,
        stopSequences: ['END'],
      },
    });
  });

  it.each([
    [undefined, { mode: 'VALIDATED' }],
    ['auto', { mode: 'VALIDATED' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [
      { type: 'function', function: { name: 'f' } },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
  ])('has a strict tool called by its schema, chosen %j', async (tool_choice, functionCallingConfig) => {
    const { subject, requests } = setUp({ body: JSON.stringify(ANSWER) });
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: true } }];
    await subject.complete(chat({ tools, ...(tool_choice && { tool_choice }) }));
    expect(JSON.parse(requests[0]?.body as string).toolConfig).toEqual({ functionCallingConfig });
  });

  it('has the description of a response schema inside the schema', async () => {
    const { subject, requests } = setUp({ body: JSON.stringify(ANSWER) });
    const json_schema = { name: 'n', description: 'A day.', schema: { type: 'object' } };
    await subject.complete(chat({ response_format: { type: 'json_schema', json_schema } }));
    const { generationConfig } = JSON.parse(requests[0]?.body as string);
    expect(generationConfig.responseJsonSchema).toEqual({ description: 'A day.', type: 'object' });
  });

  it.each<[string, object, string[]]>([
    ['parallel_tool_calls false', { tools: [TOOL], parallel_tool_calls: false }, ['parallel_tool_calls']],
    ['parallel_tool_calls true', { tools: [TOOL], parallel_tool_calls: true }, []],
    ['parallel_tool_calls without tools', { parallel_tool_calls: false }, []],
    ['logit_bias', { logit_bias: { 1: 2 } }, ['logit_bias']],
    ['an unknown level', { reasoning_effort: 'extreme' }, ['reasoning_effort']],
    ['a seed that is not a whole number', { seed: 0.5 }, ['seed']],
  ])('is sent with a warning for a field without an equivalent: %s', async (_, fields, expected) => {
    const { subject, requests } = setUp({ body: JSON.stringify(ANSWER) });
    const call = chat(fields);
    await subject.complete(call);
    expect(requests).toHaveLength(1);
    expect(call.translation.warnings.map(({ field }) => field)).toEqual(expected);
  });

  it('has its response translated, with thoughts counted and not returned', async () => {
    const parts = [{ text: 'Hm', thought: true }, { text: 'Hi' }, { functionCall: { name: 'f', args: { a: 1 } } }];
    const { subject } = setUp({ body: JSON.stringify({ ...ANSWER, candidates: [candidate(parts, 'STOP')] }) });
    const answer = await subject.complete(chat({}));
    expect(answer).toMatchObject({
      kind: 'translated',
      completion: {
        model: 'gemini-2.5-flash-001',
        choices: [{ text: 'Hi', finishReason: 'tool_calls', toolCalls: [{ name: 'f', arguments: '{"a":1}' }] }],
        usage: { inputTokens: 4, outputTokens: 5, reasoningTokens: 3 },
      },
    });
  });

  it('streams delta by delta', async () => {
    const chunks = [
      { candidates: [candidate([{ text: 'Hi' }])], usageMetadata: { promptTokenCount: 4 } },
      { candidates: [candidate([{ functionCall: { id: 'c9', name: 'f' } }])] },
      { candidates: [candidate([], 'STOP')], usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 2 } },
    ];
    const { subject } = setUp({ body: chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') });
    const answer = await subject.complete(chat({ stream: true }));
    const deltas: ChatDelta[] = [];
    if (answer.kind === 'translated-stream') for await (const batch of answer.deltas) deltas.push(...batch);
    expect(deltas).toEqual([
      { type: 'start', id: '', model: 'gemini-2.5-flash' },
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'tool_call', choice: 0, index: 0, id: 'c9', name: 'f' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{}' },
      { type: 'finish', choice: 0, reason: 'tool_calls' },
      { type: 'usage', usage: { inputTokens: 4, outputTokens: 2 } },
    ]);
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE'])(
    'whose response failed with %s fails, whole and streamed',
    async (reason) => {
      const body = JSON.stringify({ candidates: [candidate([{ text: 'I call' }], reason)] });
      expect(await failure(setUp({ body }).subject.complete(chat({})))).toMatchObject({ code: 'provider_error' });
      const { subject } = setUp({ body: `data: ${body}\n\n` });
      const read = async () => {
        const answer = await subject.complete(chat({ stream: true }));
        if (answer.kind === 'translated-stream') for await (const _ of answer.deltas);
      };
      expect(await failure(read())).toMatchObject({ code: 'provider_error' });
    },
  );

  it('has the finish reason content_filter if Google refuses the prompt', async () => {
    const { subject } = setUp({
      body: JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: {} }),
    });
    const answer = await subject.complete(chat({}));
    expect(answer).toMatchObject({ completion: { choices: [{ finishReason: 'content_filter' }] } });
  });

  it.each([
    ['response_format', { response_format: { type: 'grammar' } }],
    [
      'messages[0].content[0]',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.b/c.png' } }] }] },
    ],
    [
      'messages[0].content[1]',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: '' },
              { type: 'image_url', image_url: { url: 'https://a.b/c.png' } },
            ],
          },
        ],
      },
    ],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', tool_call_id: 'x', content: 'a' }] }],
  ])('is refused %s, which has no equivalent', async (param, fields) => {
    const { subject, requests } = setUp({ body: '' });
    expect(await failure(subject.complete(chat(fields)))).toMatchObject({ status: 400, code: 'invalid_value', param });
    expect(requests).toEqual([]);
  });
});

describe('an error', () => {
  it.each([
    [404, 'models/x is not found', 404, 'model_not_found'],
    [400, 'API key not valid. Please pass a valid API key.', 502, 'provider_error'],
    [403, 'denied for the key', 502, 'provider_error'],
    [429, 'Quota exceeded', 429, 'rate_limit_exceeded'],
    [503, 'overloaded: the key', 502, 'provider_error'],
  ])('%i becomes ours', async (status, message, expected, code) => {
    const { subject } = setUp({ status, body: JSON.stringify({ error: { code: status, message, status: 'X' } }) });
    const error = await failure(subject.complete(chat({})));
    expect([error?.status, error?.code]).toEqual([expected, code]);
    if (expected === 502) expect(JSON.stringify([error?.toBody(), error?.internal])).not.toContain('key');
  });

  it('is returned before a call without a configured key, and for an invalid model name', async () => {
    const unset = setUp({ body: '' }, '');
    expect(await failure(unset.subject.complete(chat({})))).toMatchObject({ status: 502 });
    const { subject, requests } = setUp({ body: '' });
    expect(await failure(subject.complete({ ...chat({}), model: '../x' }))).toMatchObject({ code: 'invalid_value' });
    expect([unset.requests, requests]).toEqual([[], []]);
  });
});

describe('past calls and their results', () => {
  const PNG = 'data:image/png;base64,AAAA';
  const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
  const past = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Well', tool_calls: [call('c1'), call('c2')] },
    {
      role: 'tool',
      tool_call_id: 'c1',
      content: [
        { type: 'image_url', image_url: { url: PNG } },
        { type: 'text', text: '{"a":1}' },
      ],
    },
    { role: 'tool', tool_call_id: 'c2', content: 'sunny' },
    { role: 'assistant', content: null, tool_calls: [call('c3')] },
  ];

  async function contentsFor(model: string) {
    const { subject, requests } = setUp({ body: JSON.stringify(ANSWER) });
    await subject.complete({ ...chat({ messages: past }), model });
    return JSON.parse(requests[0]?.body as string).contents as { role: string; parts: object[] }[];
  }

  it.each([
    ['gemini-2.5-pro', false],
    ['gemini-2.0-flash', false],
    ['gemini-3-pro-preview', true],
    ['gemini-3.1-flash', true],
    ['gemini-10', true],
  ])('have a signature on the first call of each turn from Gemini 3 on: %s', async (model, signs) => {
    const contents = await contentsFor(model);
    const signature = signs ? { thoughtSignature: 'skip_thought_signature_validator' } : {};
    const functionCall = (id: string) => ({ functionCall: { id, name: 'f', args: {} } });
    expect(contents[1]).toEqual({
      role: 'model',
      parts: [{ text: 'Well' }, { ...functionCall('c1'), ...signature }, functionCall('c2')],
    });
    expect(contents[3]).toEqual({ role: 'model', parts: [{ ...functionCall('c3'), ...signature }] });
  });

  it('have media of results as parts behind them', async () => {
    const contents = await contentsFor('gemini-2.5-flash');
    expect(contents[2]).toEqual({
      role: 'user',
      parts: [
        { functionResponse: { id: 'c1', name: 'f', response: { a: 1 } } },
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        { functionResponse: { id: 'c2', name: 'f', response: { result: 'sunny' } } },
      ],
    });
  });
});
