import { describe, expect, it } from '@jest/globals';
import { mintWebhookSecret, newWebhookId, rotateSecrets } from './webhook-store.ts';

const T0 = Date.parse('2026-11-21T09:00:00.000Z');
const HOUR_MS = 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();

describe('a signing secret', () => {
  it('is whsec_ and base64 of 32 random bytes', () => {
    const secrets = Array.from({ length: 50 }, () => mintWebhookSecret(T0).secret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    }
  });

  it('signs beside the new one until the grace is over', () => {
    const [old, next] = [mintWebhookSecret(T0), mintWebhookSecret(T0 + 1)];
    expect(rotateSecrets([old], next, 60, T0)).toEqual([next, { ...old, validUntil: at(T0 + 60_000) }]);
    expect(rotateSecrets([old], next, 0, T0)).toEqual([next]);
  });

  it('lives no longer by a later rotation, and less by one with a shorter grace', () => {
    const [a, b, c] = [mintWebhookSecret(T0), mintWebhookSecret(T0), mintWebhookSecret(T0)];
    const first = rotateSecrets([a], b, 3_600, T0);
    const untils = (grace: number, now: number) =>
      rotateSecrets(first, c, grace, now).map(({ validUntil }) => validUntil);
    expect(untils(86_400, T0)).toEqual([undefined, at(T0 + 86_400_000), at(T0 + HOUR_MS)]);
    expect(untils(60, T0)).toEqual([undefined, at(T0 + 60_000), at(T0 + 60_000)]);
    expect(untils(86_400, T0 + HOUR_MS)).toEqual([undefined, at(T0 + HOUR_MS + 86_400_000)]);
  });

  it('is one of five at most', () => {
    let secrets = [mintWebhookSecret(T0)];
    for (let round = 0; round < 10; round += 1) secrets = rotateSecrets(secrets, mintWebhookSecret(T0 + round), 60, T0);
    expect(secrets).toHaveLength(5);
    expect(secrets.map(({ createdAt }) => createdAt)).toEqual([9, 8, 7, 6, 5].map((ms) => at(T0 + ms)));
  });
});

it('ids of webhooks are in the order in which they were made', () => {
  const ids = Array.from({ length: 20 }, (_, ms) => newWebhookId(T0 + ms * 1_000));
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^wh_[0-9a-f]{32}$/);
  expect(newWebhookId(T0)).not.toBe(newWebhookId(T0));
});
