// Runs also where a test has fake timers.
import { setTimeout as pause } from 'node:timers/promises';
import { mintApiKey } from '../control/keys/index.ts';
import type { Need } from '../control/limits/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { HeaderList, newTrace } from '../kernel/http/index.ts';
import { toWebResponse } from '../kernel/http/to-web-response.fixture.ts';
import { type ApiKey, createKeySchema, type RequestRecord } from '../kernel/model/index.ts';
import { BackgroundTasks, type Scheduler } from '../kernel/tasks/index.ts';
import { RunningStreams } from '../pipeline/index.ts';
import { pipelineDeps } from '../pipeline/pipeline-deps.fixture.ts';
import { type ChatProvider, loadApi, ModelCatalog } from '../translation/index.ts';
import { ArrivingBodies } from './arriving-bodies.ts';
import { type Generation, type GenerationRouteDeps, generationRoute } from './pipeline-routes.ts';

type ChatCall = Parameters<ChatProvider['complete']>[0];

export const KEY_CHECK_MS = 5;
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
  /** That of the key; by default one in our format. */
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly policy?: ApiKey['policy'];
  readonly more?: Partial<Pick<GenerationRouteDeps, 'idempotentResponses' | 'responseCache'>>;
  readonly override?: () => Awaited<ReturnType<GenerationRouteDeps['override']['current']>>;
}

/** A route with a provider that sends `word` forever, at the speed of its reader: as chat, or as the bytes of speech. */
export function world(options: WorldOptions = {}) {
  const { maxRequestMs = 600_000, asSpeech = false, isSilent, stream = true, firstByteMs } = options;
  const { whileBodyArrives, bodyArrives, maxConcurrent = 50, values, scheduler } = options;
  const { override = () => undefined, secret = mintApiKey(), headers = {}, policy = {}, more } = options;
  const clock = { now: () => 0, monotonic: () => 0 };
  const settled: Need[] = [];
  const records: RequestRecord[] = [];
  const calls: ChatCall[] = [];
  const provider: ChatProvider = {
    name: 'endless',
    serves: new Set(['openai-chat', 'openai-speech'] as const),
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
  const settle = async (used: Need) => void settled.push(used);
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
  let isAway = false;
  const uses: string[] = [];
  let key: ApiKey = {
    ...createKeySchema.parse({ name: 'a key', maxConcurrent, policy }),
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
    api: () => loadApi('openai-chat'),
  } as const;
  const speech = {
    method: 'POST',
    path: '/v1/audio/speech',
    permission: 'chat_completions',
    api: () => loadApi('openai-speech'),
  } as const;
  const generation: Generation = asSpeech ? speech : chat;
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
      identities: { accepts: () => false },
      imported: { hashes: async () => ['hash'], mayHold: async () => true },
      clock,
    },
    defaultPolicy: { current: async () => ({ version: 0, settings: {}, createdAt: null, createdBy: null }) },
    override: { current: async () => override() },
    models: async () => new ModelCatalog(),
    arriving: new ArrivingBodies(clock),
    maxBodyBytes: 10_000,
    keepaliveMs: 10_000,
    maxRequestMs,
    keyCheckMs: KEY_CHECK_MS,
    runningStreams,
    ...more,
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
      ...Object.entries(headers),
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
    await pause(20);
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
