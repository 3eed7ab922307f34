import { describe, expect, test } from '@jest/globals';
import { GITHUB_TOKEN } from '../../contract/inspection/planted-secret.ts';
import type { Answer } from '../../fidelity/upstream.ts';
import { ANSWERS, APIS, jsonsIn, type ResponseApi, sse } from './answer-formats.ts';
import {
  ask,
  blockEvents,
  CHAT,
  CHAT_END,
  COMPLETIONS,
  eventsOf,
  FINE,
  GEMINI,
  joinedIn,
  LEAK,
  MARK,
  MESSAGES,
  RESPONSES,
  streamOf,
  variantsOf,
} from './answers.ts';

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
