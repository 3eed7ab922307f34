import { describe, expect, it } from '@jest/globals';
import { type ItemStore, type NewItems, ResponseCache } from '../control/stored-items/index.ts';
import { ResponseSealer } from '../kernel/crypto/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { readJsonDocument } from '../kernel/json/index.ts';
import { TEST_KEY } from '../kernel/model/api-key.fixture.ts';
import type { ChatDelta, RequestRecord } from '../kernel/model/index.ts';
import { finish, neverPausing } from '../kernel/tasks/index.ts';
import { type ChatProvider, loadApi } from '../translation/index.ts';
import { pipelineDeps } from './pipeline-deps.fixture.ts';
import { runChat } from './run-chat.ts';
import { runningRequest } from './running-request.fixture.ts';

type Response = Awaited<ReturnType<ChatProvider['complete']>>;
const clock = { now: () => 0, monotonic: () => 0 };
const KEY = { ...TEST_KEY, policy: { cache: true } } as const;
const REDACTING = {
  ...KEY,
  policy: { ...KEY.policy, rules: [{ id: 'flower', literals: ['heliotrope'], action: 'redact' as const }] },
};

async function* streamOf<Part>(...parts: readonly Part[]): AsyncGenerator<Part, void> {
  yield* parts;
}

const whole = (content: string): Response => ({
  kind: 'native',
  body: JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  }),
});
const deltasOf = (text: string): ChatDelta[] => [
  { type: 'start', id: 'msg_1', model: 'm' },
  { type: 'text', choice: 0, text },
  { type: 'finish', choice: 0, reason: 'stop' },
  { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } },
];
const stream = (text: string): Response => ({ kind: 'translated-stream', deltas: streamOf(deltasOf(text)) });

/** Providers that return these responses in turn, over one cache. */
function world(responses: readonly (Response | Error)[], find?: ResponseCache['find']) {
  const target = { identity: async () => '' };
  const entries = new Map<string, NewItems>();
  const store: ItemStore = {
    write: async (entry) => void entries.set(entry.name, entry),
    remove: async () => {},
    async *read(names) {
      for (const name of names) yield* [entries.get(name)].filter((entry) => entry !== undefined);
    },
  };
  const left = [...responses];
  const calls: string[] = [];
  const records: RequestRecord[] = [];
  const providerOf = (name: string): ChatProvider => ({
    name,
    serves: new Set(['openai-chat'] as const),
    isNative: (operation) => operation === 'openai-chat',
    complete: async () => {
      calls.push(name);
      const response = left.shift();
      if (response === undefined || response instanceof Error) throw response ?? new Error('called too often');
      return response;
    },
  });
  const cache = new ResponseCache(store, clock, neverPausing(), '1');
  const states = { requests: { admitted: true, remaining: 1, fullInMs: 1, nextInMs: 1 }, tokens: undefined };
  const deps = pipelineDeps(clock, {
    limiter: { admit: async () => ({ admitted: true, states, reservation: undefined }), peek: async () => states },
    providers: new Map([['a', providerOf('a')]]),
    records: { write: async (record) => void records.push(record) },
    targetIdentity: () => target.identity(),
    responseCache: {
      nameOf: (...of) => cache.nameOf(...of),
      find: find ?? ((...of) => cache.find(...of)),
      keep: (...of) => cache.keep(...of),
    },
  });
  /** Asks once, reads `pieces` of the response, and waits for what is stored. */
  const ask = async (key: typeof KEY | typeof REDACTING = KEY, streams = false, pieces = Number.POSITIVE_INFINITY) => {
    const { context, ...rest } = runningRequest({ key });
    const sealerFor = (name: string, salt?: Uint8Array) => new ResponseSealer('secret', name, salt);
    const request = { ...rest, context: { ...context, cacheSeconds: 60, sealerFor } };
    const body = { model: 'a/m', messages: [{ role: 'user', content: 'Hi' }], stream: streams };
    const source = runChat(request, readJsonDocument(JSON.stringify(body)), (await loadApi('openai-chat'))(), deps);
    const sent: string[] = [];
    for await (const batch of source) {
      sent.push(...batch);
      if (sent.length >= pieces) break;
    }
    await deps.backgroundTasks.idle();
    return { text: sent.join(''), cache: request.outcome.cache, note: request.outcome.internal };
  };
  return { ask, calls, entries, records, target };
}

