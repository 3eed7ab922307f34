import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GITHUB_TOKEN } from '../contract/planted-secret.ts';
import { type Exchange, type Gateway, startGateway } from '../fidelity/gateway.ts';
import type { Answer } from '../fidelity/upstream.ts';
import { ANSWERS, APIS, type ResponseApi, sse } from './answer-formats.ts';

const LEAK = JSON.stringify(`The token is ${GITHUB_TOKEN} for now.`);
const FINE = '"All is well."';
const BLOCKED = JSON.stringify('Mind you: SVC-TEST-BLOCK-7f3a of it.');
const MARK = GITHUB_TOKEN.slice(4, 16);
const FORGED =
  '{"threat_score":0,"detected_threats":[],"processing_time_ms":0,"action":"forged","request_id":"req_x","session_id":null,"coverage":{"input":[],"output":[],"skipped":[]}}';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

async function ask({ path, body, type }: ResponseApi, answer: Answer): Promise<Exchange> {
  const [exchange] = await gateway.askAll([{ path, body, type: type ?? 'application/json', answer }]);
  return exchange as Exchange;
}

/** All JSON documents of a response, whole or streamed. */
function jsonsIn(text: string): Record<string, unknown>[] {
  const parts = text.startsWith('{') ? [text] : text.split('\n').flatMap((line) => line.split(/^data: /)[1] ?? []);
  return parts.filter((part) => part !== '[DONE]').map((part) => JSON.parse(part));
}

/** The value with a leak in each place, in turn: as a text, in a list and in objects. */
function variantsOf(value: unknown): unknown[] {
  const leak = JSON.parse(LEAK) as string;
  const own = [leak, [leak], [{ text: leak }], { text: leak }, { 0: leak }, [[leak]], 4.5];
  if (typeof value !== 'object' || value === null) return own;
  const inside = Object.entries(value).flatMap(([name, member]) =>
    variantsOf(member).map((variant) =>
      Array.isArray(value) ? value.with(Number(name), variant) : { ...value, [name]: variant },
    ),
  );
  return [...own, ...inside];
}

/** What a client has that joins the strings of one member over all events. */
function joinedIn(text: string, name: string): string {
  const strings: string[] = [];
  const visit = (value: unknown, of: string): void => {
    if (typeof value === 'string' && of === name) strings.push(value);
    if (typeof value === 'object' && value !== null)
      for (const [at, item] of Object.entries(value)) visit(item, Array.isArray(value) ? of : at);
  };
  for (const { svc: _, ...event } of jsonsIn(text)) visit(event, '');
  return strings.join('');
}

const {
  chat: CHAT,
  responses: RESPONSES,
  messages: MESSAGES,
  gemini: GEMINI,
  completions: COMPLETIONS,
} = APIS as Record<string, ResponseApi>;
const streamOf = (api: ResponseApi | undefined) => ({ ...api, ...api?.streamed }) as ResponseApi;
const chatChunk = (delta: object, more: object = {}, reason: string | null = null) =>
  JSON.stringify({ id: 'c1', ...more, choices: [{ index: 0, delta, finish_reason: reason }] });
const CHAT_END = [chatChunk({}, {}, 'stop'), '[DONE]'];
/** Events of the Messages API around those of its first block. */
const blockEvents = (block: object, ...deltas: object[]) => [
  {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} },
  },
  { type: 'content_block_start', index: 0, content_block: block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];
const eventsOf = (events: readonly object[]) => sse(...events.map((event) => JSON.stringify(event)));

describe.each(ANSWERS)('a response of %s', (_, answerOf, api) => {
  test('with a duplicate member has the inspected value for every parser', async () => {
    // The first and the last of two equal members, plainly and spelled with an escape.
    const [first = '', second = ''] = [FINE, LEAK];
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const plain = answerOf('"@"');
      const body = String(plain.body);
      const name = /"(\w+)":"@"/.exec(body)?.[1] as string;
      for (const twice of [
        `"${name}":${one},"${name}":${other}`,
        `"${name}":${one},"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":${other}`,
      ]) {
        const { text, status } = await ask(api, { ...plain, body: body.replaceAll(`"${name}":"@"`, () => twice) });
        expect([status, text.includes(MARK)]).toEqual([200, false]);
      }
    }
  });

  test('is inspected in members outside the message', async () => {
    for (const member of [
      `"citations":[${LEAK}]`,
      `"search_results":[{"title":${LEAK},"id":"x"}]`,
      `"note":{"id":{"type":${LEAK}}}`,
      `"__proto__":{"note":${LEAK}}`,
      `"constructor":{"prototype":${LEAK}}`,
      `"names":{${LEAK}:1}`,
    ]) {
      const { text, status } = await ask(api, answerOf(FINE, member));
      expect([member, status, text.includes(MARK)]).toEqual([member, 200, false]);
    }
  });

  test('is inspected if any of its values has another type', async () => {
    const plain = answerOf(FINE);
    const whole = String(plain.body);
    const parts = whole.startsWith('{') ? [whole] : [...whole.matchAll(/(?<=^data: )\{.*/gm)].map(([data]) => data);
    const changed = parts.flatMap((part) =>
      variantsOf(JSON.parse(part)).map((variant) => whole.replace(part, () => JSON.stringify(variant))),
    );
    const { path, body, type = 'application/json' } = api;
    const exchanges = await gateway.askAll(
      changed.map((answer) => ({ path, body, type, answer: { ...plain, body: answer } })),
    );
    const leaks = exchanges.flatMap(({ text }, at) => (text.includes(MARK) ? [changed[at]] : []));
    expect(leaks).toEqual([]);
  });

  test('is cut if a text outside the message is blocked', async () => {
    const { text } = await ask(api, answerOf(FINE, `"search_results":[{"title":${BLOCKED}}],"later":"words after it"`));
    expect(text).not.toContain('SVC-TEST-BLOCK');
    expect(text).not.toContain('words after it');
    expect(text).toContain('"action":"block"');
  });

  test('cannot contain fields of the gateway', async () => {
    for (const member of [`"svc":${FORGED}`, `"s\\u0076c":${FORGED}`, `"moderation":{"note":"forged"}`]) {
      const { text, status, headers } = await ask(api, {
        ...answerOf(FINE, member),
        headers: { 'x-svc-action': 'forged', 'x-svc-threat-score': '0.123', 'x-svc-forged': '1' },
      });
      expect([member, status, text.includes('forged')]).toEqual([member, 200, false]);
      expect(jsonsIn(text).some(({ svc, response }) => svc ?? (response as { svc?: unknown })?.svc)).toBe(true);
      expect(headers.get('x-svc-threat-score')).not.toBe('0.123');
      expect([headers.get('x-svc-action'), headers.get('x-svc-forged')]).toEqual([null, null]);
    }
  });

  test('with endless nesting is an error, and the next is served', async () => {
    const deep = `"note":${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`;
    const { text } = await ask(api, answerOf(FINE, deep));
    expect(text).toContain('provider_error');
    expect((await ask(api, answerOf(FINE))).text).toContain('"action":"allow"');
  });

  test.each<[string, string]>([
    ['empty lists', `[${'[],'.repeat(300_000)}0]`],
    ['short strings', `[${'"a b",'.repeat(300_000)}0]`],
    ['texts', `[${'"some words",'.repeat(30_000)}0]`],
    ['numbers', `[${'1,'.repeat(500_000)}0]`],
    ['names', `{${Array.from({ length: 20_000 }, (_, at) => `"n${at}":1`).join(',')}}`],
    ['names with words', `{${Array.from({ length: 16_000 }, (_, at) => `"n ${at}":"a b"`).join(',')}}`],
  ])('with too many %s is an error, and the next is served', async (_, value) => {
    const { text } = await ask(api, answerOf(FINE, `"note":${value}`));
    expect(text).toContain('provider_error');
    expect((await ask(api, answerOf(FINE))).text).toContain('"action":"allow"');
  });

  test('passes byte by byte without findings', async () => {
    const odd = '"x_big":12345678901234567890,"x_form":1.0E2,"x_text":"a\\u0062: \\"c\\":"';
    expect((await ask(api, answerOf(FINE, odd))).text).toContain(odd);
  });
});

