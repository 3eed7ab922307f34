import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { readResponseEvents } from '../../../functions/translation/protocols/openai-responses/responses-events.fixture.ts';
import { type Behaviour, type Failure, mockHeader } from './behaviour.ts';
import { FIXED_PIECES, FIXED_TEXT } from './fixed-text.ts';
import type { Provider as AnyProvider } from './provider-request.ts';
import { startMockUpstream } from './start-mock-upstream.ts';

type Provider = Exclude<AnyProvider, 'responses'>;
const PROVIDERS: Provider[] = ['openai', 'anthropic'];
const PATHS = { openai: '/v1/chat/completions', anthropic: '/v1/messages' };
const TEXT = 'Grüezi,  schöne 🦊 Welt\n';
const messages = [{ role: 'user' as const, content: TEXT }];

const upstream = await startMockUpstream();
const openai = new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey: 'sk-mock-secret-0000', maxRetries: 0 });
beforeEach(() => upstream.reset());
afterAll(() => upstream.close());

function ask(provider: Provider, body: object, behaviour?: Behaviour, signal?: AbortSignal): Promise<Response> {
  return fetch(upstream.url + PATHS[provider], {
    method: 'POST',
    headers: { authorization: 'Bearer sk-mock-secret-0000', ...(behaviour && mockHeader(behaviour)) },
    body: JSON.stringify({ model: 'mock-echo', max_tokens: 100, messages, ...body }),
    signal: signal ?? null,
  });
}

// biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely
async function jsonOf(response: Response | Promise<Response>): Promise<any> {
  return (await response).json();
}

/** The JSON of every `data:` line but `[DONE]`. */
// biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely
function events(sse: string): any[] {
  const data = sse.split('\n').filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]');
  return data.map((line) => JSON.parse(line.slice('data: '.length)));
}

function textDeltas(sse: string): string[] {
  return events(sse)
    .map((event) => event.choices?.[0]?.delta.content ?? event.delta?.text ?? '')
    .filter((text) => text !== '');
}

async function readUntilFailure(response: Response): Promise<{ text: string; failed: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes as Uint8Array, { stream: true });
    return { text, failed: false };
  } catch {
    return { text, failed: true };
  }
}

