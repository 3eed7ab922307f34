import { beforeEach, describe, expect, it } from '@jest/globals';
import { createSecretSealer } from '../../adapters/aws/secret-sealer.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { rotated, type StoredCredential, sealValue, withoutExpired } from './credential.ts';
import { LiveCredentials } from './live-credentials.ts';

const sealer = createSecretSealer(async () => 'k'.repeat(64), 'svc credential');
const HOUR = 3_600_000;
let time = 0;
let stored: StoredCredential[];
let written: StoredCredential[];
let away: Error | undefined;
let document: { readonly credentials: readonly StoredCredential[] };
let renewals = 0;
let values: string[];
let refused: string[];
let uses: string[];
let subject: LiveCredentials;

const idOf = (name: string) => `cred_${Buffer.from(name).toString('hex').padEnd(32, '0')}`;

async function credential(
  name: string,
  value: string,
  more: Partial<StoredCredential> = {},
): Promise<StoredCredential> {
  const place = { id: idOf(name), provider: 'openai', hosts: ['api.openai.com'], ...more };
  const rest = { name, type: 'sealed', teamId: null, keysOnly: false, state: 'active', createdAt: '' } as const;
  return { ...rest, ...more, ...place, value: await sealValue(value, place, sealer) };
}

function start(more: Partial<ConstructorParameters<typeof LiveCredentials>[0]> = {}) {
  subject = new LiveCredentials({
    document: {
      settings: async () => {
        if (away) throw away;
        if (document.credentials !== stored) document = { credentials: stored };
        return document;
      },
      renew: async () => {
        renewals += 1;
        stored = written;
      },
    },
    sealer,
    outsideSecret: () => ({ version: 0, read: async () => '', renewedSince: async () => false }),
    tokens: { current: async () => Promise.reject(new Error('no token')), afterRefusal: async () => undefined },
    uses: { noteUse: async (id, usedAt) => void uses.push(`${id} ${usedAt}`) },
    clock: { now: () => time, monotonic: () => time },
    onValue: (value) => values.push(value),
    onExpired: () => {},
    onRefused: (id, provider) => refused.push(`${id} ${provider}`),
    ...more,
  });
}

beforeEach(() => {
  time = HOUR;
  stored = [];
  written = stored;
  document = { credentials: stored };
  renewals = 0;
  [values, refused, uses] = [[], [], []];
  away = undefined;
  start();
});

describe('the account of a call', () => {
  it('is another for another credential and for another value, and none for the key of the settings', async () => {
    expect(await subject.accountOf('openai', {})).toBeUndefined();
    const [shared, own] = [await credential('one', 'value-of-one'), await credential('own', 'value-of-own')];
    stored = [shared, own];
    const ofKey = { credentialId: own.id };
    const accounts = [await subject.accountOf('openai', {}), await subject.accountOf('openai', ofKey)];
    expect(await subject.accountOf('openai', {})).toBe(accounts[0]);
    stored = [shared, await credential('own', 'value-of-another-account')];
    accounts.push(await subject.accountOf('openai', ofKey));
    expect(new Set(accounts).size).toBe(3);
    for (const account of accounts) expect(account).toMatch(/^[0-9a-f]{64}$/);
    // Sealed anew, it is the same.
    stored = [shared, await credential('own', 'value-of-own')];
    expect(await subject.accountOf('openai', ofKey)).toBe(accounts[1]);
    expect(uses).toEqual([]);
    await expect(subject.accountOf('openai', { credentialId: idOf('none') })).rejects.toThrow('does not exist');
  });

  it('is another for another secret, and for another account of a federation, without an access token', async () => {
    let secret = 'value-1';
    start({ outsideSecret: () => ({ version: 0, read: async () => secret, renewedSince: async () => false }) });
    const { value: _, ...outside } = await credential('out', '', { type: 'secret', secretArn: 'arn' });
    stored = [outside];
    const first = await subject.accountOf('openai', {});
    secret = 'value-2';
    const { secretArn, ...rest } = outside;
    const federated = (serviceAccount: string) => ({
      ...rest,
      type: 'federation' as const,
      federation: { kind: 'google' as const, audience: 'a', workloadProvider: 'w', serviceAccount },
    });
    const accounts = [first, await subject.accountOf('openai', {})];
    for (const account of ['one@example.com', 'two@example.com']) {
      stored = [federated(account)];
      accounts.push(await subject.accountOf('openai', {}));
    }
    expect(new Set(accounts).size).toBe(4);
  });
});