const STREAMS = ANSWERS.filter(([name]) => name.endsWith('streamed'));

describe.each(STREAMS)('an event of %s', (_, answerOf, api) => {
  test.each<[string, string]>([
    ['a string', LEAK],
    ['a list of strings', `[${LEAK}]`],
    ['a list with an event', `[{"choices":[{"index":0,"delta":{"content":${LEAK}}}],"text":${LEAK}}]`],
    ['an empty list', '[]'],
    ['a number', '4111111111111111'],
    ['a truth value', 'true'],
    ['null', 'null'],
  ])('that is %s is an error of the provider', async (_, data) => {
    const plain = answerOf(FINE);
    const { text } = await ask(api, { ...plain, body: `data: ${data}\n\n${plain.body}` });
    expect(text).toMatch(/provider_error|api_error|"status":"INTERNAL"|"status":"UNAVAILABLE"/);
    expect(text).not.toContain(MARK);
    expect(text).not.toContain(`data: ${data}`);
  });
});

describe('an event of the Responses API whose text has another type', () => {
  const types: readonly (readonly [string, string])[] = [
    ['response.output_text.delta', 'delta'],
    ['response.output_text.done', 'text'],
    ['response.refusal.delta', 'delta'],
    ['response.reasoning_text.delta', 'delta'],
    ['response.reasoning_summary_text.done', 'text'],
    ['response.function_call_arguments.delta', 'delta'],
    ['response.function_call_arguments.done', 'arguments'],
    ['response.custom_tool_call_input.done', 'input'],
    ['response.audio.transcript.delta', 'delta'],
    ['response.audio.delta', 'delta'],
    ['response.content_part.added', 'part'],
    ['response.output_text.annotation.added', 'annotation'],
    ['response.image_generation_call.partial_image', 'partial_image_b64'],
  ];
  test.each(types)('is inspected: %s', async (type, member) => {
    const [, answerOf, api] = STREAMS.find(([name]) => name.startsWith('responses')) as (typeof ANSWERS)[number];
    const plain = answerOf(FINE);
    const place = { output_index: 0, content_index: 0, summary_index: 0, annotation_index: 0, item_id: 'i1' };
    for (const value of variantsOf('')) {
      const event = JSON.stringify({ type, sequence_number: 0, ...place, [member]: value });
      const body = String(plain.body).replace('event: ', () => `event: ${type}\ndata: ${event}\n\nevent: `);
      const { text } = await ask(api, { ...plain, body });
      // Reasoning is inspected, and only flagged.
      if (type.includes('reasoning') && value !== 4.5) expect(text).toMatch(/"action":"(?:flag|redact)"/);
      else expect([value, text.includes(MARK)]).toEqual([value, false]);
    }
  });
});

describe('a place for sealed or binary values', () => {
  test.each([
    ['a card number', `"${['4111', '1111', '1111', '1111'].join('-')}."`],
    ['a connection with a password', '"postgres://app:h7Gk29xQ0aZ4@db.example.com:5432/app"'],
  ])('is inspected if it holds %s', async (_, value) => {
    const message = `"role":"assistant","content":"Hi","audio":{"id":"a1","data":${value}}`;
    const body = `{"choices":[{"index":0,"message":{${message}},"finish_reason":"stop"}]}`;
    const { text } = await ask(CHAT as ResponseApi, { body, type: 'application/json' });
    expect(text).toContain('choices[0].audio.data');
  });
});