describe('a stored response', () => {
  it.each([
    ['whole', false, whole],
    ['streamed', true, stream],
  ] as const)('is inspected again, %s: what a detector finds today is removed', async (_, streams, responseOf) => {
    const { ask, entries, calls } = world([responseOf('A heliotrope.'), responseOf('Red.')]);
    expect((await ask(KEY, streams)).text).toContain('heliotrope');
    // As if the rule were new, and the policy the same.
    const [[, entry]] = [...entries] as [[string, NewItems]];
    expect((await ask(REDACTING, streams)).cache).toBe('miss');
    const [name] = [...entries.keys()].slice(-1) as [string];
    const sealer = (of: string, salt?: Uint8Array) => new ResponseSealer('secret', of, salt);
    const text = finish(sealer(entry.name, entry.salt).open(entry.bytes));
    const moved = sealer(name);
    entries.set(name, { ...entry, name, salt: moved.salt, bytes: finish(moved.seal(text)) });
    const hit = await ask(REDACTING, streams);
    expect([hit.cache, calls.length]).toEqual(['hit', 2]);
    expect(hit.text).toMatch(/REDACTED/);
    expect(hit.text).not.toContain('heliotrope');
  });

  it('is recorded without a call, tokens and cost', async () => {
    const { ask, records } = world([whole('Fine.')]);
    await ask();
    await ask();
    expect(records.map(({ cache, attempts, tokens }) => [cache, attempts, tokens.input, tokens.output])).toEqual([
      ['miss', 1, 3, 4],
      ['hit', 0, 0, 0],
    ]);
    expect(records[1]).toMatchObject({ costUsd: 0, provider: 'a', model: 'm' });
  });
});

it('a stored response is for calls of the same address with the same credential', async () => {
  const { ask, target } = world([whole('Of one.'), whole('Of another.'), whole('Of nothing.')]);
  const identities = ['one', 'one', 'another', 'one', 'another'];
  const asked: unknown[] = [];
  for (const identity of identities) {
    target.identity = async () => identity;
    const { text, cache } = await ask();
    asked.push([cache, /Of \w+/.exec(text)?.[0]]);
  }
  expect(asked).toEqual([
    ['miss', 'Of one'],
    ['hit', 'Of one'],
    ['miss', 'Of another'],
    ['hit', 'Of one'],
    ['hit', 'Of another'],
  ]);
  target.identity = () => Promise.reject(new StoreUnavailable('away'));
  expect(await ask()).toMatchObject({ cache: undefined, text: expect.stringContaining('Of nothing') });
});

describe('a response is not stored', () => {
  it('if its stream was not read to its end', async () => {
    const parts = deltasOf('One two three.').map((delta) => [delta]);
    const { ask, entries } = world([{ kind: 'translated-stream', deltas: streamOf(...parts) }]);
    await ask(KEY, true, 1);
    expect(entries.size).toBe(0);
  });

  it('if it is larger than 4 MiB', async () => {
    const { ask, entries } = world([whole('x'.repeat(4_300_000)), stream('x'.repeat(4_300_000))]);
    await ask();
    await ask(KEY, true);
    expect(entries.size).toBe(0);
  });

  it('if the policy changed it', async () => {
    const { ask, entries } = world([whole('A heliotrope.'), stream('A heliotrope.')]);
    for (const streams of [false, true]) expect((await ask(REDACTING, streams)).text).toMatch(/REDACTED/);
    expect(entries.size).toBe(0);
  });
});

it('a cache that cannot be read is not used', async () => {
  const { ask, calls } = world([whole('Fine.')], async () => {
    throw new StoreUnavailable('away');
  });
  expect(await ask()).toMatchObject({ cache: undefined, note: expect.stringContaining('cached response not read') });
  expect(calls).toEqual(['a']);
});
