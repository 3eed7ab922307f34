import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '../../support/mock-upstream/behaviour.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError, type Reply } from '../reply.ts';
import { PROVIDER_TIMEOUT_MS, type ProviderSettings } from '../service.ts';

/** Two providers of OpenAI's protocol, both of them the mock, and a way from one to the other. */
export const FLAKY_AND_STEADY = {
  routes: JSON.stringify([
    {
      models: 'safe',
      targets: [{ provider: 'flaky', model: 'm' }],
      fallbacks: [{ provider: 'steady', model: 'm' }],
    },
  ]),
  providers: (settings: ProviderSettings) => ({
    ...settings,
    SVC_PROVIDERS: 'flaky, steady',
    FLAKY_BASE_URL: settings.OPENAI_BASE_URL,
    STEADY_BASE_URL: settings.OPENAI_BASE_URL,
  }),
};

const AT_ONCE: Behaviour = { status: 503, headers: { 'retry-after': '0' } };
const ATTEMPTS = 3;
/** Requests in a row that open a circuit, and for how long (architecture.md, "Outside calls"). */
const FAILURES = 5;
const OPEN_MS = 15_000;

/** What a provider's failures cost its callers, and how they are spared. By one process, which has seen them all. */
export function resilienceContract(contract: Contract): void {
  beforeEach(() => contract.upstream.reset());
  const reached = () => contract.upstream.requests.length;
  const route = ({ headers }: Pick<Reply, 'headers'>) => headers.get('x-svc-route');
  const flaky = () => contract.chat(saying('Hi', 'flaky/m'));
  const safe = () => contract.chat(saying('Hi', 'safe'));
  const failing = async (ask: () => Promise<Reply>, attempts = ATTEMPTS) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) contract.upstream.next(AT_ONCE);
    return ask();
  };
  const recordOf = async (reply: Reply) => {
    const id = reply.headers.get('x-request-id');
    const find = ({ json }: Reply) => json?.data?.find((record: { id: string }) => record.id === id);
    return find(await contract.settled(() => contract.analytics('/requests'), find));
  };

  describe('a temporary failure', () => {
    test('is retried no sooner than the provider allows', async () => {
      contract.upstream.next({ status: 503, headers: { 'retry-after': '1' } });
      const startedAt = performance.now();
      const reply = await flaky();
      expect([reply.status, reached(), route(reply)]).toEqual([200, 2, 'flaky/m;provider_error, flaky/m']);
      // A timer of Node's may fire within the last millisecond.
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(999);
    });

    test.each([
      [503, 502],
      [429, 429],
    ])('is not waited for where the provider says longer than five seconds (%i)', async (status, told) => {
      contract.upstream.next({ status, headers: { 'retry-after': '6' } });
      const reply = await flaky();
      expect([reply.status, reached(), reply.headers.get('retry-after')]).toEqual([told, 1, '6']);
      contract.upstream.next({ status, headers: { 'retry-after': '6' } });
      const spared = await safe();
      expect([spared.status, reached()]).toEqual([200, 3]);
      expect(route(spared)).toBe(`flaky/m;${status === 429 ? '429' : 'provider_error'}, steady/m`);
    });

    test.each<[string, Behaviour, boolean, string]>([
      ['a stream that broke off', { failure: 'reset-mid-stream' }, true, 'provider_error'],
      ['a stream that ended in an error', { failure: 'error-event' }, true, 'provider_error'],
      ['a stream that fell silent', { failure: 'stall-mid-stream' }, true, 'provider_timeout'],
      ['a whole answer that broke off', { failure: 'reset-mid-stream' }, false, 'provider_error'],
      ['a whole answer that fell silent', { failure: 'stall-mid-stream' }, false, 'provider_timeout'],
    ])('is not tried again, and nowhere else, where an answer had begun: %s', async (_, behaviour, stream, code) => {
      contract.upstream.next({ text: 'one two three', afterChunks: 3, ...behaviour });
      const text = (await contract.chat({ ...saying('Hi', 'safe'), stream })).text;
      expect(text).toContain(`"code":"${code}"`);
      expect(reached()).toBe(1);
    });

    test.each([[false], [true]])(
      'is silence before the first byte: the fallback answers (stream: %j)',
      async (stream) => {
        contract.upstream.next({ failure: 'stall-before-head' });
        const startedAt = performance.now();
        const reply = await contract.chat({ ...saying('Hi', 'safe'), stream });
        expect([reply.status, reached(), route(reply)]).toEqual([200, 2, 'flaky/m;provider_timeout, steady/m']);
        expect(performance.now() - startedAt).toBeGreaterThanOrEqual(PROVIDER_TIMEOUT_MS - 1);
      },
    );

    test('does not end a slow stream that is never silent for long', async () => {
      contract.upstream.next({ pieces: Array(8).fill('word '), delayMs: PROVIDER_TIMEOUT_MS / 6 });
      const { content, done } = await contract.stream(saying('Hi', 'flaky/m'));
      expect([content, done]).toEqual(['word '.repeat(8), true]);
    });
  });

  describe('a provider that keeps failing', () => {
    test('gets no requests after five failures, then a trial, and all again after its success', async () => {
      expect((await flaky()).status).toBe(200);
      for (let request = 1; request <= FAILURES; request += 1) {
        expectError(await failing(flaky), 'provider_error');
        expect(reached()).toBe(1 + request * ATTEMPTS);
      }
      const openedBefore = performance.now();
      contract.upstream.reset();

      const left = await flaky();
      expectError(left, 'provider_error');
      expect([reached(), route(left), left.headers.get('retry-after')]).toEqual([0, 'flaky/m;open', '15']);
      expect(await recordOf(left)).toMatchObject({ state: 'failed', status: 502, provider: 'flaky', attempts: 0 });
      const spared = await safe();
      expect([spared.status, reached(), route(spared)]).toEqual([200, 1, 'flaky/m;open, steady/m']);
      expect(await recordOf(spared)).toMatchObject({ state: 'completed', provider: 'steady', attempts: 1 });
      const stream = await contract.stream(saying('Hi', 'safe'));
      expect([stream.content, route(stream)]).toEqual(['Hi', 'flaky/m;open, steady/m']);

      contract.upstream.reset();
      await untilTried(openedBefore, async () => {
        // One that fails opens it again at once: five in a row are needed no more.
        const tried = await failing(flaky);
        return tried.headers.get('x-svc-route') !== 'flaky/m;open';
      });
      const triedBefore = performance.now();
      expect(reached()).toBe(ATTEMPTS);
      contract.upstream.reset();
      expect(route(await flaky())).toBe('flaky/m;open');
      expect(reached()).toBe(0);

      await untilTried(triedBefore, async () => (await flaky()).status === 200);
      expect(reached()).toBe(1);
      for (let request = 1; request <= FAILURES - 1; request += 1) await failing(flaky);
      expect(route(await flaky())).toBe('flaky/m');
    });

    contract.testOf(
      'requests at once',
      'refuses none of many that come at once, however slow it is after it has recovered',
      async () => {
        for (let request = 1; request <= FAILURES; request += 1) await failing(flaky);
        const openedBefore = performance.now();
        const slow = () => {
          for (let request = 0; request < 12; request += 1)
            contract.upstream.next({ text: 'Fine', headDelayMs: 1_000 });
        };
        let [spared, alone]: readonly [Reply[], Reply[]] = [[], []];
        await untilTried(openedBefore, async () => {
          slow();
          [spared, alone] = await Promise.all([several(4, safe), several(8, flaky)]);
          return alone.some(({ status }) => status === 200);
        });
        expect(alone.map(({ status }) => status)).toEqual(Array(8).fill(200));
        // One may be the trial.
        const waited = spared.filter((one) => route(one) === 'flaky/m;half_open, steady/m');
        expect(waited.length).toBeGreaterThanOrEqual(3);
        expect((await flaky()).status).toBe(200);
      },
    );

    test('is no longer called for its own model alone', async () => {
      for (let request = 1; request <= FAILURES; request += 1)
        await failing(() => contract.chat(saying('Hi', 'flaky/bad')));
      expect(route(await contract.chat(saying('Hi', 'flaky/bad')))).toBe('flaky/bad;open');
      expect(route(await contract.chat(saying('Hi', 'flaky/good')))).toBe('flaky/good');
      expect(route(await contract.chat({ ...saying('Hi', 'flaky/bad'), stream: true }))).toBe('flaky/bad;open');
    });
  });

  const several = (count: number, ask: () => Promise<Reply>) => Promise.all(Array.from({ length: count }, ask));

  /** Asks on until it is tried, which must be no sooner than the circuit may be. */
  async function untilTried(openSince: number, tried: () => Promise<boolean>): Promise<void> {
    while (!(await tried())) {
      contract.upstream.reset();
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(performance.now() - openSince).toBeGreaterThan(OPEN_MS - 1_000);
  }
}
