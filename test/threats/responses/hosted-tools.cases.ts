import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Exchange } from '../../fidelity/gateway.ts';
import type { Answer } from '../../fidelity/upstream.ts';
import { jsonsIn, sse } from './answer-formats.ts';
import { gateway } from './answers.ts';
import { CALL_APIS } from './called-tools.ts';

type Name = keyof typeof CALL_APIS;
type Json = Record<string, unknown>;

const SCHEMA = { type: 'object', properties: { to: { type: 'string' } } };
const CHAT_TOOL = { type: 'function', function: { name: 'send', parameters: SCHEMA } };
const SECRET = ['AKIA', 'Q3EGRK7WZ5XNB4LT'].join('');

interface Case {
  readonly body: Json;
  /** Tools that the provider executes, by place. */
  readonly hosted: Readonly<Record<string, string>>;
  /** The rest of the tools as the provider of this API gets them. */
  readonly tools: readonly unknown[];
  /** What the provider gets instead of the choice. */
  readonly choice: unknown;
}

/** A request in each API: tools of the provider around a function, and a choice of one of them. */
const CASES: Readonly<Record<Name, Case>> = {
  chat: {
    body: {
      messages: [{ role: 'user', content: `Find ${SECRET}` }],
      web_search_options: { search_context_size: 'low' },
      tools: [CHAT_TOOL],
      tool_choice: 'required',
    },
    hosted: { web_search_options: 'web_search_options' },
    tools: [CHAT_TOOL],
    choice: 'required',
  },
  responses: {
    body: {
      input: `Find ${SECRET}`,
      tools: [
        { type: 'web_search_preview_2025_03_11' },
        { type: 'mcp', server_label: 'docs', server_url: 'https://mcp.example' },
        { type: 'function', name: 'send', parameters: SCHEMA },
        { type: 'code_interpreter', container: { type: 'auto' } },
      ],
      tool_choice: { type: 'web_search_preview' },
    },
    hosted: { 'tools[0]': 'web_search_preview_2025_03_11', 'tools[1]': 'mcp', 'tools[3]': 'code_interpreter' },
    tools: [{ type: 'function', name: 'send', parameters: SCHEMA }],
    choice: 'auto',
  },
  messages: {
    body: {
      max_tokens: 99,
      messages: [{ role: 'user', content: `Find ${SECRET}` }],
      tools: [
        { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
        { name: 'send', input_schema: SCHEMA },
        { type: 'code_execution_20250825', name: 'code_execution' },
      ],
      mcp_servers: [{ type: 'url', url: 'https://mcp.example', name: 'docs' }],
      tool_choice: { type: 'tool', name: 'web_search' },
    },
    hosted: {
      'tools[0]': 'web_search_20250305',
      'tools[2]': 'code_execution_20250825',
      'mcp_servers[0]': 'mcp_toolset',
    },
    tools: [{ name: 'send', input_schema: SCHEMA }],
    choice: { type: 'auto' },
  },
  gemini: {
    body: {
      contents: [{ role: 'user', parts: [{ text: `Find ${SECRET}` }] }],
      tools: [
        { google_search: {} },
        { functionDeclarations: [{ name: 'send', parameters: SCHEMA }], codeExecution: {} },
      ],
    },
    hosted: { 'tools[0].google_search': 'googleSearch', 'tools[1].codeExecution': 'codeExecution' },
    tools: [{ functionDeclarations: [{ name: 'send', parameters: SCHEMA }] }],
    choice: undefined,
  },
};
const NAMES = Object.keys(CASES) as Name[];
const MODELS: Readonly<Record<Name, string>> = { chat: 'gpt', responses: 'gpt', messages: 'claude', gemini: 'gemini' };
/** An API whose model is called instead. */
const OTHERS: Readonly<Record<Name, Name>> = {
  chat: 'messages',
  responses: 'messages',
  messages: 'chat',
  gemini: 'messages',
};

/** A whole response that can be translated. */
function wholeOf(api: Name): Answer {
  if (api !== 'chat') return CALL_APIS[api].whole(['Fine.']);
  const message = { role: 'assistant', content: 'Fine.' };
  const completion = { id: 'c1', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] };
  return { body: JSON.stringify(completion), type: 'application/json' };
}

/** What the provider got, and what the client has. */
async function ask(name: Name, tools: object | undefined, to: Name = name, streams = false) {
  // A redaction changes the text of the request too.
  const key = await gateway.newKey({ input: { secret: { action: 'redact' } }, ...(tools && { tools }) });
  const { body } = CASES[name];
  const model = MODELS[to];
  const path = (lane: number) => CALL_APIS[name].path(lane, streams).replace('gemini-w', `${model}-w`);
  const asked = (lane: number) =>
    JSON.stringify({
      ...body,
      ...(name !== 'gemini' && { model: `${model}-w${lane}`, ...(streams && { stream: true }) }),
    });
  const answer = streams ? CALL_APIS[to].streamed(['Fine.'], 9) : wholeOf(to);
  const headers = { authorization: `Bearer ${key}` };
  const [exchange] = await gateway.askAll([{ path, body: asked, type: 'application/json', headers, answer }]);
  const { text, sent, status } = exchange as Exchange;
  const { svc } = CALL_APIS[name].read(jsonsIn(text)) as unknown as { svc: Json };
  return { status, svc, sent: JSON.parse(sent?.body.toString() ?? 'null') as Json };
}

const warningsOf = ({ warnings }: Json) => ((warnings ?? []) as Json[]).map(({ code, field }) => [code, field]);
const misuseIn = ({ detected_threats: all }: Json) => (all as Json[]).filter(({ type }) => type === 'tool_misuse');
const placed = (field: string, action: string) => ({
  category: 'tool_policy',
  action,
  score: 0,
  location: { part: 'input', field },
});

