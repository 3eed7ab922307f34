import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccessToken } from '../federation/index.ts';
import { ExchangeFailure } from '../federation/index.ts';
import type { StoredCredential } from './credential.ts';
import { LiveCredentials } from './live-credentials.ts';

const HOUR = 3_600_000;
const ID = `cred_${'1'.repeat(32)}`;
const stored: StoredCredential = {
  ...{ id: ID, name: 'One', provider: 'azure', hosts: ['lab.openai.azure.com'], type: 'federation', teamId: null },
  ...{ keysOnly: false, state: 'active', createdAt: '' },
  federation: {
    kind: 'azure',
    audience: 'api://AzureADTokenExchange',
    tenantId: 't',
    clientId: 'c',
    scope: 'https://ai.azure.com/.default',
  },
};
let time: number;
let next: () => AccessToken;
let other: AccessToken | undefined;
let values: string[];
let expired: string[];
let subject: LiveCredentials;

beforeEach(() => {
  time = HOUR;
  next = () => ({ value: 'token-1', expiresAt: time + HOUR });
  other = undefined;
  [values, expired] = [[], []];
  const document = { credentials: [stored] };
  subject = new LiveCredentials({
    document: { settings: async () => document, renew: async () => {} },
    sealer: { open: async () => Promise.reject(new Error('nothing is sealed')) },
    outsideSecret: () => Promise.reject(new Error('no secret')) as never,
    tokens: { current: async () => next(), afterRefusal: async () => other },
    uses: { noteUse: async () => {} },
    clock: { now: () => time, monotonic: () => time },
    onValue: (value) => values.push(value),
    onExpired: (value) => expired.push(value),
    onRefused: () => {},
  });
});

it('has an access token for the key of a service account, whether the gateway or a secret keeps it', async () => {
  const privateKey = `-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`;
  const email = 'svc@lab.iam.gserviceaccount.com';
  const key = { type: 'service_account', client_email: email, private_key_id: 'a1', private_key: privateKey };
  const { federation: _, ...others } = stored;
  const asked: unknown[] = [];
  const secret = { version: 3, read: async () => JSON.stringify(key), renewedSince: async () => false };
  for (const kept of [{ value: { sealed: 'sealed', last4: null } }, { secretArn: 'arn' }]) {
    const credentials = new LiveCredentials({
      document: { settings: async () => ({ credentials: [{ ...others, ...kept }] }), renew: async () => {} },
      sealer: { open: async () => JSON.stringify(key) },
      outsideSecret: () => secret,
      tokens: {
        current: async (source) => {
          asked.push(source);
          return next();
        },
        afterRefusal: async () => undefined,
      },
      uses: { noteUse: async () => {} },
      clock: { now: () => time, monotonic: () => time },
      onValue: (value) => values.push(value),
      onExpired: () => {},
      onRefused: () => {},
    });
    const used = await credentials.forCall('azure', {});
    expect(used).toEqual({ id: ID, value: 'token-1' });
    expect(credentials.boundOf('token-1')?.expiresAt).toBe(2 * HOUR);
    expect(await credentials.afterRefusal(used as never)).toBeUndefined();
  }
  expect(asked[0]).toEqual({
    ...{ id: ID, provider: 'azure', variant: 'a1' },
    federation: { kind: 'service account', email, keyId: 'a1', privateKey },
  });
  // The key itself is never sent, so nothing has to be removed from responses.
  expect(new Set(values)).toEqual(new Set(['token-1']));
});

describe('a credential by federation', () => {
  it('has an access token as its value, bound to its hosts and known to the filter before it is used', async () => {
    expect(await subject.forCall('azure', {})).toEqual({ id: ID, value: 'token-1' });
    expect(await subject.resolve(`credential:${ID}`)).toBe('token-1');
    expect(values).toEqual(['token-1']);
    expect(subject.boundOf('token-1')).toEqual({ hosts: new Set(['lab.openai.azure.com']), expiresAt: 2 * HOUR });
  });

  it('has another one after a refusal, if there is one', async () => {
    const used = await subject.forCall('azure', {});
    expect(await subject.afterRefusal(used as never)).toBeUndefined();
    other = { value: 'token-2', expiresAt: 2 * HOUR };
    expect(await subject.afterRefusal(used as never)).toEqual({ id: ID, value: 'token-2' });
    expect(values).toEqual(['token-1', 'token-2']);
  });

  it('does not keep tokens for ever, but an hour longer than they are valid', async () => {
    await subject.forCall('azure', {});
    const ask = async (value: string) => {
      next = () => ({ value, expiresAt: time + HOUR });
      await subject.forCall('azure', {});
    };
    time += 2 * HOUR - 1;
    await ask('token-2');
    expect([expired, subject.boundOf('token-1')]).toEqual([[], expect.anything()]);
    time += 1;
    await ask('token-3');
    expect([expired, subject.boundOf('token-1')]).toEqual([['token-1'], undefined]);
  });

  it.each([
    [true, 'provider_error', { 'x-should-retry': 'false' }],
    [false, 'unavailable', { 'retry-after': '5' }],
  ])('without a token (refused: %p) fails the call, and other targets are tried', async (isRefused, code, headers) => {
    next = () => {
      throw new ExchangeFailure('Why, for an operator.', isRefused);
    };
    for (const asked of [subject.forCall('azure', {}), subject.resolve(`credential:${ID}`)]) {
      await expect(asked).rejects.toMatchObject({
        ...{ code, headers, fallback: 'now' },
        message: 'The gateway gets no access token for the provider azure.',
        internal: 'Why, for an operator.',
      });
    }
  });
});
