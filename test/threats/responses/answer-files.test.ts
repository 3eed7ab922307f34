import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Contract } from '../../contract/contract.ts';
import { startLocalProcess } from '../../contract/local-process.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';

/** A provider of any API with a configured response. */
let answer: string | readonly string[] = '';
const provider: Server = createServer(async (request, response) => {
  for await (const _ of request);
  const streams = typeof answer !== 'string';
  response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' });
  response.end(streams ? (answer as string[]).map((data) => `data: ${data}\n\n`).join('') : answer);
});

const contract = new Contract(async (settings) => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const own = { GEMINI_API_KEY: 'a-key', GEMINI_BASE_URL: url, OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url };
  return startLocalProcess({ ...settings, ...own }, WITHOUT_EVENTS);
}, {});
beforeAll(() => contract.start());
afterAll(async () => {
  await contract.stop();
  provider.close();
});

const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64');
const dataUrl = (text: string | Uint8Array, type = 'text/plain') => `data:${type};base64,${base64(text)}`;
const PNG = Buffer.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13);
const BLOCKED = 'All is well. SVC-TEST-BLOCK-7f3a And more.';
const REDACTED = 'All is well. SVC-TEST-REDACT-7f3a And more.';

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const user = { messages: [{ role: 'user', content: 'Make a file.' }] };
const gemini = (parts: object[], finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});
const inline = (text: string | Uint8Array, mimeType = 'text/csv') => ({ inlineData: { mimeType, data: base64(text) } });
const chat = (holder: 'message' | 'delta', fields: object, finish_reason: string | null) => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, [holder]: { role: 'assistant', content: 'Here.', ...fields }, finish_reason }],
});
const image = (url: string) => ({ images: [{ type: 'image_url', image_url: { url } }] });

const ask = (path: string, body: object) => contract.call(path, JSON.stringify(body));
const GEMINI = '/models/gemini-2.5-flash';
const contents = { contents: [{ role: 'user', parts: [{ text: 'Make a file.' }] }] };

/** Each API whose responses contain files: a provider's response with one, whole and streamed, and its place. */
const APIS = [
  {
    api: 'Gemini',
    whole: (text: string) => gemini([{ text: 'Here.' }, inline(text)], 'STOP'),
    events: (text: string) => [gemini([{ text: 'Here.' }]), gemini([inline(text)]), gemini([{ text: '' }], 'STOP')],
    ask: () => ask(`${GEMINI}:generateContent`, contents),
    stream: () => ask(`${GEMINI}:streamGenerateContent?alt=sse`, contents),
    field: 'candidates[0].content.parts[1].inlineData.data',
    streamed: 'candidates[0].content.parts[0].inlineData.data',
  },
  {
    api: 'chat',
    whole: (text: string) => ({ ...chat('message', image(dataUrl(text, 'image/svg+xml')), 'stop'), usage }),
    events: (text: string) => [chat('delta', image(dataUrl(text, 'image/svg+xml')), null), chat('delta', {}, 'stop')],
    ask: () => ask('/chat/completions', { model: 'gpt-4o-mini', ...user }),
    stream: () => ask('/chat/completions', { model: 'gpt-4o-mini', stream: true, ...user }),
    field: 'choices[0].message.images[0].image_url.url',
    streamed: 'choices[0].delta.images[0].image_url.url',
  },
  {
    api: 'messages',
    whole: (text: string) => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [
        {
          type: 'web_fetch_tool_result',
          tool_use_id: 's1',
          content: {
            type: 'web_fetch_result',
            url: 'https://a.example/',
            content: { type: 'document', source: { type: 'base64', media_type: 'text/html', data: base64(text) } },
          },
        },
      ],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
    ask: () => ask('/messages', { model: 'claude-sonnet-4-5', max_tokens: 20, ...user }),
    field: 'content[0].content.content.source.data',
  },
];
const STREAMING = APIS.filter(({ events }) => events !== undefined);

/** Each API whose responses name pictures and files by URL. */
const ADDRESSES = [
  {
    api: 'Gemini',
    of: (fileUri: string) => gemini([{ fileData: { fileUri, mimeType: 'image/png' } }], 'STOP'),
    ask: () => ask(`${GEMINI}:generateContent`, contents),
  },
  {
    api: 'chat',
    of: (url: string) => ({ ...chat('message', image(url), 'stop'), usage }),
    ask: () => ask('/chat/completions', { model: 'gpt-4o-mini', ...user }),
  },
  {
    api: 'images',
    of: (url: string) => ({ created: 1, data: [{ url }] }),
    ask: async () => {
      const key = await contract.newKey({ permissions: ['images'] });
      const body = JSON.stringify({ model: 'dall-e-3', prompt: 'A cat' });
      return contract.call('/images/generations', body, { key });
    },
  },
];

