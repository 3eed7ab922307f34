import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';
import { expectError, type Reply } from '../reply.ts';

/** What the services of these tests are started with. */
export const LONGEST = { SVC_MAX_REQUEST_MS: '1500' };

/** How a request ends that runs longer than a deployment lets it. */
export function longestRequestContract(contract: Contract): void {
  const ask = { ...saying('Go on'), max_tokens: 1_000 };
  const recordOf = async (id: string | null) => {
    const find = ({ json }: Reply) => json?.data?.find((record: { id: string }) => record.id === id);
    return find(await contract.settled(() => contract.analytics('/requests'), find));
  };
  const newKey = () => contract.newKey({ tokenLimit: { tokens: 5_000, period: 'month' } });
  const tokensLeft = async (key: string) =>
    (await contract.chat('{', { key })).headers.get('x-ratelimit-remaining-tokens');

  describe('a request that takes longer than is allowed', () => {
    test('ends its stream in one error event, at the provider too, and is settled', async () => {
      const key = await newKey();
      contract.upstream.next({ pieces: Array(600).fill('word '), delayMs: 100, usage: null });
      const stream = await contract.stream(ask, { key });
      expect([stream.status, stream.done, stream.finishReason]).toEqual([200, false, undefined]);
      expect(stream.content).toMatch(/^(?:word )+/);
      expect(stream.chunks.at(-1)).toEqual({
        error: {
          type: 'provider_error',
          code: 'provider_timeout',
          message: 'The response took longer than the gateway allows and was ended.',
          param: null,
        },
      });
      await contract.upstream.idle();
      expect(contract.sent.closedEarly).toBe(true);
      const record = await recordOf(stream.headers.get('x-request-id'));
      expect(record).toMatchObject({ state: 'expired', status: 200, errorCode: 'provider_timeout' });
      const { input, output } = record.tokens;
      expect([input > 0, output > 0, output < 100]).toEqual([true, true, true]);
      await contract.settled(
        () => contract.chat('{', { key }),
        ({ headers }) => headers.get('x-ratelimit-remaining-tokens') === String(5_000 - input - output),
      );
      expect(await tokensLeft(key)).toBe(String(5_000 - input - output));
    });

    test('is a 504 without a retry if nothing was sent, and counts what may have been billed', async () => {
      const key = await newKey();
      contract.upstream.next({ text: 'Late', headDelayMs: 60_000 });
      const reply = await contract.chat(ask, { key });
      expectError(reply, 'provider_timeout');
      expect(reply.headers.get('x-should-retry')).toBe('false');
      await contract.upstream.idle();
      expect(contract.sent.closedEarly).toBe(true);
      const record = await recordOf(reply.headers.get('x-request-id'));
      expect(record).toMatchObject({ state: 'expired', status: 504, tokens: { input: 2, output: 0 } });
    });
  });
}
