import { describe, expect, it } from '@jest/globals';
import type { ApiKey } from '../kernel/model/index.ts';
import { KEY_CHECK_MS, world } from './pipeline-routes.fixture.ts';

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