describe('a part of a response that should be an object', () => {
  const chunk = (choices: string) =>
    `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":${choices}}`;
  const places: readonly (readonly [string, string])[] = [
    ['choices that are a string', LEAK],
    ['choices in an object', `{"0":{"index":0,"delta":{"content":${LEAK}},"text":${LEAK}}}`],
    ['a choice that is a string', `[${LEAK}]`],
    ['a choice in a list', `[[{"index":0,"delta":{"content":${LEAK}},"text":${LEAK}}]]`],
    ['a delta that is a string', `[{"index":0,"delta":${LEAK}}]`],
    ['a delta that is a list', `[{"index":0,"delta":[${LEAK}]}]`],
    ['a delta in a list', `[{"index":0,"delta":[{"content":${LEAK}}]}]`],
    ['a message that is a string', `[{"index":0,"message":${LEAK}}]`],
  ];
  test.each(places)('is never passed on: %s', async (_, choices) => {
    for (const api of [streamOf(CHAT), streamOf(COMPLETIONS)]) {
      const { text } = await ask(api, sse(chunk(choices), ...CHAT_END));
      expect(text).not.toContain(MARK);
    }
    for (const api of [CHAT, COMPLETIONS] as ResponseApi[]) {
      const { text } = await ask(api, { body: chunk(choices), type: 'application/json' });
      expect(text).not.toContain(MARK);
    }
  });

  test.each(places)('is an error of the provider: %s', async (_, choices) => {
    const { text } = await ask(streamOf(CHAT), sse(chunk(choices.replace(LEAK, FINE)), ...CHAT_END));
    expect(text).toContain('provider_error');
  });
});

test('a response loses very many members of the gateway in one pass', async () => {
  const forged = Array.from({ length: 16_000 }, (_, at) => `"n${at}":{"svc":{"a":"forged"}}`).join(',');
  const { text } = await ask(CHAT as ResponseApi, (CHAT as ResponseApi).whole(FINE, forged));
  expect(text).toContain('"n15999":{}');
  expect(text).not.toContain('forged');
});

describe('a translated response', () => {
  const translated: readonly (readonly [string, ResponseApi])[] = [
    [
      'messages',
      {
        ...(MESSAGES as ResponseApi),
        body: (lane) =>
          JSON.stringify({ model: `gpt-w${lane}`, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50 }),
      },
    ],
    [
      'responses of Claude',
      { ...(RESPONSES as ResponseApi), body: (lane) => JSON.stringify({ model: `claude-w${lane}`, input: 'Hi' }) },
    ],
  ];
  test.each(translated)('with too many values is an error: %s', async (_, api) => {
    const body = `{"id":"c1","model":"m","choices":[${'1,'.repeat(50_000)}1],"content":[${'1,'.repeat(50_000)}1]}`;
    const { status, text } = await ask(api, { body, type: 'application/json' });
    expect([status, text.includes('could not be read')]).toEqual([502, true]);
  });
});

describe('vectors and pictures', () => {
  const numbers = Array.from({ length: 3_072 }, (_, at) => (at % 3) - 0.5);
  const data = (embedding: unknown) =>
    Array.from({ length: 20 }, (_, index) => ({ object: 'embedding', index, embedding }));

  test.each<[string, unknown]>([
    ['numbers', numbers],
    ['base64', Buffer.from(Float32Array.from(numbers).buffer).toString('base64')],
  ])('pass byte by byte: %s', async (_, embedding) => {
    const body = JSON.stringify({ object: 'list', model: 'm', data: data(embedding), note: 'two words' });
    const { text } = await ask(APIS.embeddings as ResponseApi, { body, type: 'application/json' });
    expect(text.startsWith(body.slice(0, -1))).toBe(true);
    expect(text).toContain('"action":"allow"');
  });

  test.each<[string, unknown]>([
    ['in a member', [...data(numbers), { note: JSON.parse(LEAK) }]],
    ['in a vector', [...data(numbers), { embedding: [...numbers, JSON.parse(LEAK)] }]],
    ['as a vector', [...data(numbers), { embedding: `${'A'.repeat(4_096)} ${JSON.parse(LEAK)}` }]],
  ])('let no secret pass: %s', async (_, list) => {
    const body = JSON.stringify({ object: 'list', model: 'm', data: list });
    const { text, status } = await ask(APIS.embeddings as ResponseApi, { body, type: 'application/json' });
    expect([status, text.includes(MARK), text.includes('"action":"redact"')]).toEqual([200, false, true]);
  });

  test('are no place for a file with text', async () => {
    const hidden = Buffer.from(`${'A long file. '.repeat(4_000)}${JSON.parse(LEAK)}`).toString('base64');
    const body = JSON.stringify({ created: 1, data: [{ b64_json: hidden }] });
    const { text } = await ask(APIS.images as ResponseApi, { body, type: 'application/json' });
    expect(text).toContain('"category":"github_token"');
  });
});

describe('a blocked response with unusual parts', () => {
  test.each([
    ['chat', '"choices":[null,{"message":null},{"message":{"content":@}}]'],
    ['completions', '"choices":[null,{"text":@}]'],
    ['responses', '"output":[null,{"type":"message","content":7},{"type":"message","content":[null,{"text":@}]}]'],
    ['messages', '"type":"message","content":[null,{},{"type":7,"citations":[null]},{"type":"text","text":@}]'],
    ['gemini', '"candidates":[null,{"content":{"parts":[null,{"text":@}]}}]'],
  ])('is cut all the same: %s', async (name, members) => {
    const body = `{${members.replace('@', () => BLOCKED)}}`;
    const { status, text } = await ask(APIS[name] as ResponseApi, { body, type: 'application/json' });
    expect([status, text.includes('SVC-TEST')]).toEqual([200, false]);
    expect(text).toContain('"action":"block"');
  });
});

