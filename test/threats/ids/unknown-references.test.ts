import './given-references.cases.ts';
import { describe, expect, test } from '@jest/globals';
import { byDayOrNight } from '../../support/night.ts';
import {
  ANSWERS,
  answersWith,
  BODIES,
  CHAT,
  COMPLETIONS,
  CONTENTS,
  call,
  fresh,
  GEMINI,
  type Json,
  keyOf,
  MESSAGES,
  RESPONSES,
  type Reply,
  sent,
  someKey,
  USER,
} from './unknown-references.ts';

/** The field at fault; Google's errors have it elsewhere. */
function paramOf({ error }: Reply): unknown {
  const details = error.details as [{ metadata?: Json }] | Json | undefined;
  return error.param ?? (Array.isArray(details) ? details[0]?.metadata?.param : undefined);
}
const PATHS = Object.keys(BODIES);

/** Members that no list names, with the field that errors name. */
const UNKNOWN: readonly [param: string, more: (id: string) => Json][] = [
  ['thread.previous_message_id', (id) => ({ thread: { type: 'continue', previous_message_id: id } })],
  ['Dialog.PreviousTurn', (id) => ({ Dialog: { type: 'continue', PreviousTurn: id } })],
  ['memory_handle', (memory_handle) => ({ memory_handle })],
  ['resume_from', (resume_from) => ({ resume_from })],
  ['sessionId', (sessionId) => ({ sessionId })],
  ['extra_body.parent', (parent) => ({ extra_body: { parent } })],
  ['warm_start', (warm_start) => ({ warm_start })],
];

const EACH = PATHS.flatMap((path) => UNKNOWN.map(([param, more]) => [path, param, more] as const));

describe('a reference that no list names', () => {
  test.each(
    byDayOrNight(
      EACH.filter((_, at) => at % 5 === 0),
      EACH,
    ),
  )('%s: %s is not forwarded unless this key received the id', async (path, param, more) => {
    answersWith(ANSWERS[path] as Json);
    const reply = await call(await someKey(), path, { ...BODIES[path], ...more(fresh('msg')) });
    expect([reply.status, paramOf(reply), sent]).toEqual([404, param, []]);
  });

  test.each([
    [CHAT, { ...BODIES[CHAT], conversation_id: 42 }],
    [CHAT, { ...BODIES[CHAT], id_slot: 3 }],
    [COMPLETIONS, { ...BODIES[COMPLETIONS], slotId: 0 }],
    [CHAT, { ...BODIES[CHAT], id_of_session: 7 }],
    [CHAT, { ...BODIES[CHAT], threadid: 'abc' }],
    [CHAT, { model: 'gpt-4o', messages: [{ ...USER, state: [['abc']] }] }],
    [CHAT, { model: 'gpt-4o', messages: [{ role: 'assistant', id: 'msg_other' }, USER] }],
    [CHAT, { ...BODIES[CHAT], knowledge: { base: 's3://bucket/file' } }],
    [
      CHAT,
      {
        model: 'gpt-4o',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'gs://b/o' } }] }],
      },
    ],
    [CHAT, { ...BODIES[CHAT], source: 'arn:aws:bedrock:eu-west-1:1:knowledge-base/x' }],
    [CHAT, { ...BODIES[CHAT], seed_from: '0b9d3c1e-6f0e-4c8e-9d55-0c8a4c1f7a11' }],
    [
      MESSAGES,
      { ...BODIES[MESSAGES], messages: [{ role: 'user', content: [{ type: 'message_reference', id: 'msg_other' }] }] },
    ],
    [GEMINI, { contents: CONTENTS, previous_interaction_id: 'v1_abc' }],
    [GEMINI, { contents: CONTENTS, tools: [{ corpus: { source: 'corpora/abc' } }] }],
    [RESPONSES, { ...BODIES[RESPONSES], tools: [{ type: 'document_library', library_ids: ['abc'] }] }],
    [RESPONSES, { ...BODIES[RESPONSES], input: [{ type: 'turn_reference', turn_ref: 'abc' }, USER] }],
  ] as [string, Json][])('%s: %j is not forwarded', async (path, body) => {
    answersWith(ANSWERS[path] as Json);
    expect([(await call(await someKey(), path, body)).status, sent]).toEqual([404, []]);
  });

  test('in a form is not forwarded', async () => {
    const form = new FormData();
    form.set('model', 'gpt-image-1');
    form.set('prompt', 'Hi');
    form.set('image', new Blob([Buffer.from('iVBORw0KGgo=', 'base64')], { type: 'image/png' }), 'a.png');
    form.set('parent_image_ref', 'img_other');
    expect([(await call(await someKey(), '/images/edits', form)).status, sent]).toEqual([404, []]);
  });

  test('is none where every provider that may be called takes it as a label', async () => {
    answersWith(ANSWERS[CHAT] as Json);
    const body = { ...BODIES[CHAT], session_id: 'session-1' };
    const reply = await call(await someKey(), CHAT, { ...body, model: 'openrouter/openai/gpt-4o' });
    expect([reply.status, reply.skipped, sent.map((one) => JSON.parse(one).session_id)]).toEqual([
      200,
      [],
      ['session-1'],
    ]);
    expect((await call(await someKey(), CHAT, body)).status).toBe(404);
  });

  test('with a listed prefix passes, is listed as skipped and reserves the context of the model', async () => {
    answersWith(ANSWERS[CHAT] as Json);
    const body = { ...BODIES[CHAT], max_tokens: 9, thread_id: 'shared_1' };
    const { status, skipped } = await call(await someKey(), CHAT, body);
    expect([status, skipped]).toEqual([200, ['thread_id: reference']]);
    const small = await keyOf({ tokenLimit: { tokens: 20_000, period: 'hour' } });
    expect((await call(small, CHAT, body)).status).toBe(400);
    expect((await call(small, CHAT, { ...BODIES[CHAT], max_tokens: 9 })).status).toBe(200);
  });
});

