import { describe, expect, it } from '@jest/globals';
import { BackgroundTasks } from '../core/base/background-tasks.ts';
import { StoreUnavailable } from '../core/base/errors.ts';
import { HeaderList } from '../core/base/request-headers.ts';
import { newTrace } from '../core/base/request-trace.ts';
import type { Scheduler } from '../core/base/steps.ts';
import { toWebResponse } from '../core/http/to-web-response.fixture.ts';
import { mintApiKey } from '../core/keys/api-key-format.ts';
import type { Used } from '../core/limits/limiter.ts';
import type { RequestRecord } from '../core/model/analytics.ts';
import { type ApiKey, createKeySchema } from '../core/model/api-key.ts';
import { pipelineDeps } from '../core/pipeline/pipeline-deps.fixture.ts';
import { RunningStreams } from '../core/pipeline/running-streams.ts';
import { CHAT_PROTOCOL } from '../core/protocols/openai-chat/chat-protocol.ts';
import { SPEECH_PROTOCOL } from '../core/protocols/openai-speech/speech-protocol.ts';
import { CHAT_PROTOCOLS, type Protocol } from '../core/protocols/protocol.ts';
import type { ChatCall, ChatProvider } from '../core/routing/provider.ts';
import { ArrivingBodies } from './arriving-bodies.ts';
import { type Generation, type GenerationRouteDeps, generationRoute } from './pipeline-routes.ts';

const KEY_CHECK_MS = 5;
const REQUEST_ID = `req_${'a'.repeat(32)}`;

interface WorldOptions {
  readonly maxRequestMs?: number;
  readonly asSpeech?: boolean;
  /** The provider sends nothing until it is cancelled. */
  readonly isSilent?: boolean;
  readonly stream?: boolean;
  readonly firstByteMs?: number;
  /** What changes of the key while the body arrives. */
  readonly whileBodyArrives?: Partial<ApiKey>;
  /** The body arrives when this resolves. */
  readonly bodyArrives?: Promise<void>;
  readonly maxConcurrent?: number | null;
  /** In a member that no API defines. */
  readonly values?: readonly number[];
  readonly scheduler?: Scheduler;
}