describe('a transcript as text', () => {
  test('is inspected in lines that look like the time of a cue', async () => {
    const api = APIS.transcriptions as ResponseApi;
    const body = (lane: number) =>
      api
        .body(lane)
        .replace('--b\r\n', '--b\r\ncontent-disposition: form-data; name="response_format"\r\n\r\nsrt\r\n--b\r\n');
    const card = ['4111', '1111', '1111', '1111'].join('');
    const told = `1\n00:00:01,000 --> 00:00:02,000\nHello there\n\n2\n${card} --> 1\nYour SVC-TEST-REDACT-7f3a\n`;
    const { text, headers } = await ask({ ...api, body }, { body: told, type: 'text/plain' });
    expect(text).toContain('00:00:01,000 --> 00:00:02,000\nHello there');
    expect(text).toContain('[REDACTED_TEST');
    expect(headers.get('x-svc-threats')).toContain('pii');
  });
});

describe('an id of a response', () => {
  test.each(['id', 'model'])("is inspected as text if it does not have an id's form: %s", async (name) => {
    const { chat } = APIS as { chat: ResponseApi };
    const plain = chat.whole(FINE);
    const body = String(plain.body).replace(new RegExp(`"${name}":"\\w+"`), () => `"${name}":${LEAK}`);
    const { text, status } = await ask(chat, { ...plain, body });
    expect([status, text.includes(MARK)]).toEqual([200, false]);
  });
});

describe('log probabilities', () => {
  const { chat } = APIS as { chat: ResponseApi };
  const withTokens = (tokens: readonly string[], said: string) => {
    const logprobs = { content: tokens.map((token) => ({ token, logprob: -1, top_logprobs: [] })) };
    const body = String(chat.whole(said).body).replace(
      '"finish_reason"',
      () => `"logprobs":${JSON.stringify(logprobs)},"finish_reason"`,
    );
    return ask(chat, { body, type: 'application/json' });
  };

  test('that spell another text than the response are inspected', async () => {
    const { text } = await withTokens([...JSON.parse(LEAK)], FINE);
    expect(text).not.toContain(JSON.stringify([...GITHUB_TOKEN].slice(0, 9)).slice(1, -1));
    expect(text).toContain('"logprobs":null');
  });

  test('that spell the response are returned', async () => {
    expect((await withTokens(['All is', ' well.'], FINE)).text).toContain('"token":" well."');
  });
});

describe('log probabilities as numbers and names', () => {
  const chars = (text: string) => [...Buffer.from(text)];
  const chatOf = (logprobs: object) =>
    JSON.stringify({ choices: [{ index: 0, message: { content: 'Hi' }, logprobs, finish_reason: 'stop' }] });
  const geminiOf = (logprobsResult: object) =>
    JSON.stringify({
      candidates: [{ index: 0, content: { parts: [{ text: 'Hi' }] }, logprobsResult, finishReason: 'STOP' }],
    });
  const split = [GITHUB_TOKEN.slice(0, 7), GITHUB_TOKEN.slice(7)];
  const entry = (token: string, text: string) => ({ token, logprob: -1, bytes: chars(text) });

  test.each<[string, ResponseApi | undefined, string]>([
    [
      'bytes of tokens',
      CHAT,
      chatOf({ content: split.map((text, at) => ({ ...entry(['H', 'i'][at] ?? '', text), top_logprobs: [] })) }),
    ],
    [
      'bytes of alternatives',
      CHAT,
      chatOf({
        content: split.map((text, at) => ({
          ...entry('', 'Hi'[at] ?? ''),
          token: 'Hi'[at],
          top_logprobs: [entry('a', text)],
        })),
      }),
    ],
    [
      'names of alternatives',
      COMPLETIONS,
      JSON.stringify({
        choices: [
          {
            index: 0,
            text: 'Hi',
            logprobs: { tokens: ['Hi'], top_logprobs: split.map((text) => ({ [text]: -1 })) },
            finish_reason: 'stop',
          },
        ],
      }),
    ],
    ['names beside tokens', CHAT, chatOf({ content: [{ ...entry('Hi', 'Hi'), [GITHUB_TOKEN]: 1 }] })],
    [
      'alternatives of one rank',
      GEMINI,
      geminiOf({
        chosenCandidates: [{ token: 'Hi' }],
        topCandidates: split.map((token) => ({ candidates: [{ token: 'x' }, { token }] })),
      }),
    ],
  ])('are inspected: %s', async (_, api, body) => {
    const { text } = await ask(api as ResponseApi, { body, type: 'application/json' });
    expect(text).toContain('"action":"redact"');
    expect(text).toMatch(/"logprobs(?:Result)?":null/);
  });

  const letters = [...GITHUB_TOKEN];
  const BYTES: readonly (readonly [string, unknown])[] = [
    ['strings', letters],
    ['a string', GITHUB_TOKEN],
    ['objects', [{ text: GITHUB_TOKEN }]],
    ['lists', [chars(GITHUB_TOKEN)]],
    ['an object', { ...chars(GITHUB_TOKEN) }],
    ['numbers beyond a byte', chars(GITHUB_TOKEN).map((byte) => byte + 256)],
    ['negative numbers', chars(GITHUB_TOKEN).map((byte) => byte - 256)],
    ['fractions', chars(GITHUB_TOKEN).map((byte) => byte + 0.5)],
    ['numbers as text', chars(GITHUB_TOKEN).map(String)],
    ['a word among numbers', [72, 105, GITHUB_TOKEN]],
  ];
  test.each(BYTES)('whose bytes are %s are an error of the provider', async (_, bytes) => {
    const body = chatOf({ content: [{ token: 'Hi', logprob: -1, bytes, top_logprobs: [] }] });
    const whole = await ask(CHAT as ResponseApi, { body, type: 'application/json' });
    expect([whole.status, whole.text.includes(MARK)]).toEqual([502, false]);
    const logprobs = { content: [{ token: 'Hi', logprob: -1, top_logprobs: [{ token: 'x', logprob: -1, bytes }] }] };
    const event = JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content: 'Hi' }, logprobs }] });
    const { text } = await ask(streamOf(CHAT), sse(event, ...CHAT_END));
    expect(text).toContain('provider_error');
    expect(text).not.toContain('"bytes"');
  });

  test('are returned if they spell the response, also with multi-byte letters', async () => {
    const [first, second] = [chars('é').slice(0, 1), chars('é').slice(1)];
    const content = [
      { token: 'H', logprob: -1, bytes: chars('H'), top_logprobs: [entry('h', 'h'), entry('J', 'J')] },
      { token: 'é', logprob: -1, bytes: [...first, ...second], top_logprobs: [] },
      { token: '\\xc3', logprob: -1, bytes: first, top_logprobs: [] },
      { token: '\\xa9', logprob: -1, bytes: second, top_logprobs: [] },
    ];
    const { text } = await ask(CHAT as ResponseApi, { body: chatOf({ content }), type: 'application/json' });
    expect(text).toContain(JSON.stringify({ content }).slice(1, -1));
    expect(text).toContain('"action":"allow"');
  });
});