describe.each(NAMES)('a provider-run tool that the policy does not list: %s', (name) => {
  const { hosted, tools, choice, body } = CASES[name];
  const places = Object.keys(hosted);

  test.each([false, true])('does not reach the provider, and is reported (streamed: %s)', async (streams) => {
    const { status, sent, svc } = await ask(name, { unlisted: 'block' }, name, streams);
    expect(status).toBe(200);
    expect([sent.tools, sent.tool_choice]).toEqual([tools, choice]);
    expect(sent).not.toHaveProperty('web_search_options');
    expect(sent).not.toHaveProperty('mcp_servers');
    expect(JSON.stringify(sent)).not.toContain(SECRET);
    expect(svc.action).toBe('block');
    expect(misuseIn(svc)).toMatchObject(places.map((field) => placed(field, 'block')));
    const changed = choice === body.tool_choice ? [] : [['field_adjusted', 'tool_choice']];
    expect(warningsOf(svc)).toEqual(
      expect.arrayContaining([...places.map((field) => ['field_dropped', field]), ...changed]),
    );
  });

  test('reaches no other API either', async () => {
    const { status, sent, svc } = await ask(name, { unlisted: 'block' }, OTHERS[name]);
    expect(status).toBe(200);
    expect(sent.tools).toHaveLength(1);
    expect(JSON.stringify(sent)).not.toMatch(/web_search|google_?search|code_|mcp/i);
    expect(warningsOf(svc)).toEqual(expect.arrayContaining(places.map((field) => ['field_dropped', field])));
  });

  test('is sent and reported by `flag`', async () => {
    const { sent, svc } = await ask(name, { unlisted: 'flag' });
    expect([sent.tools, sent.tool_choice]).toEqual([body.tools, body.tool_choice]);
    expect(warningsOf(svc)).toEqual([]);
    expect(misuseIn(svc)).toMatchObject(places.map((field) => placed(field, 'flag')));
  });

  test('stays if a glob of `effects` matches its type, or if the policy does not ask', async () => {
    const globs = new Set(Object.values(hosted).map((type) => type.replace(/\d.*/, '*').replace('_options', '*')));
    const effects = Object.fromEntries([...globs].map((glob) => [glob, 'read']));
    for (const settings of [{ unlisted: 'block', effects }, { effects: { send: 'send' } }, undefined]) {
      const { sent, svc } = await ask(name, settings);
      expect([sent.tools, sent.tool_choice, misuseIn(svc)]).toEqual([body.tools, body.tool_choice, []]);
    }
  });
});

describe('a request of which no tool is left', () => {
  let key: string;
  beforeAll(async () => {
    key = await gateway.newKey({ tools: { unlisted: 'block' } });
  });

  test.each([
    [
      'responses',
      { input: 'Hi', tools: [{ type: 'web_search' }], tool_choice: 'required', parallel_tool_calls: false },
    ],
    ['messages', { ...CASES.messages.body, tools: [CASES.messages.body.tools].flat().slice(0, 1) }],
  ] as const)('has no choice of tools: %s', async (name, body) => {
    const api = CALL_APIS[name];
    const asked = (lane: number) => JSON.stringify({ ...api.members(lane, false), ...body });
    const request = { path: (lane: number) => api.path(lane, false), body: asked, answer: api.whole(['Fine.']) };
    const headers = { authorization: `Bearer ${key}` };
    const [exchange] = await gateway.askAll([{ ...request, type: 'application/json', headers }]);
    const sent = JSON.parse((exchange as Exchange).sent?.body.toString() ?? '') as Json;
    for (const member of ['tools', 'tool_choice', 'parallel_tool_calls']) expect(sent).not.toHaveProperty(member);
  });
});

describe('a call of a remote server that waits for the approval of the client', () => {
  const args = JSON.stringify({ to: 'audit@collect-docs.test' });
  const item = {
    id: 'mcpr_1',
    type: 'mcp_approval_request',
    server_label: 'mail',
    name: 'send_email',
    arguments: args,
  };
  const response = { id: 'resp_1', object: 'response', status: 'completed', output: [item] };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ].map((event, sequence_number) => JSON.stringify({ ...event, sequence_number }));
  const answers = {
    whole: { body: JSON.stringify(response), type: 'application/json' },
    streamed: sse(...events),
  };

  test.each(['whole', 'streamed'] as const)('is held like a call of the client: %s', async (form) => {
    const rules = [{ id: 'known', tool: 'send_*', action: 'ask', args: { to: { from: ['user'] } } }];
    const held = await gateway.newKey({ output: { tool_misuse: { action: 'off' } }, tools: { rules } });
    for (const [key, action, isSent] of [
      [held, 'ask', false],
      [gateway.key, 'flag', true],
    ] as const) {
      const request = {
        path: () => '/v1/responses',
        body: (lane: number) =>
          JSON.stringify({ model: `gpt-w${lane}`, input: 'Write to Kim.', stream: form === 'streamed' }),
        type: 'application/json',
        headers: { authorization: `Bearer ${key}` },
        answer: answers[form],
      };
      const [exchange] = await gateway.askAll([request]);
      const { text } = exchange as Exchange;
      const last = jsonsIn(text).at(-1) as Json;
      const whole = (last.response ?? last) as {
        output: Json[];
        svc: { action: string; coverage: { skipped: string[] } };
      };
      expect([whole.svc.action, text.includes('"mcp_approval_request"')]).toEqual([action, isSent]);
      expect(whole.svc.coverage.skipped.join()).not.toContain('executed by the provider');
      const [shown] = whole.output;
      if (!isSent) expect(JSON.stringify(shown)).toContain('The call of send_email was not made and waits');
    }
  });
});
