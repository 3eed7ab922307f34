import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from './contract.ts';
import { GITHUB_TOKEN } from './inspection/planted-secret.ts';
import { expectError, type Reply } from './reply.ts';

const CACHED = { 'x-svc-cache': 'ttl=3600' };
const CLAUDE = 'claude-sonnet-4-5';

/** The path and body of a call of an API, with a text of the user. */
type Call = readonly [name: string, of: (text: string, stream: boolean) => readonly [path: string, body: object]];

const callsAt = (model: string): Call[] => [
  [`chat at ${model}`, (text, stream) => ['/chat/completions', { ...saying(text, model), stream }]],
  [`responses at ${model}`, (input, stream) => ['/responses', { model, input, stream, store: false }]],
  [`messages at ${model}`, (text, stream) => ['/messages', { ...saying(text, model), stream, max_tokens: 50 }]],
  [
    `Gemini's API at ${model}`,
    (text, stream) => [
      `/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      { contents: [{ role: 'user', parts: [{ text }] }] },
    ],
  ],
];
/** Each API with streams, with a model of the same protocol and one of another. */
const CALLS: readonly Call[] = [
  ...callsAt('gpt-4o-mini'),
  ...callsAt(CLAUDE),
  ['completions', (prompt, stream) => ['/completions', { model: CLAUDE, prompt, stream }]],
];

/** Cached responses, which take the place of the provider's call. */
export function responseCacheContract(contract: Contract): void {
  let number = 0;
  const fresh = (word = 'Hello') => {
    number += 1;
    return `${word} ${number} of ${process.pid}`;
  };
  const statusOf = ({ headers }: Pick<Reply, 'headers'>) => headers.get('x-svc-cache-status');
  const requestsNow = () => contract.upstream.requests.length;
  const newKey = (fields: object = {}) => contract.newKey({ policy: { cache: true }, ...fields });
  const cachingKey = once(() => newKey({ permissions: ['chat_completions', 'completions'] }));
  /** Asks until the response comes from the cache: it is stored in a background task. */
  const untilHit = (ask: () => Promise<Reply>) => contract.settled(ask, (reply) => statusOf(reply) === 'hit');

  describe('the cache of responses', () => {
    test.each(CALLS)('returns the response to the same request again, whole and streamed: %s', async (_, callOf) => {
      const key = await cachingKey();
      for (const stream of [false, true]) {
        const [path, body] = callOf(fresh(), stream);
        // What was stored last counts: a request that comes before it is stored is a miss too.
        const misses: string[] = [];
        const ask = async () => {
          const reply = await contract.call(path, JSON.stringify(body), { key, headers: CACHED });
          if (statusOf(reply) === 'miss') misses.push(withoutIds(reply.text));
          return reply;
        };
        contract.upstream.next({ text: `Answer${number}` });
        const first = await ask();
        expect([first.status, statusOf(first)]).toEqual([200, 'miss']);
        expect(first.text).toContain(`Answer${number}`);
        const again = await untilHit(ask);
        const before = requestsNow();
        const hit = await ask();
        expect([hit.status, statusOf(hit), requestsNow()]).toEqual([200, 'hit', before]);
        expect(hit.headers.get('content-type')).toBe(first.headers.get('content-type'));
        for (const { text } of [again, hit]) expect(misses).toContain(withoutIds(text));
        expect(hit.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      }
    });

    test('is for the same request only', async () => {
      const key = await cachingKey();
      const text = fresh();
      const ask = (body: object, headers: Record<string, string> = {}) =>
        contract.chat(body, { key, headers: { ...CACHED, ...headers } });
      await untilHit(() => ask(saying(text)));
      const others: readonly (readonly [object, Record<string, string>])[] = [
        [{ ...saying(text), temperature: 0 }, {}],
        [{ ...saying(text), stream: true }, {}],
        [saying(text, 'gpt-4o'), {}],
        [saying(`${text} `), {}],
        [saying(text), { 'openai-organization': 'org-2' }],
        [saying(text), { 'x-svc-translation': 'strict' }],
      ];
      for (const [body, headers] of others)
        expect([body, headers, statusOf(await ask(body, headers))]).toEqual([body, headers, 'miss']);
    });

    test('is used only if the policy allows it, and the header asks for it', async () => {
      const text = fresh();
      const key = await cachingKey();
      await untilHit(() => contract.chat(saying(text), { key, headers: CACHED }));
      expect(statusOf(await contract.chat(saying(text), { key }))).toBeNull();
      expect(statusOf(await contract.chat(saying(text), { headers: CACHED }))).toBe('bypass');
      const off = await contract.newKey({ policy: { cache: false } });
      expect(statusOf(await contract.chat(saying(text), { key: off, headers: CACHED }))).toBe('bypass');
    });

    test.each(['3600', 'ttl=0', 'ttl=86401', 'ttl=1.5', 'ttl=-1', 'ttl=60, ttl=5', 'no-store', 'ttl=99999999999'])(
      'refuses X-Svc-Cache: %s',
      async (value) => {
        expectError(
          await contract.chat(saying('Hi'), { headers: { 'x-svc-cache': value } }),
          'invalid_value',
          'X-Svc-Cache',
        );
      },
    );

    test('is younger than the time that the request names', async () => {
      const key = await cachingKey();
      const text = fresh();
      await untilHit(() => contract.chat(saying(text), { key, headers: CACHED }));
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      expect(statusOf(await contract.chat(saying(text), { key, headers: { 'x-svc-cache': 'ttl=1' } }))).toBe('miss');
    });

    test('belongs to a key, or with `cache: "team"` to the keys of its team', async () => {
      const text = fresh();
      const ask = (key: string) => contract.chat(saying(text), { key, headers: CACHED });
      const newTeam = async () => (await contract.admin('POST', '/teams', { name: 'Shop' })).json.id as string;
      const [teamId, other] = [await newTeam(), await newTeam()];
      const own = await newKey({ teamId });
      await untilHit(() => ask(own));
      expect(statusOf(await ask(await newKey({ teamId })))).toBe('miss');
      const policy = { cache: 'team' };
      const shared = await newKey({ teamId, policy });
      expect(statusOf(await ask(shared))).toBe('miss');
      await untilHit(() => ask(shared));
      const [sharing, elsewhere, alone] = [
        await newKey({ teamId, policy }),
        await newKey({ teamId: other, policy }),
        await newKey({ policy }),
      ] as const;
      expect([statusOf(await ask(sharing)), statusOf(await ask(elsewhere)), statusOf(await ask(alone))]).toEqual([
        'hit',
        'miss',
        'miss',
      ]);
      // Limits and models of the key hold for a stored response.
      const bounded = await newKey({ teamId, policy, allowedModels: ['echo'] });
      expect((await ask(bounded)).status).toBe(403);
      const limited = await newKey({ teamId, policy, rateLimit: { requests: 1, period: 'day' } });
      expect([(await ask(limited)).status, (await ask(limited)).status]).toEqual([200, 429]);
    });

    test('ends with a change of the policy, and the request is inspected anew', async () => {
      const { id, key } = await contract.createKey({ policy: { cache: true } });
      const text = fresh();
      contract.upstream.next({ text: 'heliotrope' });
      const ask = () => contract.chat(saying(text), { key, headers: CACHED });
      await untilHit(ask);
      const rules = [{ id: 'flower', literals: ['heliotrope'], action: 'redact', surfaces: ['output'] }];
      await contract.admin('PATCH', `/keys/${id}`, { policy: { cache: true, rules } });
      contract.upstream.next({ text: 'heliotrope' });
      const reply = await contract.settled(ask, (one) => statusOf(one) === 'miss');
      expect(reply.text).not.toContain('heliotrope');
    });

    test('ends with a change of the credential', async () => {
      const value = `sk-cached-${'m3Vx7'.repeat(5)}`;
      const credential = { name: `Cache ${process.pid}`, provider: 'openai', value, keysOnly: true, skipTest: true };
      const { id } = (await contract.admin('POST', '/credentials', credential)).json;
      const { id: keyId, key } = await contract.createKey({ policy: { cache: true }, credentialId: id });
      const text = fresh();
      const ask = () => contract.chat(saying(text), { key, headers: CACHED });
      await untilHit(ask);
      const next = { value: value.replace('m3', 'n4'), graceSeconds: 0, skipTest: true };
      await contract.admin('POST', `/credentials/${id}/rotate`, next);
      await contract.settled(ask, (reply) => statusOf(reply) === 'miss');
      await untilHit(ask);
      await contract.admin('PATCH', `/keys/${keyId}`, { credentialId: null });
      await contract.settled(ask, (reply) => statusOf(reply) === 'miss');
      await contract.admin('DELETE', `/credentials/${id}`);
    });

    test('has no failure, and no response that the policy blocked or changed', async () => {
      const key = await cachingKey();
      const ask = (text: string, more: object = {}) =>
        contract.chat({ ...saying(text), ...more }, { key, headers: CACHED });
      const failing = fresh();
      contract.upstream.next({ status: 400 });
      expect((await ask(failing)).status).toBe(400);
      const changed = fresh();
      for (const stream of [false, true]) {
        contract.upstream.next({ failure: 'end-mid-stream' });
        await ask(failing, { stream: true });
        for (let at = 0; at < 3; at += 1) {
          contract.upstream.next({ text: `The token is ${GITHUB_TOKEN}.` });
          const reply = await ask(changed, { stream });
          expect([statusOf(reply), reply.text.includes(GITHUB_TOKEN)]).toEqual(['miss', false]);
        }
      }
      expect([statusOf(await ask(failing)), statusOf(await ask(failing, { stream: true }))]).toEqual(['miss', 'miss']);
      const blocked = await ask('SVC-TEST-BLOCK-7f3a');
      expect([blocked.status, statusOf(blocked)]).toEqual([400, 'bypass']);
    });

    test('is not used for what a provider keeps', async () => {
      const key = await cachingKey();
      const responses = (body: object) =>
        contract.call('/responses', JSON.stringify({ model: 'gpt-4o-mini', input: 'Hi', ...body }), {
          key,
          headers: CACHED,
        });
      expect(statusOf(await responses({}))).toBe('bypass');
      expect(statusOf(await responses({ store: true }))).toBe('bypass');
      expect(statusOf(await contract.chat({ ...saying('Hi'), store: true }, { key, headers: CACHED }))).toBe('bypass');
    });

    test('costs nothing, and is counted with what it saves', async () => {
      const { id: keyId, key } = await contract.createKey({
        policy: { cache: true },
        tokenLimit: { tokens: 1_000, period: 'day' },
        budget: { usd: 1, period: 'day' },
      });
      const text = fresh();
      const ask = (stream: boolean) =>
        contract.chat({ ...saying(text), stream, max_tokens: 20 }, { key, headers: CACHED });
      for (const stream of [false, true]) await untilHit(() => ask(stream));
      const used = (await contract.settledUsage(keyId)).json;
      for (const stream of [false, true, false, true]) expect(statusOf(await ask(stream))).toBe('hit');
      const after = (await contract.settledUsage(keyId)).json;
      expect([after.tokens.used, after.budget.usedUsd]).toEqual([used.tokens.used, used.budget.usedUsd]);
      const { json } = await contract.settled(
        () => contract.analytics(`/requests?keyId=${keyId}&cache=hit`),
        (reply) => reply.json?.data?.length >= 6,
      );
      for (const record of json.data) {
        expect(record).toMatchObject({ cache: 'hit', costUsd: 0, tokens: { input: 0, output: 0 }, attempts: 0 });
        expect(record.savedUsd).toBeGreaterThan(0);
      }
      const hits = json.data.length;
      const summary = await contract.settled(
        () => contract.analytics(`/summary?keyId=${keyId}`),
        (reply) => reply.json?.cache?.hits >= hits,
      );
      expect(summary.json.cache.misses).toBeGreaterThanOrEqual(2);
      expect(summary.json.cache.savedUsd).toBeGreaterThan(0);
    });
  });
}

function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A body without ids, times and `svc`, which belong to the request. */
function withoutIds(text: string): string {
  return text
    .replace(/"svc":\{.*?\}(?=[,}]*(?:\n|$|,"))/g, '"svc":{}')
    .replace(/"(?:id|item_id|message_id|responseId)":"[^"]*"/g, '"id":""')
    .replace(/"(?:created|created_at|completed_at)":\d+/g, '"created":0')
    .replace(/"processing_time_ms":[\d.]+/g, '"processing_time_ms":0')
    .replace(/"request_id":"[^"]*"/g, '"request_id":""')
    .replace(/"obfuscation":"[^"]*"/g, '"obfuscation":""');
}
