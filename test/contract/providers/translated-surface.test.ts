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
