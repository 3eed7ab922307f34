import { describe, expect, it } from '@jest/globals';
import type { HttpRequest } from '../../../kernel/http/index.ts';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import type { ChatDelta } from '../../../kernel/model/index.ts';
import { MESSAGES_PROTOCOL } from '../../protocols/anthropic-messages/messages-protocol.ts';
import { geminiProtocol } from '../../protocols/gemini/gemini-protocol.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import { type ChatCall, Translation } from '../../routing/index.ts';
import { OpenAiProvider, readAzureApi } from './openai-provider.ts';
import { OPENAI_DIALECT } from './to-openai-request.ts';

// biome-ignore lint/suspicious/noExplicitAny: two APIs' bodies
type Any = any;

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };
const IMAGE = 'data:image/png;base64,AAAA';
/** The least request with a tool. */
const CLIENTS = {
  messages: {
    protocol: MESSAGES_PROTOCOL as Protocol<Any>,
    body: {
      model: 'gpt-5.4',
      max_tokens: 500,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name: 'f', input_schema: SCHEMA }],
    },
    ends: (body: Any) => [body.stop_reason, body.content.map(({ text, name }: Any) => text ?? name)],
    usage: { input_tokens: 4, cache_read_input_tokens: 6, output_tokens: 9 },
  },
  gemini: {
    protocol: geminiProtocol('', false) as unknown as Protocol<Any>,
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: SCHEMA }] }],
    },
    ends: ({ candidates: [{ content, finishReason }] }: Any) => [
      finishReason,
      content.parts.map(({ text, functionCall }: Any) => text ?? functionCall.name),
    ],
    usage: { promptTokenCount: 10, cachedContentTokenCount: 6, candidatesTokenCount: 6, thoughtsTokenCount: 3 },
  },
} as const;
type Name = keyof typeof CLIENTS;
const NAMES = Object.keys(CLIENTS) as Name[];

function callOf(name: Name, more: object = {}, model = 'gpt-5.4', stream = false): ChatCall {
  const { protocol, body } = CLIENTS[name];
  const source = readJsonDocument(JSON.stringify({ ...body, ...more }));
  const request = { ...protocol.read(protocol.check(source)), model, stream };
  const rest = { translation: new Translation('openai'), signal: new AbortController().signal };
  return { operation: protocol.operation, source, request, model, ...rest };
}

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

/** A provider that gets the responses in order. */
function providerOf(answers: readonly Answer[], azure?: ReturnType<typeof readAzureApi>) {
  const requests: HttpRequest[] = [];
  const http = {
    async send(request: HttpRequest) {
      const { status = 200, type = 'application/json', body } = answers[requests.length] as Answer;
      requests.push(request);
      return {
        status,
        headers: { 'content-type': type },
        body: (async function* () {
          yield Buffer.from(body);
        })(),
      };
    },
  };
  const provider = new OpenAiProvider({
    ...{ name: 'openai', http, dialect: OPENAI_DIALECT, apiKey: async () => 'planted-key', keyVariable: 'P' },
    ...{ baseUrl: azure ? 'https://house.openai.azure.com' : 'http://p/v1', headTimeoutMs: 1, idleTimeoutMs: 1 },
    ...(azure && { azure }),
  });
  return { provider, requests, sent: (at = 0) => JSON.parse(requests[at]?.body as string) };
}

const message = (...content: object[]) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content,
});
const text = (value: string) => ({ type: 'output_text', text: value, annotations: [] });
const called = (id: string, name = 'f') => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: '{"a":"b"}',
});
const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 6 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 19,
};
const responseOf = (output: object[], more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  model: 'gpt-5.4',
  status: 'completed',
  error: null,
  incomplete_details: null,
  output,
  usage: USAGE,
  ...more,
});
type Response = ReturnType<typeof responseOf>;

