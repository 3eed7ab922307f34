import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startLocalProcess } from '../contract/local-process.ts';
import type { Service } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import { byDayOrNight } from '../support/night.ts';

type Json = Record<string, unknown>;

/** Acts as every provider: responds with `answer`, whole or streamed, and records requests. */
let sent: { path: string; body: string }[] = [];
let answer: (response: ServerResponse) => void;
const provider = createServer(async (request, response) => {
  sent.push({ path: request.url ?? '', body: await text(request) });
  answer(response);
});
function answersWith(value: Json): void {
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
}
function streams(events: readonly Json[], end = ''): void {
  answer = (response) => {
    const named = (event: Json) => (typeof event.type === 'string' ? `event: ${event.type}\n` : '');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${events.map((one) => `${named(one)}data: ${JSON.stringify(one)}\n\n`).join('')}${end}`);
  };
}

/** By default no id made outside passes; `open` lets some prefixes through. */
const FOREIGN = 'file-, cachedContents/, resp_, files/,container_,gs://shared/';
let closed: Service;
let open: Service;
beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const providers = {
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: url,
  };
  const more = { GEMINI_API_KEY: 'k', GEMINI_BASE_URL: url };
  closed = await startLocalProcess(providers, more);
  open = await startLocalProcess(providers, { ...more, SVC_FOREIGN_IDS: FOREIGN });
});
afterAll(async () => {
  await closed?.stop();
  await open?.stop();
  provider.closeAllConnections();
  provider.close();
});
beforeEach(() => {
  sent = [];
  answersWith({});
});

const someKeys = new Map<Service, Promise<string>>();
/** A key of this service, the same for every test that owns no ids. */
function someKey(service: Service): Promise<string> {
  const key = someKeys.get(service) ?? keyOf(service);
  someKeys.set(service, key);
  return key;
}

async function keyOf(service: Service, policy?: Json): Promise<string> {
  const response = await fetch(`${service.adminUrl}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ids', rateLimit: { requests: 1e6, period: 'hour' }, ...(policy && { policy }) }),
  });
  return ((await response.json()) as { key: string }).key;
}

interface Told {
  readonly status: number;
  readonly param: unknown;
  readonly code: unknown;
  readonly text: string;
}

async function call(service: Service, key: string, path: string, body: Json): Promise<Told> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answered = await response.text();
  let error: Json = {};
  try {
    error = (JSON.parse(answered) as { error?: Json }).error ?? {};
  } catch {
    // A stream.
  }
  return { status: response.status, param: error.param, code: error.code, text: answered };
}

const RESPONSES = '/responses';
const CHAT = '/chat/completions';
const MESSAGES = '/messages';
const COUNT = '/messages/count_tokens';
const GEMINI = '/models/gemini-2.5-flash:generateContent';

const responses = (more: Json): Json => ({ model: 'gpt-4o', input: 'Hi', ...more });
const inputOf = (item: Json): Json => responses({ input: [item, { role: 'user', content: 'Go on' }] });
const said = (...parts: Json[]): Json => ({ model: 'gpt-4o', messages: [{ role: 'user', content: parts }] });
const messages = (more: Json): Json => ({
  model: 'claude-haiku-4-5',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'Hi' }],
  ...more,
});
const blocks = (...content: Json[]): Json => messages({ messages: [{ role: 'user', content }] });
const contents = (...parts: Json[]): Json => ({ contents: [{ role: 'user', parts }] });
const hi = contents({ text: 'Hi' });
const file = (id: string): Json => ({ type: 'file', file_id: id });