/** A route with a provider that sends `word` forever, at the speed of its reader: as chat, or as the bytes of speech. */
function world(options: WorldOptions = {}) {
  const { maxRequestMs = 600_000, asSpeech = false, isSilent, stream = true, firstByteMs } = options;
  const { whileBodyArrives, bodyArrives, maxConcurrent = 50, values, scheduler } = options;
  const clock = { now: () => 0, monotonic: () => 0 };
  const settled: Used[] = [];
  const records: RequestRecord[] = [];
  const calls: ChatCall[] = [];
  const provider: ChatProvider = {
    name: 'endless',
    serves: new Set([...CHAT_PROTOCOLS, 'openai-speech' as const]),
    complete: async (call) => {
      calls.push(call);
      if (isSilent) {
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
        throw call.signal.reason;
      }
      async function* bytes() {
        for (;;) yield Buffer.from('word');
      }
      if (asSpeech) return { kind: 'media', mediaType: 'audio/mpeg', bytes: bytes() };
      async function* deltas() {
        for (;;) yield [{ type: 'text' as const, choice: 0, text: 'word ' }];
      }
      return { kind: 'translated-stream', deltas: deltas() };
    },
  };
  const states = { requests: { admitted: true, remaining: 1, fullInMs: 1, nextInMs: 1 }, tokens: undefined };
  const settle = async (used: Used) => void settled.push(used);
  const deps = pipelineDeps(clock, {
    limiter: {
      admit: async () => ({ admitted: true, states, reservation: { settle } }),
      peek: async () => states,
    },
    providers: new Map([['endless', provider]]),
    records: { write: async (record) => void records.push(record) },
    ...(scheduler && { scheduler }),
  });
  const runningStreams = new RunningStreams({ ...deps, store: undefined, backgroundTasks: new BackgroundTasks() });
  const secret = mintApiKey();
  let isAway = false;
  const uses: string[] = [];
  let key: ApiKey = {
    ...createKeySchema.parse({ name: 'a key', maxConcurrent }),
    id: 'key_1',
    state: 'active',
    last4: 'abcd',
    createdAt: '2026-01-01T00:00:00.000Z',
    secretHash: 'hash',
  };
  const chat = {
    method: 'POST',
    path: '/v1/chat/completions',
    permission: 'chat_completions',
    protocol: async () => CHAT_PROTOCOL,
  } as const;
  const speech = {
    method: 'POST',
    path: '/v1/audio/speech',
    permission: 'chat_completions',
    protocol: async () => SPEECH_PROTOCOL as Protocol<unknown>,
  } as const;
  const generation: Generation<unknown> = asSpeech ? speech : (chat as unknown as Generation<unknown>);
  const route = generationRoute(generation, {
    ...deps,
    authenticator: {
      keys: {
        find: async () => {
          if (isAway) throw new StoreUnavailable('keys');
          return key;
        },
      },
      hasher: { hashes: async () => ['hash'], isSealed: () => true },
      uses: { note: () => void uses.push(secret) },
      clock,
    },
    defaultPolicy: { settings: async () => ({}) },
    arriving: new ArrivingBodies(clock),
    maxBodyBytes: 10_000,
    keepaliveMs: 10_000,
    maxRequestMs,
    keyCheckMs: KEY_CHECK_MS,
    runningStreams,
  } as unknown as GenerationRouteDeps);
  const body = Buffer.from(
    JSON.stringify({
      model: 'endless/m',
      ...(asSpeech ? { input: 'Hi' } : { stream, messages: [{ role: 'user', content: 'Hi' }], values }),
    }),
  );
  const request = {
    method: 'POST',
    url: 'http://gateway/v1/chat/completions',
    headers: new HeaderList([
      ['authorization', `Bearer ${secret}`],
      ['content-type', 'application/json'],
    ]),
    bytes: async () => {
      await bodyArrives;
      key = { ...key, ...whileBodyArrives };
      return body;
    },
  };
  const ask = async () => {
    const response = await route.handle({
      request,
      context: { clientAddress: '', firstByteMs },
      requestId: REQUEST_ID,
      params: {},
      startedAt: 0,
      trace: newTrace(),
      recorded: () => {},
    });
    return toWebResponse(response);
  };
  const cancel = () => runningStreams.cancel({ keyId: 'key_1', requestId: REQUEST_ID }, new AbortController().signal);
  const over = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await deps.backgroundTasks.idle();
  };
  const change = (fields: Partial<ApiKey>) => {
    key = { ...key, ...fields };
  };
  const storeIsAway = (away: boolean) => {
    isAway = away;
  };
  return { ask, cancel, over, settled, records, calls, change, storeIsAway, uses };
}

describe('a stream that is no longer read', () => {
  it('is settled and recorded when it is cancelled; a late reader gets the error', async () => {
    const { ask, cancel, over, settled, records, calls } = world();
    const response = await ask();
    await over();
    expect([settled, records]).toEqual([[], []]);
    expect(await cancel()).toBe(true);
    await over();
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(settled).toEqual([{ tokens: expect.any(Number), nanoUsd: 0 }]);
    expect(records).toMatchObject([
      {
        state: 'cancelled',
        status: 200,
        errorCode: 'request_cancelled',
        tokens: { input: 1, output: expect.any(Number) },
      },
    ]);
    expect(settled[0]?.tokens).toBe((records[0]?.tokens.input ?? 0) + (records[0]?.tokens.output ?? 0));
    const text = await response.text();
    expect(text).toMatch(/word .*request_cancelled[^\n]*\n\n$/s);
    expect(text).not.toContain('[DONE]');
  });

  it('is settled and recorded when it exceeds the maximum duration', async () => {
    const { ask, over, settled, records } = world({ maxRequestMs: 50 });
    const response = await ask();
    while (records.length === 0) await over();
    expect(settled).toHaveLength(1);
    expect(records).toMatchObject([{ state: 'expired', status: 200, errorCode: 'provider_timeout' }]);
    expect(await response.text()).toMatch(/provider_timeout[^\n]*\n\n$/);
  });

  it('is settled and recorded once when its client leaves, and can no longer be cancelled', async () => {
    const { ask, cancel, over, settled, records } = world();
    const response = await ask();
    await response.body?.cancel();
    await over();
    expect(settled).toHaveLength(1);
    expect(records).toMatchObject([{ state: 'cancelled', status: 200, errorCode: 'request_cancelled' }]);
    expect(await cancel()).toBe(false);
  });
});