describe('locations of findings', () => {
  const BAD = 'SVC-TEST-REDACT-7f3a';
  const own = ['4111', '1111', '1111', '1111'].join('');
  const events = (event: object) => [
    { type: 'response.created', response: { id: 'r', object: 'response', output: [] } },
    event,
    { type: 'response.completed', response: { id: 'r', object: 'response', status: 'completed', output: [] } },
  ];

  test.each<[string, ResponseApi | undefined, (value: string) => readonly object[]]>([
    ['the type of an event', RESPONSES, (type) => events({ type, note: BAD })],
    [
      'the index of an item',
      RESPONSES,
      (at) => events({ type: 'response.output_text.delta', output_index: at, delta: BAD }),
    ],
    [
      'the index of an item as a number',
      RESPONSES,
      (at) => events({ type: 'response.output_text.delta', output_index: Number(at), delta: BAD }),
    ],
    [
      'the index of a part',
      RESPONSES,
      (at) => events({ type: 'response.output_text.delta', output_index: 0, content_index: at, delta: BAD }),
    ],
    ['the type of a delta', MESSAGES, (type) => blockEvents({ type: 'text', text: '' }, { type, note: BAD })],
    [
      'the index of a call',
      CHAT,
      (at) => [
        {
          choices: [
            {
              index: 0,
              delta: { tool_calls: [{ index: Number(at), function: { arguments: BAD } }] },
              finish_reason: 'stop',
            },
          ],
        },
      ],
    ],
    [
      'the name of a member in place of parts',
      APIS.gemini,
      (name) => [
        {
          candidates: [
            { content: { role: 'model', parts: { [`${BAD} ${name}`]: 1 } }, finishReason: 'STOP', index: 0 },
          ],
        },
      ],
    ],
    [
      'the type of an event of a transcript',
      APIS.transcriptions,
      (type) => [
        { type, note: BAD },
        { type: 'transcript.text.done', text: '' },
      ],
    ],
  ])('repeats nothing of %s', async (_, api, eventsWith) => {
    const { text } = await ask(streamOf(api), eventsOf(eventsWith(own)));
    const reports = jsonsIn(text).flatMap(({ svc, response }) => svc ?? (response as { svc?: object })?.svc ?? []);
    expect(JSON.stringify(reports)).toMatch(/"action":"(?:redact|block)"/);
    expect(JSON.stringify(reports)).not.toContain(own);
  });
});

describe('a card as a number', () => {
  const card = ['4111', '1111', '1111', '1111'].join('');
  const chatOf = (message: string) => `{"choices":[{"index":0,"message":${message},"finish_reason":"stop"}]}`;
  const inputOf = (input: string) =>
    `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"f","input":{"n":${input}}}],"stop_reason":"tool_use","usage":{}}`;

  test.each<[string, ResponseApi | undefined, string]>([
    ['negative in the input of a tool', MESSAGES, inputOf(`-${card}`)],
    ['as a fraction in the input of a tool', MESSAGES, inputOf(`[${card}.0]`)],
    ['with an exponent in the input of a tool', MESSAGES, inputOf(`4.${card.slice(1)}e15`)],
    [
      'negative in the arguments of a call',
      GEMINI,
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"n":-${card}}}}]},"finishReason":"STOP"}]}`,
    ],
    [
      'as a fraction in arguments',
      CHAT,
      chatOf(
        `{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{\\"n\\":${card}.0}"}}]}`,
      ),
    ],
    ['in the place of content', CHAT, chatOf(`{"role":"assistant","content":${card}}`)],
    [
      'in the place of text',
      MESSAGES,
      `{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":-${card}}],"stop_reason":"end_turn","usage":{}}`,
    ],
  ])('is found: %s', async (_, api, body) => {
    const { text } = await ask(api as ResponseApi, { body, type: 'application/json' });
    expect(text).toContain('personal-data/payment-card');
  });
});

