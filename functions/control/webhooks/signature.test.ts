import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import OpenAI from 'openai';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { liveSecrets, signatureHeaders } from './attempt.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const older = newSecret();
const newer = newSecret();
const BODY = JSON.stringify({ id: 'evt_1', type: 'threat.detected', data: { name: 'Zoë 🦉' } });

const openai = new OpenAI({ apiKey: 'none' });

test('the svc signature is HMAC-SHA-256 of the exact body, keyed by the whole text of the newest secret', () => {
  const { 'x-svc-signature': signature } = signatureHeaders('evt_1', BODY, [newer, older], Date.now());
  expect(signature).toBe(`sha256=${createHmac('sha256', newer).update(BODY, 'utf8').digest('hex')}`);
});

describe.each([
  [
    'standardwebhooks',
    (secret: string, body: string, headers: Record<string, string>) =>
      new StandardWebhook(secret).verify(body, headers),
  ],
  [
    'openai',
    (secret: string, body: string, headers: Record<string, string>) => openai.webhooks.unwrap(body, headers, secret),
  ],
])('the package %s', (_, verify) => {
  const headers = () => signatureHeaders('evt_1', BODY, [newer, older], Date.now());

  test('accepts what was signed, by each secret that is live', async () => {
    for (const secret of [newer, older]) expect(await verify(secret, BODY, headers())).toEqual(JSON.parse(BODY));
  });

  test('refuses another secret, another body, another id and an old timestamp', async () => {
    const attempts = [
      () => verify(newSecret(), BODY, headers()),
      () => verify(newer, BODY.replace('Zoë', 'Zoe'), headers()),
      () => verify(newer, BODY, { ...headers(), 'webhook-id': 'evt_2' }),
      () => verify(newer, BODY, signatureHeaders('evt_1', BODY, [newer], Date.now() - 600_000)),
    ];
    for (const attempt of attempts) await expect((async () => attempt())()).rejects.toThrow();
  });

  test('accepts any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        // A body is JSON: written as such it holds no lone surrogates, which have no bytes.
        const body = JSON.stringify({ text });
        expect(await verify(newer, body, signatureHeaders('evt_1', body, [newer], Date.now()))).toEqual({ text });
      }),
      { numRuns: 50 },
    );
  });
});

test('a secret that was rotated out signs until its grace is over', () => {
  const secrets = [
    { secret: newer, createdAt: '2026-11-21T00:00:00Z' },
    { secret: older, createdAt: '2026-11-20T00:00:00Z', validUntil: '2026-11-22T00:00:00Z' },
  ];
  expect(liveSecrets(secrets, Date.parse('2026-11-21T23:59:59Z'))).toEqual([newer, older]);
  expect(liveSecrets(secrets, Date.parse('2026-11-22T00:00:00Z'))).toEqual([newer]);
});
