import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, exportSPKI, generateKeyPair } from 'jose';
import { IssuerKeys } from '../../functions/adapters/http/issuer-keys.ts';
import { UndiciHttpClient } from '../../functions/adapters/http/undici-http-client.ts';
import type { DocumentVersion } from '../../functions/control/documents/index.ts';
import { Identities, IdentityStates } from '../../functions/control/identities/index.ts';
import { MemoryIdentities } from '../../functions/control/identities/memory-identities.fixture.ts';
import { StoreUnavailable } from '../../functions/kernel/errors/index.ts';
import { type IdentityDocument, issuersSchema } from '../../functions/kernel/identity/index.ts';
import type { ApiKey, DeploymentPolicy } from '../../functions/kernel/model/index.ts';
import { AUDIENCE, TokenIssuer } from '../support/token-issuer.ts';

const ADDRESS = '192.0.2.1';
const issuer = new TokenIssuer();
let passedMs: number;
let store: MemoryIdentities;
let identities: Identities;
let unreadable: string[];
let background: Promise<void>[];
/** The same version is the same object. */
let version: DocumentVersion<IdentityDocument>;
let policy: DeploymentPolicy;

const START = Date.now();
const clock = { now: () => START + passedMs, monotonic: () => passedMs };
const setIssuers = (rules: object[], fields: object = {}) => {
  const issuers = issuersSchema.parse([{ issuer: issuer.url, audience: [AUDIENCE, 'other'], rules, ...fields }]);
  version = { version: 0, settings: { issuers }, createdAt: null, createdBy: null };
};

beforeAll(() => issuer.start());
afterAll(() => issuer.stop());
beforeEach(async () => {
  await issuer.rotate('first');
  Object.assign(issuer, { status: 200, asked: [], now: () => START });
  passedMs = 0;
  unreadable = [];
  background = [];
  policy = {};
  store = new MemoryIdentities();
  setIssuers([{ id: 'all', match: { sub: ['*'] } }]);
  const http = new UndiciHttpClient();
  identities = new Identities({
    document: { current: async () => version },
    policy: { settings: async () => policy },
    teams: { settings: async () => NO_TEAMS },
    signatures: new IssuerKeys({
      http,
      publicHttp: new UndiciHttpClient(() => false),
      clock,
      inBackground: (reading) => void background.push(reading),
      onUnreadable: (_, reason) => void unreadable.push(reason),
    }),
    states: new IdentityStates(store, clock),
    hasher: { hashes: async (text) => [`hash of ${text}`], pseudonym: async (text) => `pseudonym of ${text}` },
    clock,
  });
});

const NO_TEAMS = { teams: [] };
const find = (token: string, isRunning = false, address = ADDRESS) => identities.find(token, address, isRunning);
const refusal = (token: string, address = ADDRESS) =>
  find(token, false, address).then(
    () => 'let in',
    (error: { status: number; message: string }) => `${error.status} ${error.message}`,
  );
const encoded = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const inSeconds = (seconds: number) => Math.floor(START / 1_000) + seconds;
const claims = (more: object = {}) => ({ iss: issuer.url, aud: AUDIENCE, sub: 'eve', exp: inSeconds(300), ...more });

