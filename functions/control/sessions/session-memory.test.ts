import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SessionMemory } from './session-memory.ts';
import type { SessionState } from './suspicion.ts';

const NOW = 1_795_231_800_000;
const keys = (...peppers: string[]) => ({
  hashes: async (text: string) => peppers.map((pepper) => `${pepper} ${text}`),
});
const S = { keyId: 'key_1', name: 's' };
const memoryOf = (state?: SessionState, ref: Parameters<typeof SessionMemory.of>[0] = S, secrets = keys('p')) =>
  SessionMemory.of(ref, state, secrets);
const nothing = { seen: [], typed: [], occurred: [] };

async function learned(news: Partial<typeof nothing> | object, known?: SessionState, secrets = keys('p')) {
  const memory = await memoryOf(known, S, secrets);
  return memory.learn({ ...nothing, ...news })?.(known, NOW);
}

describe('the memory of a session', () => {
  it('knows what it learned, and shows no text of it', async () => {
    const state = await learned({ seen: ['a@evil.test'], occurred: ['rule'] });
    const memory = await memoryOf(state);
    expect([memory.has('a@evil.test'), memory.has('b@evil.test')]).toEqual([true, false]);
    expect([memory.hasOccurred('rule'), memory.hasOccurred('other')]).toEqual([true, false]);
    expect(JSON.stringify(state)).not.toMatch(/evil|rule/);
  });

  it('is of no other session, key, end user or secret', async () => {
    const state = await learned({ seen: ['a@evil.test'] });
    for (const ref of [
      { keyId: 'key_2', name: 's' },
      { keyId: 'key_1', name: 't' },
      { keyId: 'key_1', endUserId: 's', sessionId: 's' },
    ])
      expect((await memoryOf(state, ref)).has('a@evil.test')).toBe(false);
    expect((await memoryOf(state, S, keys('q'))).has('a@evil.test')).toBe(false);
    // While the secret is being changed, both are known.
    expect((await memoryOf(state, S, keys('q', 'p'))).has('a@evil.test')).toBe(true);
  });

  it('changes nothing if nothing is new', async () => {
    const state = await learned({ seen: ['a', 'b'], occurred: ['rule'] });
    expect(await learned({ seen: ['b'], occurred: ['rule'], typed: ['c'] }, state)).toBeUndefined();
  });

  it('loses a value that the user types', async () => {
    const state = await learned({ seen: ['a', 'b'] });
    const memory = await memoryOf(await learned({ typed: ['a'] }, state));
    expect([memory.has('a'), memory.has('b')]).toEqual([false, true]);
  });

  it('keeps the score, and a change of another request', async () => {
    const memory = await memoryOf(undefined);
    const change = memory.learn({ ...nothing, seen: ['a'] });
    const other = (await learned({ seen: ['b'] })) as SessionState;
    const state = change?.({ ...other, highest: 0.7, flaggedAt: NOW }, NOW) as SessionState;
    const both = await memoryOf(state);
    expect([both.has('a'), both.has('b'), state.highest, state.flaggedAt]).toEqual([true, true, 0.7, NOW]);
  });

  it('is bounded: the latest stay', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.nat(2000), { maxLength: 128 }), { maxLength: 12 }), async (requests) => {
        let state: SessionState | undefined;
        for (const [at, values] of requests.entries())
          state = (await learned({ seen: values.map((one) => `${at} ${one}`) }, state)) ?? state;
        expect(state?.values?.length ?? 0).toBeLessThanOrEqual(256);
        const memory = await memoryOf(state);
        const last = requests.findLastIndex((values) => values.length > 0);
        for (const one of requests[last] ?? []) expect(memory.has(`${last} ${one}`)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