test.each([
  [CHAT, { top_a: 0.5, mirostat: 'v2', metadata: { thread_id: 'x' }, user: '0b9d3c1e-6f0e-4c8e-9d55-0c8a4c1f7a11' }],
  [CHAT, { cache: true, cache_mode: 'aggressive', num_threads: 4, cached_tokens: 12, stop_token_ids: [1, 2] }],
  [
    CHAT,
    { prompt_cache_key: 'user-1', safety_identifier: 'user-1', request_id: 'abc', cache_salt: 'abc', store: false },
  ],
  [
    CHAT,
    {
      structured_outputs: {
        json: { type: 'object', properties: { thread_id: { type: 'string' } }, required: ['thread_id'] },
      },
    },
  ],
  [
    CHAT,
    {
      tools: [
        {
          type: 'function',
          function: { name: 'f', parameters: { properties: { session: { default: 'abc_1234567890' } } } },
        },
      ],
    },
  ],
  [RESPONSES, { prompt_cache_key: 'user-1', metadata: { conversation_id: 'x' } }],
  [MESSAGES, { metadata: { user_id: 'x' }, cache_control: { type: 'ephemeral', ttl: '1h', scope: 'workspace' } }],
  [GEMINI, { labels: { thread_id: 'x' }, safetySettings: [], serviceTier: 'flex' }],
] as [string, Json][])('%s: harmless members pass byte by byte: %j', async (path, more) => {
  answersWith(ANSWERS[path] as Json);
  const body = { ...BODIES[path], ...more };
  expect([(await call(await someKey(), path, body)).status, sent]).toEqual([200, [JSON.stringify(body)]]);
});

const MODELS = { [CHAT]: 'gpt-4o', [MESSAGES]: 'claude-haiku-4-5', [GEMINI]: 'gemini-2.5-flash' };
const PAIRS = [CHAT, COMPLETIONS, RESPONSES, MESSAGES, GEMINI].flatMap((path) =>
  Object.entries(MODELS).flatMap(([api, model]) =>
    api === path || (api === CHAT && (path === RESPONSES || path === COMPLETIONS)) ? [] : [[path, model] as const],
  ),
);

test.each(PAIRS)('%s: with %s a reference is refused by name', async (path, model) => {
  const at = path === GEMINI ? path.replace('gemini-2.5-flash', model) : path;
  const body = { ...BODIES[path], ...(path !== GEMINI && { model }), memory_handle: 'shared_1' };
  const reply = await call(await someKey(), at, body);
  expect([reply.status, paramOf(reply), sent]).toEqual([400, 'memory_handle', []]);
});