describe('a forged token is refused, and the error has nothing of it', () => {
  const cases: readonly (readonly [string, () => Promise<string> | string, string])[] = [
    ['without a signature', () => `${encoded({ alg: 'none' })}.${encoded(claims())}.AA`, "its algorithm ('alg')"],
    [
      'with a MAC by the public key',
      async () => {
        const signed = `${encoded({ alg: 'HS256', kid: 'first' })}.${encoded(claims())}`;
        const mac = createHmac('sha256', await exportSPKI(issuer.pair.publicKey)).update(signed);
        return `${signed}.${mac.digest('base64url')}`;
      },
      "its algorithm ('alg')",
    ],
    [
      'with a key in its header',
      async () => {
        const pair = await generateKeyPair('ES256', { extractable: true });
        const jwk = (await exportJWK(pair.publicKey)) as { kty: string };
        return issuer.token({ sub: 'eve' }, { jwk, jku: `${issuer.url}/keys`, x5u: issuer.url }, pair);
      },
      'its signature is not valid',
    ],
    [
      'with changed claims',
      async () => {
        const [header, , signature] = (await issuer.token({ sub: 'eve' })).split('.');
        return [header, encoded(claims({ sub: 'admin' })), signature].join('.');
      },
      'its signature is not valid',
    ],
    [
      'with another algorithm of the same key',
      () =>
        issuer.token({ sub: 'eve' }).then((token) => token.replace(/^[^.]+/, encoded({ alg: 'RS256', kid: 'first' }))),
      "its issuer has no key for it ('kid')",
    ],
    ['for another audience', () => issuer.token({ sub: 'eve', aud: 'somewhere' }), "its audience ('aud')"],
    ['without an audience', () => issuer.token({ sub: 'eve', aud: undefined as never }), "its audience ('aud')"],
    ['of another issuer', () => issuer.token({ sub: 'eve', iss: 'https://evil.example' }), "its issuer ('iss')"],
    ['of a longer issuer', () => issuer.token({ sub: 'eve', iss: `${issuer.url}/` }), "its issuer ('iss')"],
    ['that has expired', () => issuer.token({ sub: 'eve', exp: inSeconds(-61) }), "it has expired ('exp')"],
    ['that never expires', () => issuer.token({ sub: 'eve', exp: undefined as never }), "('exp')"],
    ['that is not valid yet', () => issuer.token({ sub: 'eve', nbf: inSeconds(90) }), "it is not valid yet ('nbf')"],
    ['of the future', () => issuer.token({ sub: 'eve', iat: inSeconds(90) }), "it was issued in the future ('iat')"],
    ['without a subject', () => issuer.token({}), "it has no subject ('sub')"],
    ['with a long subject', () => issuer.token({ sub: 'e'.repeat(256) }), "it has no subject ('sub')"],
    ['that is huge', () => issuer.token({ sub: 'eve', more: 'x'.repeat(9_000) }), 'it has more than 8192 characters'],
    ['for a logout', () => issuer.token({ sub: 'eve' }, { typ: 'logout+jwt' }), "its type ('typ')"],
    [
      'with extensions',
      async () => `${encoded({ alg: 'ES256', crit: ['b64'], b64: false })}.${encoded(claims())}.AA`,
      "('crit')",
    ],
    [
      'with a claim twice',
      () => `${encoded({ alg: 'ES256' })}.${encoded(`{"sub":"a","sub":"b"}`)}.AA`,
      'it is not readable',
    ],
    [
      'with deep claims',
      () => `${encoded({ alg: 'ES256' })}.${encoded(`{"a":${'['.repeat(99)}${']'.repeat(99)}}`)}.AA`,
      'it is not readable',
    ],
    [
      'that spells its header otherwise',
      async () =>
        `${encoded({ alg: 'ES256', kid: 'x' }).replace(/.$/, (end) => (end === '9' ? '-' : `${end}A`))}.${encoded(claims())}.AA`,
      'it is not readable',
    ],
  ];
  it.each(cases)('%s', async (_, make, fault) => {
    const token = await make();
    expect(identities.accepts(token)).toBe(true);
    const message = await refusal(token);
    expect(message).toContain(`401 The token is refused: `);
    expect(message).toContain(fault);
    for (const part of token.split('.')) if (part.length > 4) expect(message).not.toContain(part);
    expect(store.stored.size).toBe(0);
  });

  it('while one of the issuer within the skew of clocks is let in', async () => {
    const token = await issuer.token({ sub: 'sue', exp: inSeconds(-50), nbf: inSeconds(50), iat: inSeconds(50) });
    expect(await refusal(token)).toBe('let in');
  });
});