describe.each(PROVIDERS)('%s', (provider) => {
  it('returns the last user text, whole and split by words', async () => {
    const whole = await jsonOf(ask(provider, {}));
    expect(provider === 'openai' ? whole.choices[0].message.content : whole.content[0].text).toBe(TEXT);
    const sse = await (await ask(provider, { stream: true })).text();
    expect(textDeltas(sse)).toEqual(['Grüezi,  ', 'schöne ', '🦊 ', 'Welt\n']);
  });

  it('sends the same bytes with any chunking', async () => {
    const raw = `data: {"text":"${TEXT.trim()}"}\r\n\r\ndata: [DONE]\r\n\r\n`;
    const headers = mockHeader({ raw, bytesPerWrite: 1 });
    // Unlike fetch, node:http never joins what came as two HTTP chunks.
    const asking = request(upstream.url + PATHS[provider], { method: 'POST', headers }).end('{"stream":true}');
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const received: Buffer[] = [];
    response.on('data', (bytes: Buffer) => received.push(bytes));
    await once(response, 'end');
    expect(Buffer.concat(received).toString()).toBe(raw);
    expect(received.map((bytes) => bytes.length)).toEqual(Array(Buffer.byteLength(raw)).fill(1));
  });

  it.each([400, 401, 403, 404, 429, 500, 503, 529])("refuses with %i in its API's format", async (status) => {
    const response = await ask(provider, {}, { status, headers: { 'x-ratelimit-limit-requests': '500' } });
    const { error } = await jsonOf(response);
    expect(response.status).toBe(status);
    expect(error).toMatchObject({ type: expect.any(String), message: expect.stringMatching(/./) });
    expect(response.headers.get('retry-after')).toBe(status === 429 ? '7' : null);
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('500');
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  const MID_STREAM: [Failure, failed: boolean][] = [
    ['reset-mid-stream', true],
    ['fin-mid-stream', true],
    ['end-mid-stream', false],
    ['half-event', false],
    ['error-event', false],
  ];
  it.each(MID_STREAM)('breaks a stream off with %s', async (failure, failed) => {
    const behaviour = { pieces: ['one ', 'two ', 'three'], failure };
    const read = await readUntilFailure(await ask(provider, { stream: true }, behaviour));
    expect(read.failed).toBe(failed);
    expect(read.text).toContain('one ');
    expect(read.text).not.toContain('three');
    expect(read.text).not.toMatch(/\[DONE\]|message_stop/);
    if (failure === 'half-event') expect(() => events(read.text)).toThrow();
    if (failure === 'error-event') expect(events(read.text).at(-1)).toHaveProperty('error.message');
    await upstream.idle();
    expect(upstream.requests[0]?.closedEarly).toBe(false);
  });

  it.each(['reset-mid-stream', 'fin-mid-stream', 'end-mid-stream', 'garbage'] as const)(
    'leaves a whole body unusable with %s',
    async (failure) => {
      await expect(ask(provider, {}, { failure }).then((response) => response.json())).rejects.toThrow();
    },
  );

  it('puts garbage into a stream and continues', async () => {
    const sse = await (await ask(provider, { stream: true }, { failure: 'garbage' })).text();
    expect(() => events(sse)).toThrow();
    expect(sse).toMatch(/\[DONE\]|message_stop/);
  });

  it('resets a connection before the response', async () => {
    await expect(ask(provider, {}, { failure: 'reset-before-head' })).rejects.toThrow();
  });

  it.each(['stall-before-head', 'stall-mid-stream'] as const)('notices a client that leaves a %s', async (failure) => {
    const leave = new AbortController();
    const answer = ask(provider, { stream: true }, { failure }, leave.signal).then((response) => response.text());
    while (upstream.requests.length === 0) await sleep(5);
    expect(await Promise.race([answer, sleep(50, 'waiting')])).toBe('waiting');
    leave.abort();
    await expect(answer).rejects.toThrow();
    await upstream.idle();
    expect(upstream.requests[0]?.closedEarly).toBe(true);
  });

  it.each(['mock-fixed', 'mock-paced'])('returns %s identically prebuilt and built on request', async (model) => {
    for (const stream of [false, true]) {
      const shelf = await (await ask(provider, { model, stream })).text();
      const made = await (await ask(provider, { model, stream }, {})).text();
      const lasting = (text: string) =>
        text.replace(/(chatcmpl|msg)[-_]\w+|"created":\d+|"\w*(prompt|input|total)_tokens":\d+/g, '');
      expect(lasting(shelf)).toBe(lasting(made));
      if (stream) expect(textDeltas(shelf)).toEqual(FIXED_PIECES);
    }
  });
});

describe('openai, read by its client', () => {
  it('streams several choices, parallel tool calls, usage and unknown fields', async () => {
    const toolCalls = [
      { id: 'call_a', name: 'get_weather', arguments: '{"city":"Zürich 🏔"}' },
      { id: 'call_b', name: 'get_time', arguments: '{}' },
    ];
    upstream.next({ texts: ['first', 'second one'], toolCalls, usage: { prompt_tokens: 7 }, extra: { x_new: [1] } });
    const stream = openai.chat.completions.stream({
      model: 'gpt-any',
      messages,
      stream_options: { include_usage: true },
    });
    const reply = await stream.finalChatCompletion();
    expect(reply.choices.map(({ message }) => message.content)).toEqual(['first', 'second one']);
    expect(reply.choices.map((choice) => choice.finish_reason)).toEqual(['tool_calls', 'stop']);
    expect(reply.choices[0]?.message.tool_calls?.map((call) => 'function' in call && call.function)).toMatchObject(
      toolCalls.map(({ name, arguments: text }) => ({ name, arguments: text })),
    );
    expect(reply.usage).toMatchObject({ prompt_tokens: 7, total_tokens: 7 + (reply.usage?.completion_tokens ?? 0) });
    expect(reply).toHaveProperty('x_new', [1]);
  });

  it('sends a usage chunk only on request', async () => {
    for (const model of ['mock-echo', 'mock-fixed']) {
      expect(await (await ask('openai', { model, stream: true })).text()).not.toContain('usage');
      const asked = { model, stream: true, stream_options: { include_usage: true } };
      expect(events(await (await ask('openai', asked)).text()).at(-1)).toMatchObject({ choices: [], usage: {} });
      expect(await (await ask('openai', asked, { usage: null })).text()).not.toContain('usage');
    }
  });
});

describe('anthropic', () => {
  it('streams its events in their order, the tool input in pieces', async () => {
    const toolCalls = [{ id: 'toolu_1', name: 'get_weather', arguments: '{"city":"Zürich"}' }];
    const behaviour = { text: 'Let me see.', toolCalls, finishReason: 'length' };
    const all = events(await (await ask('anthropic', { stream: true }, behaviour)).text());
    const types = all.map((event) => event.type).filter((type, index, list) => type !== list[index - 1]);
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop'];
    const [start, ...rest] = block;
    expect(types).toEqual(['message_start', start, 'ping', ...rest, ...block, 'message_delta', 'message_stop']);
    expect(all.map((event) => event.delta?.partial_json ?? '').join('')).toBe(toolCalls[0]?.arguments);
    expect(all.at(-2).delta.stop_reason).toBe('max_tokens');
    const whole = await jsonOf(ask('anthropic', {}, { toolCalls }));
    expect(whole).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', input: { city: 'Zürich' } }],
    });
  });
});

