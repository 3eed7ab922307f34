import { describe, expect, it } from '@jest/globals';
import { ResponseSealer } from '../kernel/crypto/index.ts';
import { HeaderList, ReadHeaders } from '../kernel/http/index.ts';
import { type IdempotentRouteDeps, respondOnce } from './idempotent-response.ts';

/** What is stored for a first request, by how the request ended. */
async function storedAfter({ isFinal, stopped }: { isFinal: boolean; stopped?: string }) {
  const calls: string[] = [];
  const context = {
    key: { id: 'key_1', policy: {}, allowedModels: [] },
    route: '/v1/chat/completions',
    tracking: { endUserId: null },
    sealerFor: (name: string) => new ResponseSealer('key', name),
  };
  const idempotentResponses = {
    begin: async () => ({
      keep: async ({ body }: { body: string }) => void calls.push(`stored ${body}`),
      release: async () => void calls.push('released'),
    }),
  };
  const headers = new ReadHeaders(new HeaderList([['idempotency-key', 'once']]));
  await respondOnce(
    { request: { method: 'POST', url: 'http://gateway/v1/chat/completions', headers } } as never,
    { running: { context, lifetime: { stopped } }, document: { text: '{}' } } as never,
    { idempotentResponses } as unknown as IdempotentRouteDeps,
    async () => ({ response: { status: 200, headers: {}, body: 'Hello' }, isFinal }),
  );
  return calls;
}

describe('the response of a request with an Idempotency-Key', () => {
  it.each([
    [{ isFinal: true }, ['stored Hello']],
    [{ isFinal: false }, ['released']],
    [{ isFinal: true, stopped: 'cancelled' }, ['released']],
    [{ isFinal: true, stopped: 'expired' }, ['released']],
  ])('that ends as %j: %j', async (end, calls) => {
    expect(await storedAfter(end)).toEqual(calls);
  });
});
