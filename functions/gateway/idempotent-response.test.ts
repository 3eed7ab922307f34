import { describe, expect, it } from '@jest/globals';
import { HeaderList, ReadHeaders } from '../core/base/request-headers.ts';
import { ResponseSealer } from '../core/base/response-sealer.ts';
import { type IdempotentRouteDeps, respondOnce } from './idempotent-response.ts';

/** What is stored for a first request, by how the request ended. */
async function storedAfter({ outcome, stopped }: { outcome: string; stopped?: string }) {
  const calls: string[] = [];
  const context = {
    key: { id: 'key_1', policy: {}, allowedModels: [] },
    route: '/v1/chat/completions',
    tracking: { endUserId: null },
    record: { known: { outcome } },
    lifetime: { stopped },
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
    { context, document: { text: '{}' } } as never,
    { idempotentResponses } as unknown as IdempotentRouteDeps,
    async () => ({ status: 200, headers: {}, body: 'Hello' }),
  );
  return calls;
}

describe('the response of a request with an Idempotency-Key', () => {
  it.each([
    [{ outcome: 'completed' }, ['stored Hello']],
    [{ outcome: 'blocked' }, ['stored Hello']],
    [{ outcome: 'failed' }, ['released']],
    [{ outcome: 'refused' }, ['released']],
    [{ outcome: 'completed', stopped: 'cancelled' }, ['released']],
    [{ outcome: 'completed', stopped: 'expired' }, ['released']],
  ])('that ends as %j: %j', async (end, calls) => {
    expect(await storedAfter(end)).toEqual(calls);
  });
});