describe('what strangers cost', () => {
  it('is one read of keys a minute, however many tokens name unknown keys', async () => {
    expect(await refusal(await issuer.token({ sub: 'sue' }))).toBe('let in');
    issuer.asked = [];
    passedMs += 60_000;
    const unknown = await Promise.all(
      Array.from({ length: 30 }, (_, at) => issuer.token({ sub: 'eve' }, { kid: `unknown-${at}` })),
    );
    const refused = await Promise.all(unknown.map((token) => refusal(token)));
    expect(new Set(refused)).toEqual(new Set(["401 The token is refused: its issuer has no key for it ('kid')."]));
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
    passedMs += 59_999;
    await refusal(unknown[0] as string);
    expect(issuer.asked).toHaveLength(2);
  });

  it('is 100 failed signature checks of an address, then 10 a second; others are served', async () => {
    const [header, payload, signature] = (await issuer.token({ sub: 'eve' })).split('.');
    const forged = [header, payload, `${'A'.repeat(10)}${signature?.slice(10)}`].join('.');
    for (let at = 0; at < 100; at += 1) expect(await refusal(forged)).toContain('its signature is not valid');
    expect(await refusal(forged)).toContain('429 Too many tokens with an invalid signature');
    expect(await refusal(await issuer.token({ sub: 'sue' }), '198.51.100.1')).toBe('let in');
    passedMs += 100;
    expect(await refusal(forged)).toContain('its signature is not valid');
    expect(await refusal(forged)).toContain('429');
  });

  it('is no more new identities than an issuer may have; known ones are served', async () => {
    store.most = 1;
    const known = await issuer.token({ sub: 'sue' });
    expect(await refusal(known)).toBe('let in');
    expect(await refusal(await issuer.token({ sub: 'eve' }))).toContain(
      '429 The issuer or the team of the token has had',
    );
    expect(await refusal(known)).toBe('let in');
  });

  it('is no signature check for a token that has expired', async () => {
    await refusal(await issuer.token({ sub: 'eve', exp: inSeconds(-100) }));
    expect(issuer.asked).toEqual([]);
  });
});