describe('a response that begins later than the front door waits', () => {
  // Five seconds of it are the margin.
  const firstByteMs = 5_030;

  it('is an error that says what to do, and its call of the provider ends', async () => {
    const { ask, over, records, calls } = world({ isSilent: true, stream: false, firstByteMs });
    const response = await ask();
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect([response.status, error.code]).toEqual([504, 'provider_timeout']);
    expect(error.message).toMatch(/5\.03 seconds.*"stream": true.*distribution\.readTimeoutSeconds/);
    expect(response.headers.get('x-should-retry')).toBe('false');
    await over();
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(records).toMatchObject([{ state: 'expired', status: 504 }]);
  });

  it.each([{ asSpeech: true }, { stream: true }])('is not ended once it has begun: %j', async (options) => {
    const { ask, cancel, over, records } = world({ ...options, firstByteMs });
    const response = await ask();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([response.status, records]).toEqual([200, []]);
    await cancel();
    await response.body?.cancel();
    await over();
  });
});

describe('bytes that are no longer read', () => {
  it('are settled and recorded once when their client leaves, and can no longer be cancelled', async () => {
    const { ask, cancel, over, settled, records, calls } = world({ asSpeech: true });
    const response = await ask();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    await response.body?.cancel();
    await over();
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(settled).toEqual([{ tokens: 4, nanoUsd: 0 }]);
    expect(records).toMatchObject([{ state: 'cancelled', status: 200, tokens: { input: 1, output: 3 } }]);
    expect(await cancel()).toBe(false);
  });

  it.each([
    ['cancelled', 'request_cancelled'],
    ['expired', 'provider_timeout'],
  ])('are broken off without a text when they are %s', async (state, errorCode) => {
    const { ask, cancel, over, settled, records } = world({
      asSpeech: true,
      ...(state === 'expired' && { maxRequestMs: 50 }),
    });
    const response = await ask();
    if (state === 'cancelled') expect(await cancel()).toBe(true);
    while (records.length === 0) await over();
    expect(settled).toHaveLength(1);
    expect(records).toMatchObject([{ state, status: 200, errorCode }]);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});

describe('a request whose key is no longer accepted', () => {
  const MESSAGE = 'The request was cancelled: its API key is no longer valid for it.';
  const CHANGES: [change: string, fields: Partial<ApiKey>][] = [
    ['revoked', { state: 'revoked' }],
    ['disabled', { state: 'disabled' }],
    ['expired', { expiresAt: '1970-01-01T00:00:00.000Z' }],
    ['rotated, and the grace of its secret is over', { secretHash: 'new' }],
    ['without the permission', { permissions: ['audio'] }],
    ['without the address', { ipWhitelist: ['10.0.0.0/8'] }],
  ];

  it.each(CHANGES)('ends as a stream, is settled and recorded as cancelled: %s', async (_, fields) => {
    const { ask, over, settled, records, calls, change } = world();
    const response = await ask();
    change(fields);
    await until(() => calls[0]?.signal.aborted === true);
    await over();
    expect(settled).toHaveLength(1);
    expect(records).toMatchObject([{ state: 'cancelled', status: 200, errorCode: 'request_cancelled' }]);
    const last = (await response.text()).trim().split('\n\n').at(-1);
    expect(JSON.parse(last?.replace('data: ', '') ?? '')).toMatchObject({
      error: { code: 'request_cancelled', message: MESSAGE },
    });
  });

  it.each(CHANGES)('is refused when its body has arrived: %s', async (_, fields) => {
    const { ask, over, records, calls, settled } = world({ whileBodyArrives: fields });
    const { status } = await ask();
    await over();
    expect([401, 403]).toContain(status);
    expect([calls, settled]).toEqual([[], []]);
    expect(records).toMatchObject([{ state: 'failed', status }]);
  });

  it('ends before its response', async () => {
    for (const stream of [false, true]) {
      const { ask, over, records, change } = world({ isSilent: true, stream });
      const asked = ask();
      await new Promise((resolve) => setTimeout(resolve, 3 * KEY_CHECK_MS));
      change({ state: 'revoked' });
      const response = await asked;
      const status = 499;
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ error: { code: 'request_cancelled', message: MESSAGE } });
      await over();
      expect(records).toMatchObject([{ state: 'cancelled', status, errorCode: 'request_cancelled' }]);
    }
  });

  it('breaks off a response of bytes', async () => {
    const { ask, over, records, calls, change } = world({ asSpeech: true });
    const response = await ask();
    change({ state: 'revoked' });
    await until(() => calls[0]?.signal.aborted === true);
    await over();
    expect(records).toMatchObject([{ state: 'cancelled', status: 200 }]);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('is none while the key is valid, or cannot be read', async () => {
    const { ask, cancel, calls, change, storeIsAway, uses } = world();
    const response = await ask();
    change({
      retiredSecrets: [{ hash: 'hash', last4: 'abcd', validUntil: '2030-01-01T00:00:00Z' }],
      secretHash: 'new',
    });
    await new Promise((resolve) => setTimeout(resolve, 10 * KEY_CHECK_MS));
    change({ state: 'revoked' });
    storeIsAway(true);
    await new Promise((resolve) => setTimeout(resolve, 10 * KEY_CHECK_MS));
    expect(calls[0]?.signal.aborted).toBe(false);
    // A check is no use of the key.
    expect(uses).toHaveLength(1);
    storeIsAway(false);
    await until(() => calls[0]?.signal.aborted === true);
    await cancel();
    await response.text();
  });

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, KEY_CHECK_MS));
  }
});

