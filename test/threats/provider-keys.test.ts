import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, type Gateway, startGateway } from '../fidelity/gateway.ts';
import type { Answer } from '../fidelity/upstream.ts';
import { ANSWERS, APIS, type ResponseApi, sse } from './answer-formats.ts';

const KEY = ['operators', 'own', 'k3y', 'q8Zr4Tn1Wd6Y'].join('-');
const HALVES = [KEY.slice(0, 15), KEY.slice(15)] as const;
const [FIRST, SECOND] = HALVES;
/** Of a provider that is not called. */
const OTHER_KEY = ['another', 'providers', 'k3y', '7Hn2Mx'].join('-');
const HOLE = '[REDACTED_PROVIDER_KEY]';

let gateway: Gateway;
beforeAll(async () => {
  const keys = { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY, GEMINI_API_KEY: KEY, MISTRAL_API_KEY: OTHER_KEY };
  gateway = await startGateway(keys);
});
afterAll(() => gateway.stop());

async function ask({ path, body, type }: ResponseApi, answer: Answer): Promise<Exchange> {
  const [exchange] = await gateway.askAll([{ path, body, type: type ?? 'application/json', answer }]);
  return exchange as Exchange;
}

/** Every string of a response, names included, joined as a client may join them: by member name, and all in order. */
function joins(text: string): string[] {
  const parts = text.startsWith('{') ? [text] : text.split('\n').flatMap((line) => line.split(/^data: /)[1] ?? []);
  const jsons = parts.filter((part) => part !== '[DONE]').map((part) => JSON.parse(part) as object);
  const byName = new Map<string, string>();
  let values = '';
  let all = '';
  const visit = (value: unknown, of: string): void => {
    if (typeof value === 'string') {
      byName.set(of, (byName.get(of) ?? '') + value);
      values += value;
      all += value;
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, item] of Object.entries(value)) {
      if (!Array.isArray(value)) all += name;
      visit(item, Array.isArray(value) ? of : name);
    }
  };
  for (const json of jsons) {
    const { svc: _, ...rest } = json as { svc?: unknown };
    visit(rest, '');
  }
  return [...byName.values(), values, all];
}

function expectNoKey({ text }: Exchange, key = KEY): void {
  for (const one of [text, ...joins(text)]) {
    const plain = one.toLowerCase().replace(/[^a-z\d]/g, '');
    expect(plain).not.toContain(key.toLowerCase().replaceAll('-', ''));
  }
}

describe.each(ANSWERS)('a response of %s', (_, answerOf, api) => {
  test("contains no provider's key in another spelling", async () => {
    for (const written of [
      KEY.toUpperCase(),
      [...KEY].join(' '),
      [...KEY].join('\u200b'),
      Buffer.from(`Bearer ${KEY}`).toString('base64'),
      encodeURIComponent(KEY).replaceAll('-', '%2D'),
      OTHER_KEY,
    ]) {
      const said = JSON.stringify(`Called with ${written}, fine.`);
      for (const exchange of [await ask(api, answerOf(said)), await ask(api, answerOf('"a"', `"note":${said}`))]) {
        expect([exchange.status, exchange.text]).toEqual([200, expect.stringContaining(HOLE)]);
        expect(exchange.text).not.toContain(written);
        expect(exchange.text).toContain('"action":"redact"');
      }
    }
  });

  test("contains no provider's key in JSON escapes, in a text or an id", async () => {
    const escaped = [...KEY].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('');
    for (const exchange of [
      await ask(api, answerOf(`"Called with ${escaped}."`)),
      await ask(api, answerOf('"a"', `"service_tier":"${escaped}","trace":{"id":"${escaped}"}`)),
    ]) {
      expect(exchange.text).toContain('[REDACTED');
      expect(exchange.text).not.toContain(escaped.slice(0, 40));
      expectNoKey(exchange);
    }
  });

  test.each([
    ['the called', KEY],
    ['another', OTHER_KEY],
  ])("contains no key of %s provider in an id, a model's name or data, and reports it", async (_, key) => {
    const plain = answerOf('"a"', `"service_tier":"${key}","trace":{"id":"r_${key}"}`);
    for (const body of [plain.body, String(plain.body).replaceAll('"model":"m"', `"model":"${key}"`)]) {
      const { status, text } = await ask(api, { ...plain, body });
      expect([status, text]).toEqual([200, expect.stringContaining(HOLE)]);
      expect(text).not.toContain(key);
      expect(text).toContain('"rule":"secret/provider-key"');
    }
  });

  test("contains no provider's key that is split over other members", async () => {
    for (const more of [
      `"notes":[{"text":"${FIRST}"},{"text":"${SECOND}"}]`,
      `"note":{"${FIRST}":"${SECOND}"}`,
      `"note":{"a ${FIRST}":1,"${SECOND} b":2}`,
      `"notes":["${FIRST}","${SECOND}"]`,
      `"notes":${JSON.stringify([...KEY].map((one) => ({ one })))}`,
    ]) {
      const exchange = await ask(api, answerOf('"a"', more));
      expect([more, exchange.status, exchange.text]).toEqual([more, 200, expect.stringContaining(HOLE)]);
      expectNoKey(exchange);
    }
  });
});