/** Every place in which a request names what a provider keeps. */
const PLACES: readonly [path: string, place: string, body: (id: string) => Json][] = [
  [RESPONSES, 'previous_response_id', (id) => responses({ previous_response_id: id })],
  [RESPONSES, 'conversation', (id) => responses({ conversation: id })],
  [RESPONSES, 'conversation.id', (id) => responses({ conversation: { id } })],
  [RESPONSES, 'prompt.id', (id) => responses({ prompt: { id } })],
  [RESPONSES, 'item_reference', (id) => inputOf({ type: 'item_reference', id })],
  [RESPONSES, 'reasoning', (id) => inputOf({ type: 'reasoning', id, summary: [] })],
  [RESPONSES, 'encrypted reasoning', (id) => inputOf({ type: 'reasoning', id, summary: [], encrypted_content: 'x' })],
  [
    RESPONSES,
    'encrypted search',
    (id) => inputOf({ type: 'file_search_call', id, encrypted_content: 'x', queries: [] }),
  ],
  [RESPONSES, 'image call', (id) => inputOf({ type: 'image_generation_call', id, encrypted_content: '' })],
  [RESPONSES, 'MCP list', (id) => inputOf({ type: 'mcp_list_tools', id, server_label: 's', tools: [] })],
  [RESPONSES, 'MCP call', (id) => inputOf({ type: 'mcp_call', id, server_label: 's', name: 'n', arguments: '{}' })],
  [
    RESPONSES,
    'MCP approval',
    (id) => inputOf({ type: 'mcp_approval_response', approval_request_id: id, approve: true }),
  ],
  [RESPONSES, 'file', (id) => inputOf({ role: 'user', content: [{ type: 'input_file', file_id: id }] })],
  [
    RESPONSES,
    'image',
    (id) => inputOf({ role: 'user', content: [{ type: 'input_image', file_id: id, detail: 'auto' }] }),
  ],
  [
    RESPONSES,
    'a part not known yet',
    (id) => inputOf({ role: 'user', content: [{ type: 'input_video', file_id: id }] }),
  ],
  [
    RESPONSES,
    'output',
    (id) => inputOf({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: id }] }),
  ],
  [
    RESPONSES,
    'variable',
    (id) => responses({ prompt: { id: 'OWN', variables: { note: { type: 'input_file', file_id: id } } } }),
  ],
  [RESPONSES, 'vector store', (id) => responses({ tools: [{ type: 'file_search', vector_store_ids: [id] }] })],
  [RESPONSES, 'container', (id) => responses({ tools: [{ type: 'code_interpreter', container: id }] })],
  [
    RESPONSES,
    'file_ids',
    (id) => responses({ tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: [id] } }] }),
  ],
  [
    RESPONSES,
    'container_id',
    (id) => responses({ tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: id } }] }),
  ],
  [
    RESPONSES,
    'skill',
    (id) =>
      responses({
        tools: [
          {
            type: 'shell',
            environment: { type: 'container_auto', skills: [{ type: 'skill_reference', skill_id: id }] },
          },
        ],
      }),
  ],
  [RESPONSES, 'mask', (id) => responses({ tools: [{ type: 'image_generation', input_image_mask: { file_id: id } }] })],
  [RESPONSES, 'tunnel', (id) => responses({ tools: [{ type: 'mcp', server_label: 's', tunnel_id: id }] })],
  [CHAT, 'file', (id) => said({ type: 'file', file: { file_id: id } })],
  [
    CHAT,
    'audio',
    (id) => ({
      model: 'gpt-4o',
      messages: [
        { role: 'assistant', audio: { id } },
        { role: 'user', content: 'Go on' },
      ],
    }),
  ],
  [CHAT, 'voice', (id) => ({ ...said({ type: 'text', text: 'Hi' }), audio: { format: 'wav', voice: { id } } })],
  [MESSAGES, 'container', (id) => messages({ container: id })],
  [MESSAGES, 'container.id', (id) => messages({ container: { id, skills: [] } })],
  [MESSAGES, 'skill', (id) => messages({ container: { skills: [{ type: 'custom', skill_id: id }] } })],
  [MESSAGES, 'document', (id) => blocks({ type: 'document', source: file(id) })],
  [MESSAGES, 'image', (id) => blocks({ type: 'image', source: file(id) })],
  [MESSAGES, 'upload', (id) => blocks({ type: 'container_upload', file_id: id })],
  [
    MESSAGES,
    'result',
    (id) => blocks({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: file(id) }] }),
  ],
  [MESSAGES, 'diagnostics', (id) => messages({ diagnostics: { previous_message_id: id } })],
  [COUNT, 'document', (id) => blocks({ type: 'document', source: file(id) })],
  [COUNT, 'container', (id) => messages({ container: id })],
  [GEMINI, 'cachedContent', (id) => ({ ...hi, cachedContent: id })],
  [GEMINI, 'cached_content', (id) => ({ ...hi, cached_content: id })],
  [GEMINI, 'fileUri', (id) => contents({ fileData: { fileUri: id, mimeType: 'image/png' } })],
  [GEMINI, 'file_uri', (id) => contents({ file_data: { file_uri: id, mime_type: 'image/png' } })],
  [
    GEMINI,
    'result',
    (id) => contents({ functionResponse: { name: 'f', response: {}, parts: [{ fileData: { fileUri: id } }] } }),
  ],
  [GEMINI, 'system', (id) => ({ ...hi, systemInstruction: { parts: [{ fileData: { fileUri: id } }] } })],
  [GEMINI, 'store', (id) => ({ ...hi, tools: [{ fileSearch: { fileSearchStoreNames: [id] } }] })],
];