describe('bodies of one key that arrive at the same time', () => {
  const MOST = 50;
  const asking = (count: number, maxConcurrent: number | null) => {
    const arrival = Promise.withResolvers<void>();
    const { ask } = world({ bodyArrives: arrival.promise, maxConcurrent, asSpeech: true });
    const asked = Array.from({ length: count }, ask);
    const statuses = async () => {
      arrival.resolve();
      const all = [...(await Promise.all(asked)), await ask()];
      // A request runs as long as its response is not read.
      await Promise.all(all.map(({ body, bodyUsed }) => bodyUsed || body?.cancel()));
      return all.map(({ status }) => status);
    };
    return { first: Promise.race(asked), statuses };
  };

  it.each([1, 10, MOST])(
    'are as many as requests may run, and 50 at least: maxConcurrent %j',
    async (maxConcurrent) => {
      const { first, statuses } = asking(MOST + 1, maxConcurrent);
      const refusal = await first;
      expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await refusal.json()).toMatchObject({
        error: { code: 'rate_limit_exceeded', details: { limit: maxConcurrent, remaining: 0 } },
      });
      expect((await statuses()).filter((status) => status === 429)).toHaveLength(1);
    },
  );

  it.each([MOST + 10, null])('are not refused below the limit: maxConcurrent %j', async (maxConcurrent) => {
    expect(await asking(MOST + 10, maxConcurrent).statuses()).not.toContain(429);
  });
});

describe('a request with very many values', () => {
  it('lets other requests run while references are searched in it', async () => {
    const pausesWith = async (count: number) => {
      let [passedMs, pauses] = [0, 0];
      // Each step takes as long as a slice.
      const scheduler: Scheduler = {
        cpuMs: () => 0,
        monotonic: () => {
          passedMs += 5;
          return passedMs;
        },
        nextTurn: async () => {
          pauses += 1;
        },
      };
      const { ask, over, calls } = world({
        isSilent: true,
        stream: false,
        firstByteMs: 5_100,
        values: Array(count).fill(1),
        scheduler,
      });
      await ask();
      await over();
      expect(calls).toHaveLength(1);
      return pauses;
    };
    expect((await pausesWith(10 * 256)) - (await pausesWith(0))).toBeGreaterThanOrEqual(10);
  });
});