describe('a URL in a response', () => {
  const address = (text: string) => `https://x.example/?q=${encodeURIComponent(text)}&a=1%2F2`;

  test.each(ADDRESSES)('of $api is decoded for inspection, and encoded again', async ({ of, ask }) => {
    answer = JSON.stringify(of(address(REDACTED)));
    const { json, text } = await ask();
    expect(json.svc.action).toBe('redact');
    expect(text).toContain(encodeURI('https://x.example/?q=All is well. [REDACTED_TEST_TEXT] And more.'));
  });

  test.each(ADDRESSES)('of $api passes unchanged without findings', async ({ of, ask }) => {
    for (const url of [
      address('All is well.'),
      'https://b.example/a.png?se=2026-01-01T00%3A00%3A00Z&sig=q5%2Bx9Zl%3D',
    ]) {
      answer = JSON.stringify(of(url));
      const { svc, ...rest } = (await ask()).json;
      expect([svc.action, rest]).toEqual(['allow', of(url)]);
    }
  });
});

describe('a file in a response', () => {
  test.each(APIS)('of $api is inspected like text, and blocked', async ({ whole, ask, field }) => {
    answer = JSON.stringify(whole(BLOCKED));
    const { status, json, text } = await ask();
    expect([status, json.svc.action]).toEqual([200, 'block']);
    expect(json.svc.detected_threats[0].location).toMatchObject({ part: 'output', field });
    expect(text).not.toContain(base64(BLOCKED));
  });

  test.each(APIS)('of $api is written again with redactions', async ({ whole, ask }) => {
    answer = JSON.stringify(whole(REDACTED));
    const { json, text } = await ask();
    expect(json.svc.action).toBe('redact');
    expect(text).toContain(base64('All is well. [REDACTED_TEST_TEXT] And more.'));
  });

  test.each(APIS)('of $api passes unchanged without findings', async ({ whole, ask }) => {
    answer = JSON.stringify(whole('A, B'));
    const { json } = await ask();
    const { svc, ...rest } = json;
    expect([svc.action, svc.coverage.skipped]).toEqual(['allow', []]);
    expect(rest).toEqual(whole('A, B'));
  });

  test.each(STREAMING)('of a stream of $api is inspected before it is sent', async ({ events, stream, streamed }) => {
    answer = [...(events?.(BLOCKED) ?? []).map((event) => JSON.stringify(event)), '[DONE]'];
    const { text } = (await stream?.()) ?? {};
    expect(text).not.toContain(base64(BLOCKED));
    expect(text).toContain(`"field":"${streamed}"`);
    expect(text).toContain('"action":"block"');
  });

  test('with bytes that are not text is inspected and listed', async () => {
    const bytes = Buffer.concat([Buffer.from('504b0304ffffffffffffffffffffffffffff00', 'hex'), Buffer.from(BLOCKED)]);
    answer = JSON.stringify(gemini([{ text: 'Here.' }, inline(bytes, 'application/octet-stream')], 'STOP'));
    const { json } = await ask(`${GEMINI}:generateContent`, contents);
    expect(json.svc.action).toBe('block');
    expect(json.svc.detected_threats[0].location.field).toBe('candidates[0].content.parts[1].inlineData.data');
  });

  test('in an unsupported charset is listed', async () => {
    answer = JSON.stringify(gemini([{ text: 'Here.' }, inline('Hi +-', 'text/plain; charset=utf-7')], 'STOP'));
    const { json } = await ask(`${GEMINI}:generateContent`, contents);
    expect(json.svc.coverage.skipped).toEqual(['candidates[0].content.parts[1].inlineData.data: file']);
  });

  test('with a picture is listed', async () => {
    answer = JSON.stringify(gemini([{ text: 'Here.' }, inline(PNG, 'image/png')], 'STOP'));
    const { json } = await ask(`${GEMINI}:generateContent`, contents);
    expect(json.svc.coverage.skipped).toEqual(['candidates[0].content.parts[1].inlineData.data: image']);
  });
});