describe('an id that the gateway has given to no key', () => {
  test.each(PLACES)('is not forwarded to %s as %s', async (path, _, body) => {
    const { status, text: reply } = await call(closed, await someKey(closed), path, body('made_outside'));
    expect([status, sent]).toEqual([404, []]);
    expect(reply).toContain('not found');
  });

  test.each([
    'https://generativelanguage.googleapis.com/v1beta/files/abc',
    'HTTPS://GenerativeLanguage.googleapis.com./v1beta/%66iles/abc?alt=media',
    'files/abc',
    'gs://bucket/object',
  ])('is not forwarded as the address %s', async (uri) => {
    const body = contents({ fileData: { fileUri: uri } });
    const { status } = await call(closed, await someKey(closed), GEMINI, body);
    expect([status, sent]).toEqual([404, []]);
  });
});

/** Values that name no resource of the account: informational ids, names chosen by callers, addresses. */
const FREE: readonly [path: string, body: Json][] = [
  [RESPONSES, responses({ metadata: { file_id: 'mine', container: 'mine' }, prompt_cache_key: 'mine', user: 'mine' })],
  [
    RESPONSES,
    responses({
      tools: [{ type: 'function', name: 'f', parameters: { file_id: 'x', properties: { container: {} } } }],
    }),
  ],
  [RESPONSES, inputOf({ type: 'function_call', id: 'fc_mine', call_id: 'c', name: 'f', arguments: '{"file_id":"x"}' })],
  [
    RESPONSES,
    inputOf({
      type: 'message',
      id: 'msg_mine',
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'See', annotations: [{ type: 'file_citation', file_id: 'file-of-store' }] },
      ],
    }),
  ],
  [
    RESPONSES,
    responses({
      tools: [
        { type: 'mcp', server_label: 's', connector_id: 'connector_gmail', server_url: 'https://mcp.example.com' },
      ],
    }),
  ],
  [
    CHAT,
    {
      ...said({ type: 'text', text: 'Hi' }),
      metadata: { file_id: 'x' },
      store: true,
      prediction: { type: 'content', content: 'x' },
    },
  ],
  [
    CHAT,
    {
      model: 'gpt-4o',
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"file_id":"x"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '{"file_id":"x"}' },
      ],
    },
  ],
  [
    MESSAGES,
    messages({
      metadata: { user_id: 'x' },
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'f', input: { file_id: 'x', container: 'y' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] },
      ],
    }),
  ],
  [MESSAGES, messages({ container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } })],
  [
    MESSAGES,
    messages({
      mcp_servers: [{ type: 'url', url: 'https://mcp.example.com', name: 'x' }],
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    }),
  ],
  [MESSAGES, messages({ diagnostics: { previous_message_id: null } })],
  [GEMINI, contents({ fileData: { fileUri: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' } })],
  [GEMINI, contents({ fileData: { fileUri: 'https://example.com/a.pdf', mimeType: 'application/pdf' } })],
  [GEMINI, contents({ functionCall: { name: 'f', args: { fileUri: 'files/x', cachedContent: 'y' } } })],
];

test.each(FREE)('%s: a value that names no resource of the account passes byte by byte: %j', async (path, body) => {
  answersWith(wholeAnswer(path, {}));
  const { status } = await call(closed, await someKey(closed), path, body);
  expect([status, JSON.parse(sent[0]?.body ?? '')]).toEqual([200, body]);
});

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

function wholeAnswer(path: string, more: Json): Json {
  switch (path) {
    case RESPONSES:
      return {
        id: fresh('resp_'),
        object: 'response',
        status: 'completed',
        model: 'gpt-4o',
        output: [],
        usage: USAGE,
        ...more,
      };
    case CHAT: {
      const message = { role: 'assistant', content: 'Yes', ...more };
      return {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      };
    }
    case MESSAGES:
      return {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: 'end_turn',
        usage: USAGE,
        ...more,
      };
    default:
      return {
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Yes' }] }, finishReason: 'STOP', ...more }],
      };
  }
}

let made = 0;
const fresh = (prefix: string): string => {
  made += 1;
  return `${prefix}${made.toString().padStart(8, '0')}`;
};

interface Given {
  readonly path: string;
  readonly body?: Json;
  readonly prefix: string;
  readonly whole: (id: string) => Json;
  readonly streamed: (id: string) => readonly Json[];
  readonly end?: string;
  readonly names: (id: string) => Json;
}

const message = (more: Json): Json => wholeAnswer(MESSAGES, more);
const messageStream = (start: Json, block: Json | undefined, delta: Json): Json[] => [
  { type: 'message_start', message: { ...message({ stop_reason: null }), ...start } },
  ...(block === undefined
    ? []
    : [
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_stop', index: 0 },
      ]),
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null, ...delta },
    usage: { output_tokens: 1 },
  },
  { type: 'message_stop' },
];
const responseStream = (id: string, items: readonly Json[]): Json[] => {
  const response = { ...wholeAnswer(RESPONSES, {}), id };
  const done = items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item }));
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    ...done,
    { type: 'response.completed', response: { ...response, output: items } },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
};
const ofItem = (item: (id: string) => Json) => ({
  path: RESPONSES,
  whole: (id: string) => wholeAnswer(RESPONSES, { output: [item(id)] }),
  streamed: (id: string) => responseStream(fresh('resp_'), [item(id)]),
});
const ranIn = (id: string): Json => ({
  type: 'code_interpreter_call',
  id: fresh('ci_'),
  container_id: id,
  code: '',
  outputs: [],
});
const citing = (annotation: Json): Json => ({
  type: 'message',
  id: fresh('msg_'),
  role: 'assistant',
  status: 'completed',
  content: [
    { type: 'output_text', text: 'See', annotations: [{ start_index: 0, end_index: 1, filename: 'a', ...annotation }] },
  ],
});
const codeResult = (id: string): Json => ({
  type: 'bash_code_execution_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: {
    type: 'bash_code_execution_result',
    stdout: '',
    stderr: '',
    return_code: 0,
    content: [{ type: 'bash_code_execution_output', file_id: id }],
  },
});
const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});

