import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startLocalProcess } from '../../contract/local-process.ts';
import type { Service } from '../../contract/service.ts';
import type { Answer } from '../../fidelity/upstream.ts';
import {
  CLOSING_HEADS,
  type ClosingServer,
  type RawResponse,
  startClosingServer,
} from '../../support/closing-server.ts';
import { someByDay } from '../../support/night.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { ANSWERS, APIS, type ResponseApi } from '../responses/answer-formats.ts';

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
    { GEMINI_API_KEY: 'k', GEMINI_BASE_URL: url, ...WITHOUT_EVENTS },
  );
  const permissions = ['chat_completions', 'completions', 'embeddings', 'images', 'audio'];
  const rateLimit = { requests: 1_000_000, period: 'hour' };
  const response = await fetch(`${service.adminUrl}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'closing', permissions, rateLimit }),
  });
  key = ((await response.json()) as { key: string }).key;
});
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
async function readSlowly({ path, body, type = 'application/json' }: ResponseApi, lane: number): Promise<string> {
  const { port, hostname } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  await once(socket, 'connect');
  const text = body(lane);
  const head = [
    `POST ${path(lane)} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${key}`,
    `content-type: ${type}`,
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

describe.each([...ANSWERS, ['speech', SPEECH.whole, SPEECH] as const].map((each, at) => [...each, at] as const))(
  '%s, if the provider closes',
  (_, answer, api, at) => {
    test.each(someByDay(CLOSING_HEADS, 3, at))('after a response %s', async (name, head) => {
      const response = await ask(api, laneOf(answer(JSON.stringify(SAID)), head, PADDING_BYTES));
      const text = await response.text().catch(() => 'cut');
      // A stream, or audio, may have reached the client before the connection breaks.
      const isStarted = answer !== api.whole || api === SPEECH;
      if (!isCut(name)) expect([response.status, text]).toEqual([200, expect.stringContaining(SAID)]);
      else expect(isStarted ? [200, 502] : [502]).toContain(response.status);
    });
  },
);

/** Their events with a text may come many times. */
const DELTAS = ['chat', 'completions', 'messages', 'gemini', 'transcriptions'] as const;

describe.each(DELTAS.map((name, at) => [name, at] as const))('a stream of %s, if the provider closes', (name, at) => {
  const api = { ...(APIS[name] as ResponseApi), ...APIS[name]?.streamed } as ResponseApi;
  const answer = api.stream as NonNullable<ResponseApi['stream']>;
  const textOf = (response: Response) => response.text();

  /** A stream whose inspection takes longer than its arrival. */
  function streamOf(bytes: number): Answer {
    const { body, type } = answer(JSON.stringify(SAID));
    const events = String(body).split('\n\n');
    const at = events.findIndex((event) => event.includes(SAID));
    const delta = String(events[at]).replace(SAID, 'word '.repeat(400)).replace('"finishReason":"STOP",', '');
    events.splice(at, 0, ...Array(Math.ceil(bytes / delta.length)).fill(delta));
    return { body: events.join('\n\n'), type };
  }

  const heads = [0, 2, 6].map((at) => CLOSING_HEADS[at] as (typeof CLOSING_HEADS)[number]);
  test.each(someByDay(heads, 1, at))('while the gateway inspects: after a response %s', async (_, head) => {
    // The gateway reads no further while 256 KB wait. The end must arrive just then, so sizes differ by less than it reads at once.
    const sizes = Array.from({ length: 5 }, (_, at) => (280 + at * 48) * 1024);
    const lanes = sizes.map((bytes) => laneOf(streamOf(bytes), head, 0));
    const responses = await Promise.all(lanes.map((lane) => ask(api, lane)));
    for (const text of await Promise.all(responses.map(textOf))) expect(text).toContain(SAID);
  });

  test('while its client reads slowly', async () => {
    const [, head] = CLOSING_HEADS[0] as (typeof CLOSING_HEADS)[number];
    expect(await readSlowly(api, laneOf(streamOf(FORWARDED_BYTES), head, 0))).toContain(SAID);
  });

  test('four times at once', async () => {
    const [, head] = CLOSING_HEADS[0] as (typeof CLOSING_HEADS)[number];
    const lane = laneOf(answer(JSON.stringify(SAID)), head, LARGE_BYTES);
    const responses = await Promise.all([1, 2, 3, 4].map(() => ask(api, lane)));
    for (const text of await Promise.all(responses.map(textOf))) expect(text).toContain(SAID);
  });
});
