import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../fidelity/upstream.ts';
import type { ResponseApi } from '../responses/answer-formats.ts';
import {
  ask,
  candidate,
  chat,
  expectNoKey,
  FIRST,
  gemini,
  HALVES,
  HOLE,
  joins,
  KEY,
  messages,
  OTHER_KEY,
  responses,
  SECOND,
  STREAMS,
  streamOf,
  token,
} from './provider-keys.ts';

const whole = (body: object): Answer => ({ body: JSON.stringify(body), type: 'application/json' });

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