const { chat, messages, gemini, responses, completions } = APIS as Record<string, ResponseApi>;
const streamOf = (api: ResponseApi | undefined) => ({ ...api, ...api?.streamed }) as ResponseApi;
const whole = (body: object): Answer => ({ body: JSON.stringify(body), type: 'application/json' });
const events = (list: readonly object[]) => sse(...list.map((event) => JSON.stringify(event)));
const choice = (fields: object, index = 0) => ({
  id: 'c1',
  choices: [{ index, delta: {}, finish_reason: null, ...fields }],
});
const token = (text: string) => ({ token: text, logprob: -1, bytes: [...Buffer.from(text)], top_logprobs: [] });
const chatStream = (list: readonly object[]) =>
  sse(...[...list, choice({ finish_reason: 'stop' })].map((event) => JSON.stringify(event)), '[DONE]');
const block = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
const messagesStream = (first: object, list: readonly object[]) =>
  events([
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} },
    },
    { type: 'content_block_start', index: 0, content_block: first },
    ...list,
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]);
const candidate = (parts: readonly object[], more: object = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
});
const responseEvents = (list: readonly object[]) =>
  events([
    { type: 'response.created', response: { id: 'r', object: 'response', output: [] } },
    ...list,
    { type: 'response.completed', response: { id: 'r', object: 'response', status: 'completed', output: [] } },
  ]);
const delta = (name: string, text: string) => ({
  type: `response.${name}.delta`,
  output_index: 0,
  content_index: 0,
  item_id: 'i',
  delta: text,
});