/** Every id that a response contains, and a request that names it. */
const GIVEN: Readonly<Record<string, Given>> = {
  'a response': {
    path: RESPONSES,
    prefix: 'resp_',
    whole: (id) => ({ ...wholeAnswer(RESPONSES, {}), id }),
    streamed: (id) => responseStream(id, []),
    names: (id) => responses({ previous_response_id: id }),
  },
  'reasoning that nobody keeps': {
    ...ofItem((id) => ({ type: 'reasoning', id, summary: [], encrypted_content: 'gAAAA' })),
    body: responses({ store: false, include: ['reasoning.encrypted_content'] }),
    prefix: 'rs_',
    names: (id) => inputOf({ type: 'reasoning', id, summary: [], encrypted_content: 'gAAAA' }),
  },
  'a message': {
    ...ofItem((id) => ({ ...citing({}), id })),
    prefix: 'msg_',
    names: (id) => inputOf({ type: 'item_reference', id }),
  },
  'an approval': {
    ...ofItem((id) => ({ type: 'mcp_approval_request', id, server_label: 's', name: 'n', arguments: '{}' })),
    prefix: 'mcpr_',
    names: (id) => inputOf({ type: 'mcp_approval_response', approval_request_id: id, approve: true }),
  },
  'a container of code': {
    ...ofItem(ranIn),
    prefix: 'cntr_',
    names: (id) => responses({ tools: [{ type: 'code_interpreter', container: id }] }),
  },
  'a file of a container': {
    ...ofItem((id) => citing({ type: 'container_file_citation', container_id: fresh('cntr_'), file_id: id })),
    prefix: 'cfile_',
    names: (id) => inputOf({ role: 'user', content: [{ type: 'input_file', file_id: id }] }),
  },
  'a file that code wrote': {
    ...ofItem((id) => citing({ type: 'file_path', index: 0, file_id: id })),
    prefix: 'file-',
    names: (id) => inputOf({ role: 'user', content: [{ type: 'input_file', file_id: id }] }),
  },
  audio: {
    path: CHAT,
    prefix: 'audio_',
    whole: (id) => wholeAnswer(CHAT, { audio: { id, data: 'AAAA', transcript: 'Yes', expires_at: 1 } }),
    streamed: (id) => [
      chunk({ role: 'assistant', audio: { id } }),
      chunk({ audio: { transcript: 'Yes' } }),
      chunk({}, 'stop'),
    ],
    end: 'data: [DONE]\n\n',
    names: (id) => ({
      model: 'gpt-4o',
      messages: [
        { role: 'assistant', audio: { id } },
        { role: 'user', content: 'Go on' },
      ],
    }),
  },
  'a container of Claude': {
    path: MESSAGES,
    prefix: 'container_',
    whole: (id) => message({ container: { id, expires_at: '2026-01-01T00:00:00Z' } }),
    streamed: (id) => messageStream({}, undefined, { container: { id, expires_at: '2026-01-01T00:00:00Z' } }),
    names: (id) => messages({ container: id }),
  },
  'a container at the start of a stream': {
    path: MESSAGES,
    prefix: 'container_',
    whole: (id) => message({ container: { id, expires_at: '2026-01-01T00:00:00Z' } }),
    streamed: (id) => messageStream({ container: { id, expires_at: '2026-01-01T00:00:00Z' } }, undefined, {}),
    names: (id) => messages({ container: { id } }),
  },
  'a file that Claude’s code wrote': {
    path: MESSAGES,
    prefix: 'file_',
    whole: (id) => message({ content: [codeResult(id)] }),
    streamed: (id) => messageStream({}, codeResult(id), {}),
    names: (id) => blocks({ type: 'container_upload', file_id: id }),
  },
  'a diagnosed message': {
    path: MESSAGES,
    body: messages({ diagnostics: { previous_message_id: null } }),
    prefix: 'msg_',
    whole: (id) => message({ id }),
    streamed: (id) => messageStream({ id }, undefined, {}),
    names: (id) => messages({ diagnostics: { previous_message_id: id } }),
  },
  'a file of Gemini': {
    path: GEMINI,
    prefix: 'files/',
    whole: (id) =>
      wholeAnswer(GEMINI, { content: { role: 'model', parts: [{ fileData: { fileUri: filesApi(id) } }] } }),
    streamed: (id) => [
      wholeAnswer(GEMINI, { content: { role: 'model', parts: [{ fileData: { fileUri: filesApi(id) } }] } }),
    ],
    names: (id) => contents({ file_data: { file_uri: id } }),
  },
};
const filesApi = (id: string) => `https://generativelanguage.googleapis.com/v1beta/${id}`;

