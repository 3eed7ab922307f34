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
      document: {
        settings: async () => ({ credentials: [{ ...others, hosts: ['aiplatform.googleapis.com'], ...kept }] }),
        renew: async () => {},
      },
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

describe('the key of a service account', () => {
  const email = 'svc@lab.iam.gserviceaccount.com';
  const keyOf = (keyId: string) =>
    JSON.stringify({
      ...{ type: 'service_account', client_email: email, private_key_id: keyId },
      private_key: `-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`,
    });
  const { federation: _, ...others } = stored;
  const google = { ...others, provider: 'vertex', hosts: ['aiplatform.googleapis.com'] };
  const tokenOf = (federation: unknown) => ({
    value: `token-${(federation as { keyId: string }).keyId}`,
    expiresAt: time + HOUR,
  });
  const refusedKeys = new Set<string>();
  const notified: string[] = [];

  /** @param texts the values by their sealed form */
  function credentialsOf(credential: object, texts: Readonly<Record<string, string>>) {
    refusedKeys.clear();
    notified.length = 0;
    return new LiveCredentials({
      document: { settings: async () => ({ credentials: [{ ...google, ...credential }] }), renew: async () => {} },
      sealer: { open: async (sealed) => texts[sealed] as string },
      outsideSecret: () => ({ version: 3, read: async () => texts.secret as string, renewedSince: async () => true }),
      tokens: {
        current: async ({ federation }) => {
          const { value, expiresAt } = tokenOf(federation);
          if (refusedKeys.has(value)) throw new ExchangeFailure('Google refuses the exchange.', true);
          return { value, expiresAt };
        },
        afterRefusal: async () => other,
      },
      uses: { noteUse: async () => {} },
      clock: { now: () => time, monotonic: () => time },
      onValue: (value) => values.push(value),
      onExpired: () => {},
      onRefused: (id) => notified.push(id),
    });
  }

  it('that was rotated is replaced by the previous one if Google refuses it', async () => {
    const previous = { sealed: 'old', last4: null, validUntil: new Date(time + HOUR).toISOString() };
    const value = { sealed: 'new', last4: null };
    const credentials = credentialsOf({ value, previous }, { old: keyOf('a1'), new: keyOf('b2') });
    expect((await credentials.forCall('vertex', {}))?.value).toBe('token-b2');
    refusedKeys.add('token-b2');
    expect((await credentials.forCall('vertex', {}))?.value).toBe('token-a1');
    expect(notified).toEqual([ID]);
    refusedKeys.add('token-a1');
    await expect(credentials.forCall('vertex', {})).rejects.toMatchObject({ code: 'provider_error' });
  });

  it('has another token after a refusal, also where a secret has the key', async () => {
    for (const kept of [{ value: { sealed: 'key', last4: null } }, { secretArn: 'arn' }]) {
      const credentials = credentialsOf(kept, { key: keyOf('a1'), secret: keyOf('a1') });
      const used = await credentials.forCall('vertex', {});
      other = undefined;
      expect(await credentials.afterRefusal(used as never)).toBeUndefined();
      other = { value: 'token-2', expiresAt: time + HOUR };
      expect(await credentials.afterRefusal(used as never)).toEqual({ id: ID, value: 'token-2' });
    }
  });

  it.each<[string, object, string]>([
    ['has a host that is not of Google', { hosts: ['aiplatform.googleapis.com', 'evil.example'] }, keyOf('a1')],
    ['is of another form', {}, keyOf('a1').replace('service_account', 'authorized_user')],
  ])('is sent nowhere if it %s', async (_what, more, text) => {
    const credentials = credentialsOf({ secretArn: 'arn', ...more }, { secret: text });
    await expect(credentials.forCall('vertex', {})).rejects.toMatchObject({ code: 'provider_error' });
    expect(values).toEqual([]);
  });
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