/** The stream of a response, as OpenAI sends it. */
function eventsOf(response: Response): string {
  const { output, status } = response as { output: Any[]; status: string };
  const events: Any[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
  ];
  output.forEach((item, output_index) => {
    const at = { item_id: item.id, output_index };
    events.push({ type: 'response.output_item.added', output_index, item: { ...item, content: [], arguments: '' } });
    for (const [content_index, part] of (item.content ?? []).entries()) {
      const [kind, delta] = part.refusal === undefined ? ['output_text', part.text] : ['refusal', part.refusal];
      events.push({ type: `response.${kind}.delta`, ...at, content_index, delta });
    }
    if (item.arguments) events.push({ type: 'response.function_call_arguments.delta', ...at, delta: item.arguments });
    events.push({ type: 'response.output_item.done', output_index, item });
  });
  events.push({ type: `response.${status}`, response });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

type How = 'whole' | 'streamed' | 'whole for a stream';
const HOWS: readonly How[] = ['whole', 'streamed', 'whole for a stream'];

/** The response in the client's protocol: the whole body, or what its events add up to. */
async function answered(name: Name, response: Response, how: How) {
  const answer =
    how === 'streamed' ? { type: 'text/event-stream', body: eventsOf(response) } : { body: JSON.stringify(response) };
  const call = callOf(name, {}, 'gpt-5.4', how !== 'whole');
  const { protocol, body } = CLIENTS[name];
  const checked = protocol.check(readJsonDocument(JSON.stringify(body)));
  const head = { requestId: 'req_0a', created: 1, model: 'gpt-5.4' };
  const format = protocol.format(call.request, head, { asked: checked, sent: checked });
  const result = await providerOf([answer]).provider.complete(call);
  if (result.kind === 'translated') return JSON.parse(format.encodeWhole(result.completion));
  if (result.kind !== 'translated-stream') throw new Error(result.kind);
  const deltas: ChatDelta[] = [];
  for await (const batch of result.deltas) deltas.push(...batch);
  const events = [...deltas.flatMap((delta) => format.encode(delta)), ...format.encodeEnd()].map((json) =>
    JSON.parse(json),
  );
  return name === 'gemini' ? joinedGemini(events) : joinedMessage(events);
}

function joinedGemini(events: Any[]): Any {
  const parts = events.flatMap(({ candidates }) => candidates.flatMap(({ content }: Any) => content.parts));
  const { candidates, usageMetadata } = events.at(-1);
  return { candidates: [{ ...candidates[0], content: { parts } }], usageMetadata };
}

function joinedMessage(events: Any[]): Any {
  const content: Any[] = [];
  for (const { type, index, content_block, delta } of events) {
    if (type === 'content_block_start') content[index] = { ...content_block };
    if (delta?.type === 'text_delta') content[index].text += delta.text;
  }
  const { delta, usage } = events.find(({ type }) => type === 'message_delta');
  return { content, stop_reason: delta.stop_reason, usage };
}

describe.each(NAMES)('a response of the Responses API for %s', (name) => {
  const { ends, usage } = CLIENTS[name];
  const isMessages = name === 'messages';

  it.each(HOWS)('has text, parallel calls and usage: %s', async (how) => {
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      message(text('Well')),
      called('a'),
      called('b', 'f'),
    ];
    const body = await answered(name, responseOf(output), how);
    expect(ends(body)).toEqual([isMessages ? 'tool_use' : 'STOP', ['Well', 'f', 'f']]);
    expect(body.usage ?? body.usageMetadata).toMatchObject(usage);
  });

  it.each(
    HOWS.flatMap((how) => [
      [how, 'max_output_tokens', isMessages ? 'max_tokens' : 'MAX_TOKENS'] as const,
      [how, 'content_filter', isMessages ? 'refusal' : 'SAFETY'] as const,
    ]),
  )('has the reason of its end: %s, %s', async (how, reason, expected) => {
    const more = { status: 'incomplete', incomplete_details: { reason } };
    expect(ends(await answered(name, responseOf([message(text('We'))], more), how))).toEqual([expected, ['We']]);
  });

  it.each(['response.output_text.delta', 'response.refusal.delta', 'response.function_call_arguments.delta'])(
    'fails for a delta that is no text: %s',
    async (type) => {
      for (const delta of [{ a: 1 }, ['a'], 7, null]) {
        const [begun, ...rest] = eventsOf(responseOf([message(text('Well')), called('a')])).split('\n\n');
        const odd = `event: ${type}\ndata: ${JSON.stringify({ type, output_index: 0, delta })}`;
        const answer = { type: 'text/event-stream', body: [begun, odd, ...rest].join('\n\n') };
        const result = await providerOf([answer]).provider.complete(callOf(name, {}, 'gpt-5.4', true));
        if (result.kind !== 'translated-stream') throw new Error(result.kind);
        const readAll = async () => {
          for await (const _ of result.deltas);
        };
        await expect(readAll()).rejects.toMatchObject({ code: 'provider_error', status: 502 });
      }
    },
  );

  it.each(HOWS)('has a refusal: %s', async (how) => {
    const body = await answered(name, responseOf([message({ type: 'refusal', refusal: 'No.' })]), how);
    expect(ends(body)).toEqual([isMessages ? 'refusal' : 'STOP', ['No.']]);
  });

  it.each(
    HOWS.flatMap((how) => [
      [how, 'server_error', 'provider_error', 502] as const,
      [how, 'rate_limit_exceeded', 'rate_limit_exceeded', 429] as const,
      [how, 'invalid_prompt', 'invalid_value', 400] as const,
    ]),
  )('fails as its error says: %s, %s', async (how, code, expected, status) => {
    const failed = responseOf([], { status: 'failed', error: { code, message: 'It failed.' } });
    await expect(answered(name, failed, how)).rejects.toMatchObject({ code: expected, status });
  });
});