describe('the credential of a call', () => {
  it('is none where none is stored, or none for its provider', async () => {
    expect(await subject.forCall('openai', {})).toBeUndefined();
    stored = [await credential('one', 'value-of-one')];
    expect(await subject.forCall('anthropic', {})).toBeUndefined();
  });

  it('is the oldest one of its provider that is active and for all', async () => {
    stored = [
      await credential('off', 'value-of-off', { state: 'disabled' }),
      await credential('keys', 'value-of-keys', { keysOnly: true }),
      await credential('team', 'value-of-team', { teamId: 'team_1' }),
      await credential('other', 'value-of-other', { provider: 'anthropic' }),
      await credential('first', 'value-of-first'),
      await credential('second', 'value-of-second'),
    ];
    expect(await subject.forCall('openai', {})).toEqual({ id: idOf('first'), value: 'value-of-first' });
    expect(await subject.byProvider()).toEqual(
      new Map([
        ['openai', idOf('first')],
        ['anthropic', idOf('other')],
      ]),
    );
  });

  it('is that of the key for its provider only, then that of the provider', async () => {
    stored = [
      await credential('shared', 'value-of-shared'),
      await credential('own', 'value-of-own', { keysOnly: true }),
      await credential('named', 'value-of-named', { provider: 'lab', keysOnly: true }),
    ];
    start({ namedBy: async (provider) => (provider === 'lab' ? idOf('named') : undefined) });
    expect(await subject.forCall('openai', { credentialId: idOf('own') })).toMatchObject({ value: 'value-of-own' });
    expect(await subject.forCall('lab', { credentialId: idOf('own') })).toMatchObject({ value: 'value-of-named' });
    expect(await subject.forCall('anthropic', { credentialId: idOf('own') })).toBeUndefined();
  });

  it('is never another one where the named one is disabled or deleted', async () => {
    stored = [
      await credential('shared', 'value-of-shared'),
      await credential('own', 'value-of-own', { state: 'disabled' }),
    ];
    for (const id of [idOf('own'), idOf('deleted')]) {
      await expect(subject.forCall('openai', { credentialId: id })).rejects.toMatchObject({
        code: 'provider_error',
        fallback: 'now',
      });
    }
  });

  it('is recorded as used, every ten minutes at most', async () => {
    stored = [await credential('one', 'value-of-one')];
    for (const wait of [0, 1, 599_998, 1]) {
      time += wait;
      await subject.forCall('openai', {});
    }
    expect(uses).toEqual([`${idOf('one')} 1970-01-01T01:00:00.000Z`, `${idOf('one')} 1970-01-01T01:10:00.000Z`]);
  });
});

describe('a credential that is named', () => {
  it('and was stored a moment ago is read at once, every five seconds at most', async () => {
    written = [await credential('own', 'value-of-own')];
    expect(await subject.forCall('openai', { credentialId: idOf('own') })).toMatchObject({ value: 'value-of-own' });
    for (const wait of [0, 4_999, 1]) {
      time += wait;
      await expect(subject.forCall('openai', { credentialId: idOf('unknown') })).rejects.toMatchObject({
        code: 'provider_error',
      });
    }
    expect(renewals).toBe(2);
  });

  it('by a provider must be for that provider', async () => {
    stored = [await credential('other', 'value-of-other', { provider: 'anthropic' })];
    start({ namedBy: async () => idOf('other') });
    await expect(subject.forCall('openai', {})).rejects.toMatchObject({
      message: 'The credential that is named for this call is not for the provider openai.',
    });
    expect(values).toEqual([]);
  });
});

describe('a sealed value', () => {
  it('does not open with another provider, other hosts, another id or another key', async () => {
    const one = await credential('one', 'value-of-one');
    for (const moved of [{ id: idOf('two') }, { provider: 'anthropic' }, { hosts: ['evil.example'] }]) {
      stored = [{ ...one, ...moved }];
      await expect(subject.forCall(stored[0]?.provider ?? '', {})).rejects.toMatchObject({
        code: 'unavailable',
        internal: 'the sealed text does not open',
        fallback: 'now',
      });
    }
    stored = [one];
    start({ sealer: createSecretSealer(async () => 'x'.repeat(64), 'svc credential') });
    await expect(subject.forCall('openai', {})).rejects.toMatchObject({ code: 'unavailable' });
    start({ sealer: createSecretSealer(async () => 'k'.repeat(64)) });
    await expect(subject.forCall('openai', {})).rejects.toMatchObject({ code: 'unavailable' });
    expect(values).toEqual([]);
  });

  it('has its hosts, and is known to the filter, before it is used', async () => {
    stored = [await credential('one', 'value-of-one'), await credential('two', 'value-of-one', { hosts: ['b:8443'] })];
    expect(subject.boundOf('value-of-one')).toBeUndefined();
    await subject.forCall('openai', {});
    expect([...(subject.boundOf('value-of-one')?.hosts ?? [])]).toEqual(['api.openai.com']);
    await subject.forCall('openai', { credentialId: idOf('two') });
    expect([...(subject.boundOf('value-of-one')?.hosts ?? [])]).toEqual(['api.openai.com', 'b:8443']);
    expect(values).toEqual(['value-of-one']);
  });

  it('serves no request if the document was never read', async () => {
    away = new StoreUnavailable('away');
    await expect(subject.forCall('openai', {})).rejects.toMatchObject({ code: 'unavailable', fallback: 'now' });
  });
});

