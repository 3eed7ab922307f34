import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { type StrictUpstream, startStrictUpstream } from '../../support/strict-upstream.ts';
import { Contract } from '../contract.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { startLocalProcess } from '../local-process.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of four APIs
type Json = any;

let upstream: StrictUpstream;
const contract = new Contract(
  (providers) =>
    startLocalProcess(
      { ...providers, ANTHROPIC_BASE_URL: upstream.url },
      {
        ...WITHOUT_EVENTS,
        GEMINI_API_KEY: 'k',
        GEMINI_BASE_URL: upstream.url,
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'AKID',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_ENDPOINT_URL_BEDROCK_RUNTIME: upstream.url,
      },
    ),
  {},
);
beforeAll(async () => {
  upstream = await startStrictUpstream();
  await contract.start();
});
afterAll(async () => {
  await contract.stop();
  await upstream.close();
});

const TARGETS = {
  claude: 'claude-sonnet-4-5',
  gemini: 'gemini-3-pro-preview',
  bedrock: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
};

/** The events of a stream, or the one response. */
async function ask(path: string, body: Json, headers: Record<string, string> = {}) {
  const reply = await fetch(`${contract.service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${contract.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  const events: Json[] = lines.length > 0 ? lines.map((line) => JSON.parse(line.slice(6))) : [JSON.parse(text)];
  const warnings: Json[] = events.flatMap(({ svc, response }) => (svc ?? response?.svc)?.warnings ?? []);
  return { status: reply.status, text, events, warnings, sent: upstream.sent.at(-1) };
}

const KINDS = Object.entries(TARGETS).flatMap(([target, model]) =>
  [false, true].map((stream) => [target, stream ? 'streamed' : 'whole', model, stream] as const),
);
const PATCH = '*** Begin "é"\n+ a\n';
const GRAMMAR = { syntax: 'lark', definition: 'start: "*** Begin" /.+/' };

describe('a custom tool', () => {
  const callOf = (events: Json[]) =>
    events
      .flatMap(({ choices = [] }) => choices)
      .flatMap(({ delta, message }: Json) => (delta ?? message).tool_calls ?? []);
  const body = (model: string, stream: boolean, format?: object) => ({
    model,
    stream,
    max_tokens: 50,
    tools: [{ type: 'custom', custom: { name: 'patch', description: 'Edits.', ...(format && { format }) } }],
    tool_choice: { type: 'custom', custom: { name: 'patch' } },
    messages: [
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'patch', input: 'a "b"' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'done' },
    ],
  });

  test.each(KINDS)('of chat completions is called with its text: %s, %s', async (_, __, model, stream) => {
    upstream.say({ call: { name: 'patch', input: { input: PATCH } } });
    const { status, events, warnings, sent } = await ask('/chat/completions', body(model, stream));
    expect([status, warnings]).toEqual([200, []]);
    expect(callOf(events)).toMatchObject([{ type: 'custom', custom: { name: 'patch', input: PATCH } }]);
    expect(JSON.stringify(sent)).toContain('{"input":"a \\"b\\""}');
  });

  test.each(KINDS)('has its grammar in the description, with a warning: %s, %s', async (_, __, model, stream) => {
    upstream.say({ call: { name: 'patch', input: { input: PATCH } } });
    const chat = body(model, stream, { type: 'grammar', grammar: GRAMMAR });
    const responses = {
      ...{ model, stream, input: 'Go' },
      tools: [{ type: 'custom', name: 'patch', format: { type: 'grammar', ...GRAMMAR } }],
    };
    for (const [path, asked, field] of [
      ['/chat/completions', chat, 'tools[0].custom.format'],
      ['/responses', responses, 'tools[0].format'],
    ] as const) {
      const { status, warnings, sent } = await ask(path, asked);
      expect([status, warnings]).toMatchObject([200, [{ code: 'field_adjusted', field }]]);
      expect(JSON.stringify(sent)).toContain('must match this Lark grammar');
      const strict = await ask(path, asked, { 'x-svc-translation': 'strict' });
      expect([strict.status, strict.events[0].error.param]).toEqual([400, field]);
    }
  });

  test.each(KINDS)('has its text inspected: %s, %s', async (_, __, model, stream) => {
    upstream.say({ call: { name: 'patch', input: { input: `+ ${GITHUB_TOKEN}` } } });
    const { text } = await ask('/chat/completions', body(model, stream));
    expect([text.includes(GITHUB_TOKEN), text.includes('"action":"block"')]).toEqual([false, true]);
  });
});

const TOOL = { name: 'f', parameters: { type: 'object', properties: {} } };
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };

describe('a schema of the response together with tools', () => {
  const body = (model: string, stream: boolean) => ({
    model,
    stream,
    max_tokens: 50,
    messages: [{ role: 'user', content: 'Go' }],
    tools: [{ type: 'function', function: TOOL }],
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA } },
  });

  test.each(KINDS)('goes to the model: %s, %s', async (_, __, model, stream) => {
    upstream.say({ call: { name: 'f', input: {} } });
    const { status, warnings, sent } = await ask('/chat/completions', body(model, stream));
    expect([status, warnings]).toEqual([200, []]);
    const format = sent.output_config?.format.schema ?? sent.generationConfig?.responseJsonSchema;
    expect(format ?? JSON.parse(sent.outputConfig.textFormat.structure.jsonSchema.schema)).toEqual(SCHEMA);
  });

  test('is refused for Gemini before 3, which has none of both', async () => {
    const { status, events } = await ask('/chat/completions', body('gemini-2.5-flash', false));
    expect([status, events[0].error.param]).toEqual([400, 'response_format']);
    expect(events[0].error.message).toContain('before Gemini 3');
  });
});

describe('media in the result of a tool', () => {
  const PDF = { inlineData: { mimeType: 'application/pdf', data: 'AAAA' } };
  const PNG = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
  const WAV = { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } };
  const chat = (model: string, ...parts: object[]) => ({
    model,
    max_tokens: 50,
    messages: [
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'seen' }, ...parts] },
    ],
    tools: [{ type: 'function', function: TOOL }],
  });
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const pdf = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } };
  const note = { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,SGk=' } };
  const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };

  test.each(Object.entries(TARGETS))('stays within it where %s takes it', async (target, model) => {
    const { status, warnings, sent } = await ask('/chat/completions', chat(model, image, pdf, note));
    expect([status, warnings]).toEqual([200, []]);
    const last = (sent.messages ?? sent.contents).at(-1);
    const [within] = last.content ?? last.parts;
    const TXT = { inlineData: { mimeType: 'text/plain', data: 'SGk=' } };
    if (target === 'gemini') expect(within.functionResponse.parts).toEqual([PNG, PDF, TXT]);
    const kinds = (target === 'claude' ? within.content.map(({ type }: Json) => type) : undefined) ?? [];
    if (target === 'claude') expect(kinds).toEqual(['text', 'image', 'document', 'document']);
    if (target === 'claude') expect(within.content[3].source).toMatchObject({ type: 'text', data: 'Hi' });
    if (target === 'bedrock') expect(within.toolResult.content).toHaveLength(4);
  });

  test.each([
    ['gemini-3-pro-preview', [audio], [WAV]],
    ['gemini-2.5-flash', [image, pdf], [PNG, PDF]],
  ])('follows it with a warning: %s', async (model, parts, after) => {
    const { status, warnings, sent } = await ask('/chat/completions', chat(model, ...parts));
    expect([status, warnings]).toMatchObject([200, [{ code: 'field_adjusted', field: 'messages[2].content[1]' }]]);
    expect(sent.contents.at(-1).parts.slice(1)).toEqual(after);
  });

  test('follows it at Converse with a warning if it is audio', async () => {
    const { status, warnings, sent } = await ask('/chat/completions', chat('us.amazon.nova-2-omni-v1:0', audio));
    expect([status, warnings]).toMatchObject([200, [{ code: 'field_adjusted', field: 'messages[2].content[1]' }]]);
    const [result, sound] = sent.messages.at(-1).content;
    expect([result.toolResult.content, sound.audio.format]).toEqual([[{ text: 'seen' }], 'wav']);
  });

  test.each([false, true])("has the caller's name in the warning, streamed: %s", async (stream) => {
    const model = 'gemini-2.5-flash';
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const messages = {
      ...{ model, stream, max_tokens: 50, tools: [{ name: 'f', input_schema: TOOL.parameters }] },
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'image', source }] }],
        },
      ],
    };
    const responses = {
      ...{ model, stream, tools: [{ type: 'function', ...TOOL }] },
      input: [
        { role: 'user', content: 'Go' },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'c',
          output: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
        },
      ],
    };
    for (const [path, body, field] of [
      ['/messages', messages, 'messages[2].content[0].content[0]'],
      ['/responses', responses, 'input[2].output[0]'],
    ] as const) {
      const { status, warnings, sent } = await ask(path, body);
      expect([status, warnings]).toMatchObject([200, [{ code: 'field_adjusted', field }]]);
      expect(sent.contents.at(-1).parts[1]).toEqual(PNG);
    }
  });
});