const CASES = Object.entries(GIVEN).flatMap(([name, given]) => [
  [name, 'a whole answer', given] as const,
  [name, 'a stream', given] as const,
]);

/** By day a whole response and a stream in turn. */
const TESTED = byDayOrNight(
  CASES.filter((_, at) => at % 4 === 0 || at % 4 === 3),
  CASES,
);

describe.each(TESTED)('the id of %s in %s', (_, how, { path, body, prefix, whole, streamed, end, names }) => {
  /** Has the provider hand out a fresh id to a key. */
  async function handOut(service: Service, key: string): Promise<string> {
    const id = fresh(prefix);
    const asked =
      body ??
      (path === GEMINI
        ? hi
        : path === MESSAGES
          ? messages({})
          : path === CHAT
            ? said({ type: 'text', text: 'Hi' })
            : responses({}));
    if (how === 'a stream') streams(streamed(id), end);
    else answersWith(whole(id));
    const isGemini = path === GEMINI && how === 'a stream';
    const at = isGemini ? GEMINI.replace(':generateContent', ':streamGenerateContent?alt=sse') : path;
    const { status, text: told } = await call(service, key, at, {
      ...asked,
      ...(how === 'a stream' && path !== GEMINI && { stream: true }),
    });
    expect([status, told.includes(id)]).toEqual([200, true]);
    answersWith(wholeAnswer(path, {}));
    sent = [];
    return id;
  }

  test('is valid for the key that received it, and 404 for another', async () => {
    const [one, other] = [await keyOf(closed), await keyOf(closed)];
    const id = await handOut(closed, one);
    const refused = await call(closed, other, path, names(id));
    expect([refused.status, sent]).toEqual([404, []]);
    expect((await call(closed, one, path, names(id))).status).toBe(200);
  });

  test('is 404 for another key even if its prefix is listed', async () => {
    const [one, other] = [await keyOf(open), await keyOf(open)];
    const id = await handOut(open, one);
    // It is bound after the response; until then it is as one that was made outside.
    await eventually(async () => {
      sent = [];
      return (await call(open, other, path, names(id))).status === 404;
    });
    expect(sent).toEqual([]);
    expect((await call(open, one, path, names(id))).status).toBe(200);
  });
});