describe('a stream', () => {
  const chat = { ...(APIS.chat as ResponseApi), ...APIS.chat?.streamed } as ResponseApi;
  const chunk = (delta: object, reason: string | null = null) =>
    JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason: reason }] });
  const end = [chunk({}, 'stop'), '[DONE]'];

  test('of unknown strings that clients join is inspected as one text', async () => {
    const half = GITHUB_TOKEN.length / 2;
    const told = ['Take ', GITHUB_TOKEN.slice(0, half), GITHUB_TOKEN.slice(half), ' now'];
    const { text } = await ask(chat, sse(...told.map((note) => chunk({ note })), ...end));
    const notes = jsonsIn(text).flatMap(
      ({ choices }) => (choices as { delta: { note?: string } }[])[0]?.delta.note ?? [],
    );
    expect(notes.join('')).toBe('Take [REDACTED_GITHUB_TOKEN] now');
  });

  test('that repeats a word in every chunk does not wait for its end', async () => {
    const chunks = ['One ', 'two ', 'three'].map((content) => chunk({ content, note: 'constant', kind: 'x' }));
    const { text } = await ask(chat, sse(...chunks, ...end));
    expect(text.match(/"note":"constant"/g)).toHaveLength(3);
  });

  const token = JSON.parse(LEAK) as string;
  test.each([
    ['comments', `: ${token}\n\n`],
    ["an event's name", `event: ${token}\n`],
    ['an id', `id: ${token}\n`],
    ['a time to wait', `retry: ${token}\n`],
    ['an unknown field', `note: ${token}\n`],
    ['a line without a field', `${token}\n\n`],
    ['what is behind its end', ''],
  ])('passes on nothing of %s', async (_, line) => {
    const [first, ...rest] = [chunk({ content: 'Fine' }), ...end];
    const after = `data: ${chunk({ content: token })}\n\ndata: ${token}\n\n`;
    const body = `${line}data: ${first}\n\n${rest.map((data) => `data: ${data}\n\n`).join('')}${after}`;
    const { text } = await ask(chat, { body, type: 'text/event-stream' });
    expect(text).toContain('Fine');
    expect(text).not.toContain(MARK);
  });

  test.each([
    ['lines that end in CR', '\r'],
    ['lines that end in CRLF', '\r\n'],
  ])('is read with %s, and behind a byte order mark', async (_, lineEnd) => {
    const lines = [chunk({ content: token }), ...end].flatMap((data) => [`data: ${data}`, '']);
    const { text } = await ask(chat, { body: `\ufeff${[...lines, ''].join(lineEnd)}`, type: 'text/event-stream' });
    expect(text).toContain('[REDACTED_GITHUB_TOKEN]');
    expect(text).not.toContain(MARK);
  });

  test('is parsed if an event has several lines of data', async () => {
    const spread = JSON.stringify(JSON.parse(chunk({ content: token })), null, 1).replaceAll('\n', '\ndata: ');
    const { text } = await ask(chat, sse(spread, ...end));
    expect(text).toContain('[REDACTED_GITHUB_TOKEN]');
  });

  test.each([
    ['lines of JSON', (data: string) => `${data}\n`],
    ['a list of JSON', (data: string) => `[${data},\n`],
    ['data that is no JSON', () => `data: ${token}\n\n`],
  ])('of %s is an error without a word of it', async (_, toBody) => {
    const { text } = await ask(chat, { body: toBody(chunk({ content: token })), type: 'text/event-stream' });
    expect(text).toContain('provider_error');
    expect(text).not.toContain(MARK);
  });

  test('names each event by the type of its own JSON', async () => {
    const [, answerOf, api] = ANSWERS.find(([name]) => name === 'messages, streamed') as (typeof ANSWERS)[number];
    const { body } = answerOf(FINE, '"x":{"type":"error"}');
    const forged = String(body).replace('event: content_block_delta', 'event: error');
    const { text } = await ask(api, { body: forged, type: 'text/event-stream' });
    const pairs = [...text.matchAll(/event: (.*)\ndata: (.*)/g)];
    expect(pairs.length).toBeGreaterThan(4);
    for (const [, name, data = ''] of pairs) expect(JSON.parse(data).type).toBe(name);
  });
});