/** A stream, by the pieces of the key in it. */
const STREAMS: readonly (readonly [string, ResponseApi | undefined, (pieces: readonly string[]) => Answer])[] = [
  ['content', chat, (pieces) => chatStream(pieces.map((content) => choice({ delta: { content } })))],
  [
    'content parts',
    chat,
    (pieces) => chatStream(pieces.map((text) => choice({ delta: { content: [{ type: 'text', text }] } }))),
  ],
  ['a refusal', chat, (pieces) => chatStream(pieces.map((refusal) => choice({ delta: { refusal } })))],
  ['reasoning', chat, (pieces) => chatStream(pieces.map((text) => choice({ delta: { reasoning_content: text } })))],
  [
    'arguments of a call',
    chat,
    (pieces) =>
      chatStream(
        pieces.map((text) => choice({ delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } })),
      ),
  ],
  [
    'one of two choices',
    chat,
    (pieces) =>
      chatStream(pieces.flatMap((content) => [choice({ delta: { content } }), choice({ delta: { content: '1' } }, 1)])),
  ],
  ['two choices', chat, (pieces) => chatStream(pieces.map((content, at) => choice({ delta: { content } }, at % 2)))],
  [
    'log probabilities',
    chat,
    (pieces) =>
      chatStream(pieces.map((text) => choice({ delta: { content: 'a' }, logprobs: { content: [token(text)] } }))),
  ],
  [
    'content with log probabilities',
    chat,
    (pieces) =>
      chatStream(pieces.map((content) => choice({ delta: { content }, logprobs: { content: [token(content)] } }))),
  ],
  [
    'a member of chunks',
    chat,
    (pieces) => chatStream(pieces.map((note) => ({ ...choice({ delta: { content: 'a' } }), note }))),
  ],
  [
    'a completion',
    completions,
    (pieces) =>
      sse(
        ...pieces.map((text) => JSON.stringify({ id: 'c', choices: [{ index: 0, text }] })),
        JSON.stringify({ id: 'c', choices: [{ index: 0, text: '', finish_reason: 'stop' }] }),
        '[DONE]',
      ),
  ],
  [
    'text of a message',
    messages,
    (pieces) =>
      messagesStream(
        { type: 'text', text: '' },
        pieces.map((text) => block(0, { type: 'text_delta', text })),
      ),
  ],
  [
    'thinking',
    messages,
    (pieces) =>
      messagesStream(
        { type: 'thinking', thinking: '' },
        pieces.map((thinking) => block(0, { type: 'thinking_delta', thinking })),
      ),
  ],
  [
    'input of a tool',
    messages,
    (pieces) =>
      messagesStream(
        { type: 'tool_use', id: 't', name: 'f', input: {} },
        pieces.map((partial_json) => block(0, { type: 'input_json_delta', partial_json })),
      ),
  ],
  [
    'parts',
    gemini,
    (pieces) => events([...pieces.map((text) => candidate([{ text }])), candidate([], { finishReason: 'STOP' })]),
  ],
  [
    'thoughts',
    gemini,
    (pieces) =>
      events([...pieces.map((text) => candidate([{ text, thought: true }])), candidate([], { finishReason: 'STOP' })]),
  ],
  ['output text', responses, (pieces) => responseEvents(pieces.map((text) => delta('output_text', text)))],
  ['a summary', responses, (pieces) => responseEvents(pieces.map((text) => delta('reasoning_summary_text', text)))],
  ['reasoning text', responses, (pieces) => responseEvents(pieces.map((text) => delta('reasoning_text', text)))],
  ['arguments', responses, (pieces) => responseEvents(pieces.map((text) => delta('function_call_arguments', text)))],
  ['code', responses, (pieces) => responseEvents(pieces.map((text) => delta('code_interpreter_call_code', text)))],
  ['an unknown event', responses, (pieces) => responseEvents(pieces.map((note) => ({ type: 'response.later', note })))],
];

const args = JSON.stringify({
  a: [...KEY].join('\n'),
  b: Buffer.from(KEY).toString('base64').replace(/.{9}/g, '$&\r\n'),
});
const inArguments: readonly (readonly [string, ResponseApi | undefined, (args: readonly string[]) => Answer])[] =
  STREAMS.filter(([name]) => /^(?:arguments|input)/.test(name));

test.each(inArguments)("a provider's key with escaped line breaks does not leave: %s", async (_, api, answerOf) => {
  for (const pieces of [[args], [...args], args.match(/.{1,7}/g) ?? []]) {
    const { status, text: leaving } = await ask(streamOf(api), answerOf(pieces));
    expect([status, leaving]).toEqual([200, expect.stringContaining('"rule":"secret/provider-key"')]);
    const sent = joins(leaving).map((one) => one.replaceAll(/\\[nr]/g, ''));
    expect(sent.join(' ')).not.toContain(KEY.slice(0, 12));
    expect(sent.join(' ')).not.toContain(Buffer.from(KEY).toString('base64').slice(10, 30));
  }
});

test.each(inArguments)('a call that a client would run without the key is blocked: %s', async (_, api, answerOf) => {
  for (const key of [KEY, OTHER_KEY]) {
    const said = JSON.stringify({ at: key });
    for (const pieces of [[said], [said.slice(0, 20), said.slice(20)]]) {
      const { status, text } = await ask(streamOf(api), answerOf(pieces));
      expect([status, text]).toEqual([200, expect.stringContaining('"rule":"secret/provider-key"')]);
      expect(text).toContain('"action":"block"');
    }
  }
});

describe.each(STREAMS)("a provider's key in a stream: %s", (_, api, answerOf) => {
  test.each<[string, readonly string[]]>([
    ['in two events', HALVES],
    ['in two events with a short start', [KEY.slice(0, 2), KEY.slice(2)]],
    ['in an event for each character', [...KEY]],
    ['with text around', ['It is: ', ...HALVES, ' and more']],
    [
      'in Base64, in three events',
      Buffer.from(KEY)
        .toString('base64')
        .match(/.{1,20}/g) ?? [],
    ],
  ])('does not leave %s', async (__, pieces) => {
    const exchange = await ask(streamOf(api), answerOf(pieces));
    expect([exchange.status, exchange.text]).toEqual([200, expect.stringContaining('"action":"redact"')]);
    expectNoKey(exchange);
    expect(joins(exchange.text).join(' ')).not.toContain(Buffer.from(KEY).toString('base64').slice(10));
  });
});