describe('if the deployment lists prefixes', () => {
  test.each([
    [CHAT, said({ type: 'file', file: { file_id: 'file-made-outside' } })],
    [GEMINI, { ...hi, cachedContent: 'cachedContents/abc' }],
    [GEMINI, contents({ fileData: { fileUri: filesApi('files/abc') } })],
    [GEMINI, contents({ fileData: { fileUri: 'gs://shared/a.pdf' } })],
    [RESPONSES, responses({ previous_response_id: 'resp_before' })],
  ])('%s: what begins so passes, without a wait: %j', async (path, body) => {
    answersWith(wholeAnswer(path, {}));
    expect((await call(open, await someKey(open), path, body)).status).toBe(200);
    expect(sent.length).toBe(1);
  });

  test.each([
    [MESSAGES, blocks({ type: 'document', source: file('file_other') })],
    [GEMINI, { ...hi, cachedContent: 'projects/p/cachedContents/abc' }],
    [GEMINI, contents({ fileData: { fileUri: 'gs://other/a.pdf' } })],
  ])('%s: what begins otherwise is 404: %j', async (path, body) => {
    expect((await call(open, await someKey(open), path, body)).status).toBe(404);
    expect(sent).toEqual([]);
  });

  test("a blocked response belongs to no key, not even the caller's", async () => {
    const key = await keyOf(open);
    const id = fresh('resp_');
    const text = 'Well. SVC-TEST-BLOCK-7f3a';
    const item = { ...citing({}), content: [{ type: 'output_text', text, annotations: [] }] };
    answersWith({ ...wholeAnswer(RESPONSES, { output: [item] }), id });
    expect((await call(open, key, RESPONSES, responses({}))).text).toContain(id);
    const again = () => call(open, key, RESPONSES, responses({ previous_response_id: id }));
    await eventually(async () => (await again()).status === 404);
  });
});

test('a provider of another API gets no ids that it cannot know', async () => {
  answersWith(wholeAnswer(CHAT, {}));
  const { status, param } = await call(closed, await someKey(closed), MESSAGES, {
    ...blocks({ type: 'document', source: file('file_other') }),
    model: 'gpt-4o',
  });
  expect([status, param, sent]).toEqual([400, 'messages[0].content[0]', []]);
});

test('a request with too many ids is a 400', async () => {
  const file_ids = Array.from({ length: 10_001 }, (_, at) => `file-${at}`);
  const tools = [{ type: 'code_interpreter', container: { type: 'auto', file_ids } }];
  const { status, code } = await call(closed, await someKey(closed), RESPONSES, responses({ tools }));
  expect([status, code, sent]).toEqual([400, 'invalid_value', []]);
});