describe('the mock itself', () => {
  it('follows the queue before the header before the model name', async () => {
    upstream.next({ status: 503 });
    const statuses: number[] = [];
    for (const header of [{ status: 404 }, { status: 404 }, undefined]) {
      statuses.push((await ask('openai', { model: 'mock-status-401' }, header)).status);
    }
    expect(statuses).toEqual([503, 404, 401]);
    await expect(ask('openai', { model: 'mock-failure-reset-before-head' })).rejects.toThrow();
  });

  it('records requests in order until it is reset', async () => {
    const body = '{ "model": "mock-fixed",  "messages": [] }';
    const headers = { 'x-seen': 'yes' };
    const response = await fetch(`${upstream.url}/v1/messages?beta=true`, { method: 'POST', headers, body });
    expect((await jsonOf(response)).content[0].text).toBe(FIXED_TEXT);
    expect(upstream.requests).toMatchObject([
      { method: 'POST', path: '/v1/messages?beta=true', headers, body, json: JSON.parse(body), closedEarly: false },
    ]);
    upstream.reset();
    expect(upstream.requests).toEqual([]);
  });

  it('waits before the head, before the first chunk and between chunks', async () => {
    const started = performance.now();
    const behaviour = { pieces: ['a', 'b'], headDelayMs: 60, firstChunkDelayMs: 60, delayMs: 20 };
    const response = await ask('openai', { stream: true }, behaviour);
    const headMs = performance.now() - started;
    await response.text();
    expect(headMs).toBeGreaterThanOrEqual(55);
    expect(performance.now() - started).toBeGreaterThanOrEqual(2 * 60 + 4 * 20 - 20);
  });

  it('reports an invalid behaviour, body or path instead of failing', async () => {
    const url = upstream.url + PATHS.openai;
    const post = async (to: string, body: string, headers = {}) =>
      (await fetch(to, { method: 'POST', body, headers })).status;
    expect(await post(url, '{}', { 'x-mock': 'no json' })).toBe(400);
    expect(await post(url, 'no json')).toBe(400);
    expect(await post(`${upstream.url}/v1/nothing`, '{}')).toBe(404);
    expect(await post(url, '{}', mockHeader({ headers: { 'x-bad': 'a\nb' } }))).toBe(500);
  });

  it('records nothing if recording is off, and closes during a stalled response', async () => {
    const other = await startMockUpstream({ record: false });
    other.next({ failure: 'stall-before-head' });
    const answer = fetch(other.url + PATHS.openai, { method: 'POST', body: '{}' });
    answer.catch(() => undefined);
    await sleep(30);
    await other.close();
    await expect(answer).rejects.toThrow();
    expect(other.requests).toEqual([]);
  });

  it('runs as a separate process, from its TypeScript, until SIGTERM', async () => {
    const node24 = fileURLToPath(new URL(`../../../node_modules/node-linux-${process.arch}/bin/node`, import.meta.url));
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const child = spawn(existsSync(node24) ? node24 : process.execPath, [main, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const url = /^ready (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
    const response = await fetch(url + PATHS.openai, { method: 'POST', body: '{"model":"mock-fixed"}' });
    expect((await jsonOf(response)).choices[0].message.content).toBe(FIXED_TEXT);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});

describe('the Responses API', () => {
  const calls = [{ id: 'call_1', name: 'f', arguments: '{"a":"b and c"}' }];

  it('is read by the official client, whole and streamed', async () => {
    upstream.next({ text: TEXT, toolCalls: calls, reasoning: 'So it is.' });
    const whole = await openai.responses.create({ model: 'm', input: 'Hi' });
    expect([whole.output_text, whole.output.map(({ type }) => type)]).toEqual([
      TEXT,
      ['reasoning', 'message', 'function_call'],
    ]);
    const streamed = await openai.responses
      .stream({ model: 'm', input: [{ role: 'user', content: TEXT }] })
      .finalResponse();
    expect([streamed.output_text, streamed.status]).toEqual([TEXT, 'completed']);
  });

  it('has the same content in its events and at the end', async () => {
    upstream.next({
      texts: [TEXT, 'And more.'],
      toolCalls: calls,
      reasoning: 'So it is.',
      items: [{ id: 'w', type: 'web_search_call' }],
    });
    const response = await fetch(`${upstream.url}/v1/responses`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', input: 'Hi', stream: true }),
    });
    const { faults, deltas } = readResponseEvents(events(await response.text()));
    // `svc` is the gateway's.
    expect(faults).toEqual(['svc stands elsewhere']);
    expect(Object.values(deltas)).toEqual(['So it is.', TEXT, 'And more.', '{"a":"b and c"}']);
  });
});
