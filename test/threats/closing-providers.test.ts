import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startLocalProcess } from '../contract/local-process.ts';
import type { Service } from '../contract/service.ts';
import type { Answer } from '../fidelity/upstream.ts';
import { CLOSING_HEADS, type ClosingServer, type RawResponse, startClosingServer } from '../support/closing-server.ts';
import { ANSWERS, APIS, type ResponseApi } from './answer-formats.ts';

const SAID = 'marmalade';
/** More than waits for the gateway's inspection, so that it stops reading before the provider's end arrives. */
const PADDING_BYTES = 1024 * 1024;
const LARGE_BYTES = 3 * 1024 * 1024;
/** Text that the gateway inspects and forwards. */
const FORWARDED_BYTES = 1024 * 1024;

const SPEECH: ResponseApi = {
  path: () => '/v1/audio/speech',
  body: (lane) => JSON.stringify({ model: `tts-w${lane}`, input: 'Hi', voice: 'alloy' }),
  whole: (said) => ({ body: JSON.parse(said), type: 'audio/mpeg' }),
};

let provider: ClosingServer;
let service: Service;
let key = '';
/** The provider's responses by the lane in the request's model. */
const lanes: RawResponse[] = [];

beforeAll(async () => {
  provider = await startClosingServer((request) => lanes[Number(/-w(\d+)/.exec(request)?.[1])] as RawResponse);
  const url = provider.url;
  service = await startLocalProcess(
    { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url },
    { GEMINI_API_KEY: 'k', GEMINI_BASE_URL: url },
  );
  const permissions = ['chat_completions', 'completions', 'embeddings', 'images', 'audio'];
  const rateLimit = { requests: 1_000_000, period: 'hour' };
  const response = await fetch(`${service.adminUrl}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'closing', permissions, rateLimit }),
  });
  key = ((await response.json()) as { key: string }).key;
}, 120_000);
afterAll(async () => {
  await service.stop();
  await provider.close();
});
afterEach(() => {
  expect([service.exitCode?.(), service.logs().includes('process failed')]).toEqual([null, false]);
});

/** The response with bytes before it that the API ignores, if it ignores any. */
function padded({ body, type }: Answer, bytes: number): Buffer {
  if (type === 'text/event-stream') return Buffer.from(`${': filler\n\n'.repeat(bytes / 10)}${body}`);
  if (type === 'application/json') return Buffer.from(`${' '.repeat(bytes)}${body}`);
  return Buffer.from(`${body}${'x'.repeat(bytes)}`);
}

/** A lane whose provider responds so. */
function laneOf(answer: Answer, head: (bytes: number, type: string) => string, bytes: number): number {
  const body = padded(answer, bytes);
  return lanes.push({ head: head(body.length, `content-type: ${answer.type}`), body }) - 1;
}

function ask({ path, body, type = 'application/json' }: ResponseApi, lane: number): Promise<Response> {
  return fetch(service.baseUrl.replace(/\/v1$/, '') + path(lane), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body: body(lane),
  });
}

/** The response in small pieces with pauses between them. */
async function readSlowly({ path, body }: ResponseApi, lane: number): Promise<string> {
  const { port, hostname } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  await once(socket, 'connect');
  const text = body(lane);
  const head = [
    `POST ${path(lane)} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${text.length}`,
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
  let received = '';
  for await (const piece of socket) {
    received += piece;
    await pause(5);
  }
  return received;
}

const isCut = (head: string) => /fewer|last chunk/.test(head);

describe.each([...ANSWERS, ['speech', SPEECH.whole, SPEECH] as const])(
  '%s, if the provider closes',
  (_, answer, api) => {
    test.each(CLOSING_HEADS)('after a response %s', async (name, head) => {
      const response = await ask(api, laneOf(answer(JSON.stringify(SAID)), head, PADDING_BYTES));
      const text = await response.text().catch(() => 'cut');
      // A stream, or audio, may have reached the client before the connection breaks.
      const isStarted = answer !== api.whole || api === SPEECH;
      if (!isCut(name)) expect([response.status, text]).toEqual([200, expect.stringContaining(SAID)]);
      else expect(isStarted ? [200, 502] : [502]).toContain(response.status);
    });
  },
);

describe('a stream of chat, if the provider closes', () => {
  const api = { ...(APIS.chat as ResponseApi), ...APIS.chat?.streamed } as ResponseApi;
  const answer = api.stream as NonNullable<ResponseApi['stream']>;

  test.each(CLOSING_HEADS)('while its client reads slowly: after a response %s', async (_, head) => {
    // Each event is forwarded, so that the client's slowness reaches the provider.
    const [event = ''] = String(answer(JSON.stringify('word '.repeat(400))).body).split('\n\n');
    const events = `${event}\n\n`.repeat(FORWARDED_BYTES / event.length);
    const { body, type } = answer(JSON.stringify(SAID));
    // The stream's last event is complete, whatever follows.
    expect(await readSlowly(api, laneOf({ body: events + body, type }, head, 0))).toContain('[DONE]');
  });

  test('four times at once', async () => {
    const [, head] = CLOSING_HEADS[0] as (typeof CLOSING_HEADS)[number];
    const lane = laneOf(answer(JSON.stringify(SAID)), head, LARGE_BYTES);
    const responses = await Promise.all([1, 2, 3, 4].map(() => ask(api, lane)));
    for (const response of responses) expect(await response.text()).toContain(SAID);
  });
});