describe('a text with letters written as escapes', () => {
  test.each(ANSWERS)('is redacted in its place: %s', async (_, answerOf, api) => {
    const said = JSON.stringify(String.raw`{"note":"SVC-T\u0045ST-REDACT\u002D7f3a","n":1}`);
    const { text } = await ask(api, answerOf(said));
    expect(text).toMatch(/note\\":\\"\[REDACTED_TEST[^"]*\\",\\"n/);
    expect(text).not.toContain('REDACT\\\\u002D');
  });

  test.each(ANSWERS)(
    'is redacted where one is escaped, or has something in it that is not shown: %s',
    async (_, answerOf, api) => {
      for (const hidden of ['T%45ST', 'T&#69;ST', 'TE\0ST', 'TE\x1b[0mST', 'TE\x7fST', 'TE\ufdd0ST', 'TE\u{e0041}ST']) {
        const { text } = await ask(api, answerOf(JSON.stringify(`note: SVC-${hidden}-REDACT-7f3a, so`)));
        expect(text).toMatch(/note: \[REDACTED_TEST_TEXT\], /);
        expect(text).not.toContain('REDACT-7f3a');
      }
    },
  );

  const ARGUMENTS = String.raw`{"note":"SVC-T\u0045ST-BLOCK\u002D7f3a","n":1}`;
  const call = (text: string) => ({
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'f', arguments: text },
  });
  const item = (text: string) => ({ type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: text });
  const response = (output: object[]) => ({ id: 'resp_1', object: 'response', status: 'completed', output });

  test.each<[string, ResponseApi | undefined, object]>([
    ['chat', CHAT, { choices: [{ index: 0, message: { tool_calls: [call(ARGUMENTS)] }, finish_reason: 'stop' }] }],
    ['responses', RESPONSES, response([item(ARGUMENTS)])],
    ['mcp', RESPONSES, response([{ ...item(ARGUMENTS), type: 'mcp_call', server_label: 's' }])],
  ])('is blocked in arguments: %s', async (_, api, body) => {
    const { text } = await ask(api as ResponseApi, { body: JSON.stringify(body), type: 'application/json' });
    expect(text).toContain('"action":"block"');
    expect(text).not.toContain('ST-BLOCK');
  });

  test.each<[string, string, ResponseApi | undefined, (pieces: readonly string[]) => Answer]>([
    [
      'chat',
      'arguments',
      CHAT,
      (pieces) => sse(...pieces.map((one) => chatChunk({ tool_calls: [call(one)] })), ...CHAT_END),
    ],
    [
      'responses',
      'delta',
      RESPONSES,
      (pieces) =>
        eventsOf([
          { type: 'response.created', response: response([]) },
          { type: 'response.output_item.added', output_index: 0, item: item('') },
          ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', output_index: 0, delta })),
          { type: 'response.completed', response: response([item(ARGUMENTS)]) },
        ]),
    ],
    [
      'messages',
      'partial_json',
      MESSAGES,
      (pieces) =>
        eventsOf(
          blockEvents(
            { type: 'tool_use', id: 't1', name: 'f', input: {} },
            ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
          ),
        ),
    ],
  ])('is blocked in streamed arguments, however they are cut: %s', async (_, name, api, answerOf) => {
    for (const pieces of [[...ARGUMENTS], [ARGUMENTS.slice(0, 17), ARGUMENTS.slice(17)], [ARGUMENTS]]) {
      const { text } = await ask(streamOf(api), answerOf(pieces));
      expect(text).toContain('"action":"block"');
      expect(joinedIn(text, name)).toBe('{"note":"');
    }
  });
});

describe("a member's name that a model chose", () => {
  const card = ['4111', '1111', '1111', '1111'].join('');
  const NAMES = [GITHUB_TOKEN, `AKIA${'QYLPMN5HKXWUTJE2'}`, 'SVC-TEST-REDACT-7f3a'];
  const block = (type: string, input: object) => ({ type, id: 't1', name: 'f', input });
  const part = (part: object) =>
    JSON.stringify({ candidates: [{ index: 0, content: { parts: [part] }, finishReason: 'STOP' }] });
  const message = (one: object) =>
    JSON.stringify({
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [one],
      stop_reason: 'tool_use',
      usage: {},
    });
  const call = (args: object) => ({ id: 'c', type: 'function', function: { name: 'f', arguments: args } });
  const item = (one: object) => JSON.stringify({ id: 'r', object: 'response', status: 'completed', output: [one] });
  const PLACES: readonly (readonly [string, ResponseApi | undefined, (value: object) => string])[] = [
    ['input of a call', MESSAGES, (value) => message(block('tool_use', value))],
    ["input of a server's call", MESSAGES, (value) => message(block('server_tool_use', value))],
    ['input of an MCP call', MESSAGES, (value) => message({ ...block('mcp_tool_use', value), server_name: 's' })],
    ['arguments', GEMINI, (args) => part({ functionCall: { name: 'f', args } })],
    ['a response', GEMINI, (response) => part({ functionResponse: { name: 'f', response } })],
    [
      'arguments that are no text',
      CHAT,
      (value) =>
        JSON.stringify({ choices: [{ index: 0, message: { tool_calls: [call(value)] }, finish_reason: 'stop' }] }),
    ],
    [
      'attributes of a file',
      RESPONSES,
      (attributes) =>
        item({ type: 'file_search_call', id: 'f', status: 'completed', queries: [], results: [{ attributes }] }),
    ],
    [
      'schemas of tools',
      RESPONSES,
      (properties) =>
        item({
          type: 'mcp_list_tools',
          id: 'l',
          server_label: 's',
          tools: [{ name: 'f', input_schema: { properties } }],
        }),
    ],
  ];

  const RUN_BY_CLIENT = new Set(['input of a call', 'arguments', 'arguments that are no text']);

  test.each(PLACES)('is redacted, or blocks a call: %s', async (place, api, body) => {
    for (const name of NAMES) {
      const value = { a: 1, list: [{ [name]: 'x' }, { [name]: 'y' }], b: 2 };
      const { text } = await ask(api as ResponseApi, { body: body(value), type: 'application/json' });
      expect([name, text.includes(name)]).toEqual([name, false]);
      // A call with another name would run.
      if (RUN_BY_CLIENT.has(place)) expect(text).toMatch(/"action":"block"/);
      else expect(text).toMatch(/"a":1,"list":\[\{"\[REDACTED_[^"]*":"x"\},\{"\[REDACTED_[^"]*":"y"\}\],"b":2/);
    }
  });

  test.each(PLACES)('is flagged: %s', async (_, api, body) => {
    const { text } = await ask(api as ResponseApi, { body: body({ [card]: 1 }), type: 'application/json' });
    expect(text).toContain('"type":"pii"');
    expect(text.split(card)).toHaveLength(2);
  });

  test.each(PLACES)('blocks, and is in no report: %s', async (_, api, body) => {
    const { text } = await ask(api as ResponseApi, {
      body: body({ a: 1, 'SVC-TEST-BLOCK-7f3a': 'x' }),
      type: 'application/json',
    });
    expect(text).toContain('"action":"block"');
    expect(text).not.toContain('SVC-TEST-BLOCK');
  });

  test.each(PLACES)('passes unchanged if it is an ordinary one: %s', async (_, api, body) => {
    const value = { '2024': 1, '1111': 2, first_name: 'Ann', 'x-y': [{ 'größe 1': 3 }] };
    const { text } = await ask(api as ResponseApi, { body: body(value), type: 'application/json' });
    expect(text).toContain(JSON.stringify(value));
    expect(text).toContain('"action":"allow"');
  });

  test('is inspected outside model content if no API defines it', async () => {
    for (const name of [card, 'anna@acme-widgets.com', '+4915112345678']) {
      const member = `"note":{${JSON.stringify(name)}:1,"prompt_tokens_details":2}`;
      const { text } = await ask(CHAT as ResponseApi, (CHAT as ResponseApi).whole(FINE, member));
      const { svc } = jsonsIn(text)[0] as { svc: { detected_threats: { type: string }[] } };
      expect([name, svc.detected_threats.map(({ type }) => type)]).toEqual([name, ['pii']]);
    }
  });
});

describe('a text that is split over events', () => {
  const SECRET = [GITHUB_TOKEN.slice(0, 20), GITHUB_TOKEN.slice(20)];
  const choice = (fields: object, more: object = {}) =>
    JSON.stringify({ id: 'c1', ...more, choices: [{ index: 0, delta: {}, finish_reason: null, ...fields }] });
  const call = (name: string) => ({ delta: { tool_calls: [{ index: 0, id: 'c', function: { name } }] } });
  const logprobs = (token: string) => ({ token, logprob: -1, top_logprobs: [] });
  const candidate = (fields: object) =>
    JSON.stringify({ candidates: [{ index: 0, content: { parts: [] }, ...fields }] });
  const chat = (one: (text: string) => string) => (parts: readonly string[]) =>
    sse(...parts.flatMap((text) => [one(text), choice({ delta: { content: 'a' } })]), ...CHAT_END);
  const gemini = (one: (text: string) => string) => (parts: readonly string[]) =>
    sse(...parts.map(one), candidate({ finishReason: 'STOP' }));
  const messages = (one: (text: string) => object) => (parts: readonly string[]) =>
    eventsOf(
      blockEvents(
        { type: 'text', text: '' },
        ...parts.flatMap((text) => [one(text), { type: 'text_delta', text: 'a' }]),
      ),
    );
  const responses = (one: (text: string, at: number) => object) => (parts: readonly string[]) =>
    eventsOf([
      { type: 'response.created', response: { id: 'r', object: 'response', output: [] } },
      ...parts.map(one),
      { type: 'response.completed', response: { id: 'r', object: 'response', status: 'completed', output: [] } },
    ]);
  const cited = (title: string) => ({ type: 'url_citation', url_citation: { title, url: 'https://a.example' } });
  const completion = (fields: object) =>
    JSON.stringify({ id: 'c', choices: [{ index: 0, text: '', finish_reason: null, ...fields }] });
  const completions = (one: (text: string) => string) => (parts: readonly string[]) =>
    sse(...parts.map(one), completion({ finish_reason: 'stop' }), '[DONE]');

  const PLACES: readonly (readonly [string, string, ResponseApi | undefined, (parts: readonly string[]) => Answer])[] =
    [
      ['the name of a call', 'name', CHAT, chat((text) => choice(call(text)))],
      ['a member of a delta, apart', 'note', CHAT, chat((note) => choice({ delta: { note } }))],
      ['a member of a choice', 'note', CHAT, chat((note) => choice({ note }))],
      ['a member of a chunk', 'note', CHAT, chat((note) => choice({}, { note }))],
      ['a citation', 'title', CHAT, chat((text) => choice({ delta: { annotations: [cited(text)] } }))],
      ['tokens', 'token', CHAT, chat((text) => choice({ logprobs: { content: [logprobs(text)] } }))],
      [
        'alternatives',
        'token',
        CHAT,
        chat((text) => choice({ logprobs: { content: [{ ...logprobs(''), top_logprobs: [logprobs(text)] }] } })),
      ],
      ['a member of a completion', 'note', COMPLETIONS, completions((note) => completion({ note }))],
      [
        'tokens of completions',
        'tokens',
        COMPLETIONS,
        completions((text) => completion({ logprobs: { tokens: [text] } })),
      ],
      ['a finish message', 'finishMessage', GEMINI, gemini((finishMessage) => candidate({ finishMessage }))],
      ['code', 'code', GEMINI, gemini((code) => candidate({ content: { parts: [{ executableCode: { code } }] } }))],
      [
        'a citation of a block',
        'cited_text',
        MESSAGES,
        messages((cited_text) => ({ type: 'citations_delta', citation: { type: 'char_location', cited_text } })),
      ],
      ['an unknown delta, apart', 'note', MESSAGES, messages((note) => ({ type: 'later_delta', note }))],
      ['deeper in an unknown delta', 'note', MESSAGES, messages((note) => ({ type: 'later_delta', of: { note } }))],
      [
        'an annotation',
        'title',
        RESPONSES,
        responses((title, annotation_index) => ({
          type: 'response.output_text.annotation.added',
          output_index: 0,
          content_index: 0,
          annotation_index,
          annotation: { type: 'url_citation', title },
        })),
      ],
      ['an unknown event', 'note', RESPONSES, responses((note) => ({ type: 'response.later', note }))],
      [
        'beside a delta',
        'note',
        RESPONSES,
        responses((note) => ({ type: 'response.output_text.delta', output_index: 0, delta: '', note })),
      ],
      [
        'tokens of a response',
        'token',
        RESPONSES,
        responses((token) => ({
          type: 'response.output_text.delta',
          output_index: 0,
          delta: 'a',
          logprobs: [logprobs(token)],
        })),
      ],
      [
        'an unknown event of a transcript',
        'note',
        APIS.transcriptions,
        (parts) =>
          eventsOf([
            ...parts.map((note) => ({ type: 'transcript.later', note })),
            { type: 'transcript.text.done', text: '' },
          ]),
      ],
      [
        'a transcript',
        'delta',
        APIS.transcriptions,
        (parts) =>
          eventsOf([
            ...parts.map((delta) => ({ type: 'transcript.text.delta', delta })),
            { type: 'transcript.text.done', text: '' },
          ]),
      ],
    ];

  test.each(PLACES)('cannot be joined by a client: %s', async (_, name, api, answerOf) => {
    const { text } = await ask(streamOf(api), answerOf(SECRET));
    expect(joinedIn(text, name)).not.toContain(GITHUB_TOKEN);
    expect(text).not.toContain(SECRET[1]);
    expect(text).toMatch(/"action":"(?:redact|block)"/);
  });

  test.each(PLACES)('is blocked: %s', async (_, name, api, answerOf) => {
    for (const parts of [['SVC-TEST-', 'BLOCK-7f3a'], [...'SVC-TEST-BLOCK-7f3a'], ['abc', 'SVC-TEST-BLOCK-7f3a']]) {
      const { text } = await ask(streamOf(api), answerOf(parts));
      expect(joinedIn(text, name)).not.toContain('SVC-TEST-BLOCK-7f3a');
      expect(text).toContain('"action":"block"');
    }
  });

  test.each(PLACES)('passes if it is ordinary: %s', async (_, name, api, answerOf) => {
    const parts = ['Paris', 'Paris', 'Paris', 'Paris', 'Paris', 'Paris', 'Paris', 'Paris', 'Berlin', 'Rome'];
    const { text } = await ask(streamOf(api), answerOf(parts));
    expect(joinedIn(text, name)).toContain(parts.join(''));
    expect(text).toContain('"action":"allow"');
  });
});