describe("an issuer's keys", () => {
  it('are read at the first token, and not again for others', async () => {
    for (const sub of ['sue', 'ben']) await find(await issuer.token({ sub }));
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it('are read when a token has a new one, and the old one ends', async () => {
    const old = await issuer.token({ sub: 'sue' });
    await find(old);
    await issuer.rotate('second');
    passedMs += 60_000;
    expect(await refusal(await issuer.token({ sub: 'sue' }))).toBe('let in');
    expect(await refusal(old)).toContain("('kid')");
    // A request that was let in goes on.
    expect((await find(old, true)).identity?.subject).toBe('sue');
  });

  it('are read in the background from five minutes on', async () => {
    const token = await issuer.token({ sub: 'sue', exp: inSeconds(3_600) });
    await find(token);
    await issuer.rotate('second');
    passedMs += 300_000;
    expect(await refusal(token)).toBe('let in');
    await Promise.all(background);
    expect(await refusal(token)).toContain("('kid')");
  });

  it('stay while the issuer is away, which is reported', async () => {
    const token = await issuer.token({ sub: 'sue', exp: inSeconds(7_200) });
    await find(token);
    issuer.status = 503;
    passedMs += 3_600_000;
    await find(token);
    await Promise.all(background);
    expect(unreadable).toEqual(['status 503']);
    expect(await refusal(await issuer.token({ sub: 'ben', exp: inSeconds(7_200) }))).toBe('let in');
  });

  it('that were never read refuse its tokens, and are tried again', async () => {
    issuer.status = 503;
    const token = await issuer.token({ sub: 'sue' });
    expect(await refusal(token)).toContain("503 The keys of the token's issuer cannot be read");
    expect(await refusal(token)).toContain('503');
    expect(unreadable).toEqual(['status 503']);
    issuer.status = 200;
    passedMs += 5_000;
    expect(await refusal(token)).toBe('let in');
  });

  it('at a private address are read for an issuer of the settings only', async () => {
    version = { ...version, version: 1 };
    expect(await refusal(await issuer.token({ sub: 'sue' }))).toContain('503');
    expect(unreadable).toEqual(['no response (connect)']);
    expect(issuer.asked).toEqual([]);
  });

  it('are not taken from a discovery document of another issuer', async () => {
    setIssuers([{ id: 'all', match: { sub: ['*'] } }], { issuer: `${issuer.url}/` });
    expect(await refusal(await issuer.token({ sub: 'sue', iss: `${issuer.url}/` }))).toContain('503');
    expect(unreadable).toEqual(['its discovery document names another issuer']);
  });
});

describe('a caller', () => {
  it('has the rights of the first rule that matches, and is checked by the next version', async () => {
    const token = await issuer.token({ sub: 'sue', groups: ['ops'] });
    setIssuers([
      { id: 'operators', match: { groups: ['ops'], role: ['*'] } },
      { id: 'ops', match: { groups: ['o*'] }, permissions: ['embeddings'], tags: { a: 'b' } },
      { id: 'all', match: { sub: ['*'] } },
    ]);
    const caller = await find(token);
    expect(caller).toMatchObject({ name: 'ops', permissions: ['embeddings'], tags: { a: 'b' }, teamId: null });
    setIssuers([{ id: 'none', match: { groups: ['sales'] } }]);
    expect(await refusal(token)).toContain('403');
    await expect(find(token, true)).rejects.toMatchObject({ status: 403 });
  });

  it('is the same with every token, and another for each issuer and subject', async () => {
    const ids = async (...tokens: Promise<string>[]) => {
      const callers: ApiKey[] = [];
      for (const token of tokens) callers.push(await find(await token));
      return callers.map(({ id, secretHash }) => `${id} ${secretHash}`);
    };
    const [first, again, other] = await ids(
      issuer.token({ sub: 'sue', jti: '1' }),
      issuer.token({ sub: 'sue', jti: '2' }),
      issuer.token({ sub: 'ben' }),
    );
    expect(first).toBe(again);
    expect(other).not.toBe(first);
    // The same object while nothing changed, so that its policy is compiled once.
    const token = await issuer.token({ sub: 'sue' });
    expect(await find(token)).toBe(await find(token));
  });

  it('is let in until the token expires; a running request goes on', async () => {
    const token = await issuer.token({ sub: 'sue', exp: inSeconds(60) });
    await find(token);
    passedMs += 121_000;
    expect(await refusal(token)).toContain("it has expired ('exp')");
    expect((await find(token, true)).identity).toEqual({ issuer: issuer.url, subject: 'sue' });
  });

  it('is refused at most 30 s after it was disabled, its running requests too', async () => {
    const token = await issuer.token({ sub: 'sue' });
    const { id } = await find(token);
    store.disable(id);
    expect(await refusal(token)).toBe('let in');
    passedMs += 10_000;
    expect(await refusal(token)).toBe('401 An administrator has disabled this identity.');
    await expect(find(token, true)).rejects.toMatchObject({ status: 401 });
  });

  it('is let in for 30 s without the store, and no longer', async () => {
    const token = await issuer.token({ sub: 'sue' });
    await find(token);
    store.failure = new StoreUnavailable('away');
    passedMs += 29_999;
    expect(await refusal(token)).toBe('let in');
    passedMs += 1;
    await expect(find(token)).rejects.toBe(store.failure);
  });

  it('costs a read each 10 s, and a write a minute', async () => {
    const token = await issuer.token({ sub: 'sue' });
    for (let at = 0; at < 12; at += 1) {
      for (let request = 0; request < 5; request += 1) await find(token);
      passedMs += 10_000;
    }
    expect(store.reads).toBe(12);
    expect(store.uses).toBeLessThanOrEqual(2);
    expect(store.uses).toBeGreaterThanOrEqual(1);
  });

  it('has a digest as its subject where the policy says so', async () => {
    policy = { identitySubject: 'hashed' };
    const caller = await find(await issuer.token({ sub: 'sue' }));
    expect(caller.identity?.subject).toBe('pseudonym of sue');
    expect(JSON.stringify([...store.stored])).not.toContain('"sue"');
  });
});
