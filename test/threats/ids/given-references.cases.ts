import { describe, expect, test } from '@jest/globals';
import {
  ANSWERS,
  answersWith,
  BODIES,
  CANDIDATE,
  CHAT,
  call,
  failsWith,
  forgetSent,
  fresh,
  GEMINI,
  type Json,
  keyOf,
  MESSAGE,
  MESSAGES,
  RESPONSES,
  sent,
  someKey,
  streams,
} from './unknown-references.ts';

const START = { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } };
const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
const DELTA = { index: 0, delta: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' };
const end = (text: string): Json[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

interface Given {
  readonly path: string;
  readonly asks: Json;
  readonly whole: (id: string) => Json;
  readonly streamed: (id: string) => readonly Json[];
  readonly names: (id: string) => Json;
  readonly done?: string;
}

const continued = (id: string): Json => ({ thread: { type: 'continue', previous_message_id: id } });
const GIVEN: Readonly<Record<string, Given>> = {
  'a thread of Claude': {
    path: MESSAGES,
    asks: { thread: { type: 'create' } },
    whole: (id) => ({ ...MESSAGE, id }),
    streamed: (id) => [{ ...START, message: { ...START.message, id } }, ...end('Yes')],
    names: continued,
  },
  'a member of Messages that no list names': {
    path: MESSAGES,
    asks: {},
    whole: (id) => ({ ...MESSAGE, memory: { handle: id } }),
    streamed: (id) => [{ ...START, message: { ...START.message, memory: { handle: id } } }, ...end('Yes')],
    names: (memory_ref) => ({ memory_ref }),
  },
  'a member of a chat completion': {
    path: CHAT,
    asks: {},
    whole: (conversation_id) => ({ ...ANSWERS[CHAT], conversation_id }),
    streamed: (conversation_id) => [{ ...CHUNK, conversation_id, choices: [DELTA] }],
    names: (conversation_id) => ({ conversation_id }),
    done: 'data: [DONE]\n\n',
  },
  'a chat completion that the provider keeps': {
    path: CHAT,
    asks: { thread: 'new' },
    whole: (id) => ({ ...ANSWERS[CHAT], id }),
    streamed: (id) => [{ ...CHUNK, id, choices: [DELTA] }],
    names: continued,
    done: 'data: [DONE]\n\n',
  },
  'a member of a Gemini response': {
    path: GEMINI,
    asks: {},
    whole: (id) => ({ candidates: [CANDIDATE], interaction: { id } }),
    streamed: (id) => [{ candidates: [CANDIDATE], interaction: { id } }],
    names: (previousInteractionId) => ({ previousInteractionId }),
  },
  'a member of a response': {
    path: RESPONSES,
    asks: {},
    whole: (id) => ({ ...ANSWERS[RESPONSES], checkpoint: { id } }),
    streamed: (id) => [
      { type: 'response.completed', sequence_number: 0, response: { ...ANSWERS[RESPONSES], checkpoint: { id } } },
    ],
    names: (checkpoint) => ({ checkpoint }),
  },
};

async function receive(key: string, { path, asks, whole, streamed, done }: Given, id: string, isStream: boolean) {
  if (isStream) streams(streamed(id), done);
  else answersWith(whole(id));
  const at = isStream ? path.replace(':generateContent', ':streamGenerateContent?alt=sse') : path;
  const reply = await call(key, at, { ...BODIES[path], ...asks, ...(isStream && path !== GEMINI && { stream: true }) });
  expect([reply.status, reply.text.includes(id)]).toEqual([200, true]);
  answersWith(ANSWERS[path] as Json);
  forgetSent();
}

const CASES = Object.entries(GIVEN).flatMap(([name, given]) => [
  [name, 'a whole response', given] as const,
  [name, 'a stream', given] as const,
]);

test.each(CASES)('the id of %s in %s belongs to the key that received it', async (_, how, given) => {
  const [one, other] = [await keyOf(), await keyOf()];
  const id = fresh('msg');
  await receive(one, given, id, how === 'a stream');
  const body = { ...BODIES[given.path], ...given.names(id) };
  expect([(await call(other, given.path, body)).status, sent]).toEqual([404, []]);
  expect((await call(one, given.path, body)).status).toBe(200);
});

test('an id is sent to no other provider than the one that returned it', async () => {
  const key = await keyOf();
  const id = fresh('conv');
  await receive(key, GIVEN['a member of a chat completion'] as Given, id, false);
  const body = { ...BODIES[CHAT], conversation_id: id };
  expect([(await call(key, CHAT, { ...body, model: 'cohere/command' })).status, sent]).toEqual([404, []]);
  failsWith(503);
  expect((await call(key, CHAT, { ...body, model: 'with-fallback' })).status).toBe(502);
  const models = () => new Set(sent.map((one) => JSON.parse(one).model));
  expect(models()).toEqual(new Set(['gpt-4o']));
  await call(key, CHAT, { ...BODIES[CHAT], model: 'with-fallback' });
  expect(models()).toEqual(new Set(['gpt-4o', 'command']));
});

test('an id that a request itself contains is not bound to its key', async () => {
  const [one, other] = [await keyOf(), await keyOf()];
  answersWith({ ...ANSWERS[CHAT], thread: { id: 'shared_2' } });
  expect((await call(one, CHAT, { ...BODIES[CHAT], thread_id: 'shared_2' })).status).toBe(200);
  expect((await call(other, CHAT, { ...BODIES[CHAT], thread_id: 'shared_2' })).status).toBe(200);
});

describe('a thread of Claude', () => {
  test('is listed as skipped and reserves the context of the model', async () => {
    const key = await keyOf({ tokenLimit: { tokens: 20_000, period: 'hour' } });
    const id = fresh('msg');
    await receive(key, GIVEN['a thread of Claude'] as Given, id, false);
    const body = { ...BODIES[MESSAGES], ...continued(id) };
    expect((await call(key, MESSAGES, body)).status).toBe(400);
    const large = await keyOf();
    await receive(large, GIVEN['a thread of Claude'] as Given, fresh('msg'), true);
    const own = fresh('msg');
    await receive(large, GIVEN['a thread of Claude'] as Given, own, false);
    const { status, skipped } = await call(large, MESSAGES, { ...BODIES[MESSAGES], ...continued(own) });
    expect([status, skipped]).toEqual([200, ['thread: earlier turns']]);
  });

  test('cannot be continued from a response that was blocked, and its client sends the conversation again', async () => {
    const key = await keyOf();
    const id = fresh('msg');
    streams([{ ...START, message: { ...START.message, id } }, ...end('Well. SVC-TEST-BLOCK-7f3a')]);
    const asks = {
      ...BODIES[MESSAGES],
      stream: true,
      thread: { type: 'create' },
      diagnostics: { previous_message_id: null },
    };
    expect((await call(key, MESSAGES, asks)).text).toContain('"stop_reason":"refusal"');
    answersWith(MESSAGE);
    forgetSent();
    const { status, error } = await call(key, MESSAGES, { ...BODIES[MESSAGES], ...continued(id) });
    expect([status, error.details, sent]).toEqual([404, { error_code: 'thread_not_found' }, []]);
    // It may still be compared with, as clients do with each last response.
    const again = { ...BODIES[MESSAGES], thread: { type: 'create' }, diagnostics: { previous_message_id: id } };
    expect((await call(key, MESSAGES, again)).status).toBe(200);
  });

  test.each(['gpt-4o', 'gemini/gemini-2.5-flash'])(
    'is refused by name for %s, so that its client omits it',
    async (model) => {
      for (const thread of [{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }]) {
        const { status, error } = await call(await someKey(), MESSAGES, { ...BODIES[MESSAGES], model, thread });
        expect([status, error.param, error.details, sent]).toEqual([
          400,
          'thread',
          { error_code: 'thread_unsupported_request' },
          [],
        ]);
      }
    },
  );
});