describe('a rotated value', () => {
  async function rotate(graceSeconds = 3_600) {
    const one = await credential('one', 'old-value-of-one');
    stored = [rotated(one, await sealValue('new-value-of-one', one, sealer), graceSeconds, time)];
    written = stored;
  }

  it('is used at once; the old one after a refusal only, for a minute each, and each refusal is reported', async () => {
    await rotate();
    const used = await subject.forCall('openai', {});
    expect(used?.value).toBe('new-value-of-one');
    expect((await subject.afterRefusal(used as never))?.value).toBe('old-value-of-one');
    expect((await subject.forCall('openai', {}))?.value).toBe('old-value-of-one');
    time += 60_000;
    expect((await subject.forCall('openai', {}))?.value).toBe('new-value-of-one');
    expect(refused).toEqual([`${idOf('one')} openai`]);
    expect(values.sort()).toEqual(['new-value-of-one', 'old-value-of-one']);
  });

  it('has no old one after the grace period, or without one', async () => {
    await rotate();
    const used = await subject.forCall('openai', {});
    time += HOUR;
    expect(await subject.afterRefusal(used as never)).toBeUndefined();
    expect(withoutExpired({ credentials: stored }, time - 1).credentials[0]?.previous).toBeDefined();
    expect(withoutExpired({ credentials: stored }, time).credentials[0]).not.toHaveProperty('previous');
    await rotate(0);
    expect(stored[0]).not.toHaveProperty('previous');
  });

  it('is read at once by a process whose value is refused, every five seconds at most', async () => {
    stored = [await credential('one', 'old-value-of-one')];
    const used = await subject.forCall('openai', {});
    const one = stored[0] as StoredCredential;
    written = [rotated(one, await sealValue('new-value-of-one', one, sealer), 0, time)];
    expect((await subject.afterRefusal(used as never))?.value).toBe('new-value-of-one');
    const renewed = await subject.forCall('openai', {});
    expect(await subject.afterRefusal(renewed as never)).toBeUndefined();
    expect(renewals).toBe(1);
    time += 5_000;
    expect(await subject.afterRefusal(renewed as never)).toBeUndefined();
    expect(renewals).toBe(2);
  });
});

describe('a value in another place', () => {
  const ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:openai-AbCdEf';
  let text = '';
  let version = 1;
  const outside = async (field?: string): Promise<StoredCredential> => {
    const { value: _, ...one } = await credential('one', 'value-of-one');
    return { ...one, type: 'secret', secretArn: ARN, ...(field && { secretField: field }) };
  };
  beforeEach(() => {
    const read: string[] = [];
    start({
      outsideSecret: (arn) => ({
        get version() {
          return version;
        },
        read: async () => {
          read.push(arn);
          return text;
        },
        renewedSince: async (known) => known !== version,
      }),
    });
  });

  it('is the secret, or a member of it', async () => {
    stored = [await outside()];
    text = 'whole-secret\n';
    expect(await subject.forCall('openai', {})).toMatchObject({ value: 'whole-secret' });
    stored = [await outside('key')];
    text = '{"key":"member-of-secret"}';
    expect(await subject.forCall('openai', {})).toMatchObject({ value: 'member-of-secret' });
    for (text of ['{"other":"planted-text"}', 'planted-text', '{"key":7}', '[]', 'null', '']) {
      const error = await subject.forCall('openai', {}).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'unavailable',
        internal: expect.stringContaining("no JSON object with the text 'key'"),
      });
      expect(JSON.stringify(error)).not.toContain('planted');
    }
  });

  it('is tried again after a refusal only if it has changed', async () => {
    stored = [await outside()];
    text = 'first-secret';
    const used = await subject.forCall('openai', {});
    expect(await subject.afterRefusal(used as never)).toBeUndefined();
    [text, version] = ['second-secret', 2];
    expect(await subject.afterRefusal(used as never)).toMatchObject({ value: 'second-secret' });
  });
});

describe('a key setting', () => {
  it('that names a credential is its value; another one stays', async () => {
    stored = [await credential('one', 'value-of-one')];
    expect(await subject.resolve(`credential:${idOf('one')}`)).toBe('value-of-one');
    expect(await subject.resolve('sk-plain')).toBe('sk-plain');
    await expect(subject.resolve(`credential:${idOf('two')}`)).rejects.toMatchObject({ code: 'provider_error' });
  });
});