describe('a request to the Responses API', () => {
  const answer = { body: JSON.stringify(responseOf([message(text('Hi'))])) };
  const sentFor = async (more: object, model?: string) => {
    const { provider, sent } = providerOf([answer]);
    const call = callOf('messages', more, model);
    await provider.complete(call);
    return { sent: sent(), warnings: call.translation.warnings.map(({ field }) => field) };
  };

  it.each([
    [{ type: 'auto' }, 'auto'],
    [{ type: 'any' }, 'required'],
    [{ type: 'none' }, 'none'],
    [
      { type: 'tool', name: 'f' },
      { type: 'function', name: 'f' },
    ],
  ])('has the choice of tools: %j', async (tool_choice, expected) => {
    expect((await sentFor({ tool_choice })).sent.tool_choice).toEqual(expected);
  });

  it('has one call at a time, and the schema of the response', async () => {
    const format = { type: 'json_schema', schema: SCHEMA };
    const tool_choice = { type: 'auto', disable_parallel_tool_use: true };
    expect((await sentFor({ tool_choice, output_config: { format } })).sent).toMatchObject({
      parallel_tool_calls: false,
      text: { format: { type: 'json_schema', name: 'response', schema: SCHEMA } },
    });
  });

  it('has images in the results of tools', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const content = [
      { type: 'text', text: 'Look' },
      { type: 'image', source },
    ];
    const messages = [
      ...CLIENTS.messages.body.messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
    ];
    const { input } = (await sentFor({ messages })).sent;
    expect(input.at(-1)).toEqual({
      type: 'function_call_output',
      call_id: 'a',
      output: [
        { type: 'input_text', text: 'Look' },
        { type: 'input_image', image_url: IMAGE, detail: 'auto' },
      ],
    });
  });

  it('has values that the model takes', async () => {
    const { sent, warnings } = await sentFor({ max_tokens: 1, temperature: 0.5, output_config: { effort: 'minimal' } });
    expect(sent).toMatchObject({ max_output_tokens: 16, reasoning: { effort: 'low' } });
    expect(sent).not.toHaveProperty('temperature');
    expect(warnings).toEqual(['temperature', 'max_tokens', 'output_config.effort']);
  });

  it('is refused for stop sequences, by their name', async () => {
    const call = callOf('messages', { stop_sequences: ['x'] });
    await expect(providerOf([answer]).provider.complete(call)).rejects.toMatchObject({ status: 400, param: 'stop' });
  });
});

describe('tools at a model of which the name says nothing', () => {
  const refused = (model: string) =>
    `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`;
  const refusal = {
    status: 400,
    body: JSON.stringify({
      error: { message: refused('prod'), type: 'invalid_request_error', param: 'reasoning_effort', code: null },
    }),
  };
  const answer = { body: JSON.stringify(responseOf([called('a')])) };

  it.each([undefined, 'preview'])(
    "go to Azure's Responses API once chat completions refuse them: %s",
    async (version) => {
      const { provider, requests, sent } = providerOf([refusal, answer, answer], readAzureApi(version, 'V'));
      const expected = { kind: 'translated', completion: { choices: [{ toolCalls: [{ id: 'a', name: 'f' }] }] } };
      expect(await provider.complete(callOf('messages', {}, 'prod'))).toMatchObject(expected);
      expect(await provider.complete(callOf('gemini', {}, 'prod'))).toMatchObject(expected);
      const query = version === undefined ? '' : `?api-version=${version}`;
      const address = (path: string) => `https://house.openai.azure.com/openai/v1${path}${query}`;
      expect(requests.map(({ url }) => url)).toEqual(['/chat/completions', '/responses', '/responses'].map(address));
      expect(sent(1)).toMatchObject({ model: 'prod', store: false, tools: [{ type: 'function', name: 'f' }] });
    },
  );

  it("go there at once for a deployment with the model's name", async () => {
    const { provider, requests } = providerOf([answer], readAzureApi(undefined, 'V'));
    await provider.complete(callOf('messages', {}, 'gpt-5.4-mini'));
    expect(requests.map(({ url }) => url)).toEqual(['https://house.openai.azure.com/openai/v1/responses']);
  });

  it('are refused by a dated version, which has no Responses API', async () => {
    const { provider, requests } = providerOf([refusal], readAzureApi('2024-10-21', 'V'));
    await expect(provider.complete(callOf('messages', {}, 'prod'))).rejects.toMatchObject({
      status: 400,
      param: 'reasoning_effort',
    });
    expect(requests).toHaveLength(1);
  });

  it('are asked once more at most', async () => {
    const { provider, requests } = providerOf([refusal, refusal]);
    await expect(provider.complete(callOf('messages', {}, 'prod'))).rejects.toMatchObject({ status: 400 });
    expect(requests).toHaveLength(2);
  });
});
