import { describe, expect, test } from '@jest/globals';
import { GITHUB_TOKEN } from '../../contract/inspection/planted-secret.ts';
import type { Answer } from '../../fidelity/upstream.ts';
import { ANSWERS, APIS, jsonsIn, type ResponseApi, sse } from './answer-formats.ts';
import {
  ask,
  blockEvents,
  CHAT,
  CHAT_END,
  chatChunk,
  eventsOf,
  FINE,
  GEMINI,
  joinedIn,
  MESSAGES,
  RESPONSES,
  streamOf,
} from './answers.ts';

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