const message = (content: unknown, more: object = {}) => ({
  id: 'c1',
  choices: [{ index: 0, message: { role: 'assistant', content, ...more }, finish_reason: 'stop' }],
});
const toolCall = (at: number, args: string) => ({
  id: `c${at}`,
  type: 'function',
  function: { name: 'f', arguments: args },
});
const WHOLE: readonly (readonly [string, ResponseApi | undefined, object])[] = [
  ['content parts', chat, message(HALVES.map((text) => ({ type: 'text', text })))],
  ['content and refusal', chat, message(FIRST, { refusal: SECOND })],
  ['reasoning and content', chat, message(SECOND, { reasoning_content: FIRST })],
  ['calls', chat, message(null, { tool_calls: HALVES.map((text, at) => toolCall(at, text)) })],
  [
    'choices',
    chat,
    { choices: HALVES.map((content, index) => ({ index, message: { content }, finish_reason: 'stop' })) },
  ],
  [
    'log probabilities',
    chat,
    {
      choices: [
        { index: 0, message: { content: 'a' }, logprobs: { content: [...KEY].map(token) }, finish_reason: 'stop' },
      ],
    },
  ],
  [
    'blocks',
    messages,
    {
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', usage: {} },
      content: HALVES.map((text) => ({ type: 'text', text })),
    },
  ],
  [
    'values of an input',
    messages,
    {
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use', usage: {} },
      content: [{ type: 'tool_use', id: 't', name: 'f', input: { a: FIRST, list: [SECOND] } }],
    },
  ],
  [
    'parts',
    gemini,
    candidate(
      HALVES.map((text) => ({ text })),
      { finishReason: 'STOP' },
    ),
  ],
  [
    'arguments',
    gemini,
    candidate([{ functionCall: { name: 'f', args: { a: FIRST, b: SECOND } } }], { finishReason: 'STOP' }),
  ],
  [
    'items',
    responses,
    {
      ...{ id: 'r', object: 'response', status: 'completed', model: 'm' },
      output: HALVES.map((text, at) => ({
        ...{ type: 'message', id: `i${at}`, role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', annotations: [], text }],
      })),
    },
  ],
];

test.each(WHOLE)("a provider's key that is split in a whole response does not leave: %s, %#", async (_, api, body) => {
  const exchange = await ask(api as ResponseApi, whole(body));
  expect([exchange.status, exchange.text]).toEqual([200, expect.stringContaining('"action":"redact"')]);
  expectNoKey(exchange);
});

test("a provider's key that is split over the members of an error does not leave", async () => {
  for (const error of [
    { message: `No: ${FIRST}`, type: SECOND, code: null, param: null },
    { message: `No: ${Buffer.from(KEY).toString('base64')}`, type: 'a', code: null, param: null },
    { message: `No: ${[...KEY].join('.')}`, type: 'a', code: 'b', param: null },
  ]) {
    const answer = { body: JSON.stringify({ error }), type: 'application/json', status: 400 };
    const exchange = await ask(chat as ResponseApi, answer);
    expect([exchange.status, exchange.text]).toEqual([400, expect.stringContaining(HOLE)]);
    expectNoKey(exchange);
  }
});

test("a provider's key in its request id does not leave", async () => {
  const answer = (chat as ResponseApi).whole('"a"');
  for (const id of [
    KEY,
    KEY.toUpperCase(),
    Buffer.from(KEY).toString('base64'),
    Buffer.from(KEY).toString('hex'),
    [...KEY].reverse().join(''),
    OTHER_KEY,
  ]) {
    const { headers } = await ask(chat as ResponseApi, { ...answer, headers: { 'x-request-id': id } });
    expect([headers.has('x-svc-upstream-request-id'), JSON.stringify([...headers]).includes(id)]).toEqual([
      false,
      false,
    ]);
  }
  const { headers } = await ask(chat as ResponseApi, { ...answer, headers: { 'x-request-id': `req_${FIRST}` } });
  expect(headers.get('x-svc-upstream-request-id')).toBe(`req_${FIRST}`);
});
