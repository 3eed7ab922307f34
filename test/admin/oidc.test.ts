import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { singleSignOn } from '../../functions/admin-api/sign-in.ts';
import { type AdminApp, type AdminResponse, startAdminApp } from '../support/admin-app.ts';
import { CLIENT, Issuer } from '../support/issuer.ts';

const CALLBACK = '/v1/admin/session/oidc/callback';

let service: AdminApp;
let issuer: Issuer;

beforeAll(async () => {
  let now = () => 0;
  issuer = new Issuer(() => now());
  await issuer.start();
  service = await startAdminApp((deps) => {
    now = () => deps.clock.now();
    const settings = {
      oidcIssuer: issuer.url,
      oidcClientId: CLIENT.id,
      oidcLabel: 'Example Inc.',
      oidcAdminGroups: ['platform', 'security'],
      oidcAnalyticsGroups: ['everybody'],
      oidcRoles: {},
      oidcGroupsClaim: 'cognito:groups',
      dashboardUrl: 'https://svc.example.com',
    };
    const secret = async () => 's'.repeat(64);
    return { ...deps, singleSignOn: singleSignOn(settings, async () => CLIENT.secret, secret, true, deps.clock) };
  });
});
beforeEach(() => {
  service.clock.time += 120_000;
  issuer.claims = {};
  issuer.sign = undefined;
});
afterAll(async () => {
  await service.stop();
  issuer.stop();
});

const get = (path: string, cookie = '') => service.raw('GET', path, { cookie });

/** A browser's cookies after a response. */
function cookiesAfter(answer: Pick<AdminResponse, 'headers'>): Record<string, string> {
  const pairs = answer.headers.getSetCookie().map((set) => (set.split(';')[0] as string).split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([name, value]) => [name, value]));
}

async function start() {
  const answer = await get('/v1/admin/session/oidc/start');
  expect(answer.status).toBe(303);
  const [[name, value] = []] = Object.entries(cookiesAfter(answer));
  return { answer, url: answer.headers.get('location') as string, cookie: `${name}=${value}` };
}

/** All of it, as a browser does it. */
async function signIn() {
  const { url, cookie } = await start();
  const answer = await get(`${CALLBACK}?${issuer.authorize(url)}`, cookie);
  const { '__Host-svc_session': session = '' } = cookiesAfter(answer);
  return { answer, location: answer.headers.get('location'), session: session && `__Host-svc_session=${session}` };
}

describe('signing in through an identity provider', () => {
  test('is offered if it is configured', async () => {
    const { json } = await service.call('GET', '/session/options', { key: null });
    expect(json.oidc).toEqual({ label: 'Example Inc.', startUrl: '/v1/admin/session/oidc/start' });
  });

  test("creates a session with its group's permissions, which the audit log lists under the person", async () => {
    const { location, session, answer } = await signIn();
    expect([answer.status, location]).toEqual([303, '/']);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-svc_session=.*; HttpOnly; SameSite=Strict; Secure$/),
      '__Host-svc_sign_in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
    const who = await service.callAt('GET', '/v1/admin/session', { key: null, headers: { cookie: session } });
    expect(who.json).toMatchObject({ keyId: null, name: 'sue@example.com' });
    expect(who.json.permissions).toContain('admin');
    const headers = { 'sec-fetch-site': 'same-origin', cookie: session, 'x-svc-csrf': who.json.csrfToken };
    const made = await service.callAt('POST', '/v1/admin/keys', { key: null, headers, body: { name: 'by Sue' } });
    expect(made.status).toBe(201);
    const put = await service.callAt('PUT', '/v1/admin/policy', { key: null, headers, body: { preset: 'strict' } });
    expect(put.json.createdBy).toBe('sue@example.com');
    const { json } = await service.call('GET', '/audit?limit=3');
    const actor = { type: 'person', subject: 'sue-1', email: 'sue@example.com' };
    expect(json.data.map(({ action, actor }: { action: string; actor: object }) => [action, actor])).toEqual([
      ['policy.updated', actor],
      ['key.created', actor],
      ['session.created', actor],
    ]);
  });

  test('lets a reader read, and refuses users in neither group', async () => {
    issuer.claims = { 'cognito:groups': ['everybody'] };
    const { session } = await signIn();
    const headers = { cookie: session };
    expect((await service.callAt('GET', '/v1/analytics/summary', { key: null, headers })).status).toBe(200);
    expect((await service.callAt('GET', '/v1/admin/keys', { key: null, headers })).status).toBe(403);
    for (const groups of [['others'], [], 'security', undefined]) {
      service.clock.time += 60_000;
      issuer.claims = { 'cognito:groups': groups };
      expect(await signIn()).toMatchObject({ location: '/?signIn=refused', session: '' });
    }
  });

  test.each<[string, Record<string, unknown> | (() => void | Promise<void>)]>([
    [
      'is signed by another key',
      async () => {
        const other = await generateKeyPair('ES256');
        issuer.sign = (claims) => issuer.signedBy(other, claims);
      },
    ],
    [
      'is signed by nobody',
      () => {
        issuer.sign = async (claims) => new UnsecuredJWT(claims).encode();
      },
    ],
    [
      'has a MAC under the public key',
      async () => {
        const known = new TextEncoder().encode(await exportSPKI(issuer.pair.publicKey));
        issuer.sign = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(known);
      },
    ],
    ['is for another client', { aud: 'others' }],
    ['is for several, and was asked for by another', { aud: [CLIENT.id, 'others'], azp: 'others' }],
    ['is for this client alone, and was asked for by another', { azp: 'others' }],
    ['is of another issuer', { iss: 'https://evil.example' }],
    ['has another nonce', { nonce: 'another' }],
    ['has no nonce', { nonce: undefined }],
    [
      'has expired',
      () => {
        issuer.claims = { exp: Math.floor(service.clock.time / 1000) - 61 };
      },
    ],
    ['never expires', { exp: undefined }],
    ['has no subject', { sub: undefined }],
    ['has an empty subject', { sub: '' }],
    ['has a number as its subject', { sub: 42 }],
    ['has a list as its subject', { sub: ['sue-1'] }],
    ['has a subject that is too long', { sub: 's'.repeat(256) }],
    [
      'is none',
      () => {
        issuer.sign = async () => 'a.b.c';
      },
    ],
  ])('fails with a token that %s', async (_, spoil) => {
    if (typeof spoil === 'function') await spoil();
    else issuer.claims = spoil;
    expect(await signIn()).toMatchObject({ location: '/?signIn=failed', session: '' });
  });

  test.each<[string, Record<string, unknown>]>([
    ['is no text', { email: 42 }],
    ['is very long', { email: `${'e'.repeat(400)}@example.com` }],
    ['is not verified', { email: 'boss@example.com', email_verified: false }],
    ['is not verified, as text', { email: 'boss@example.com', email_verified: 'false' }],
  ])('names a person by their subject if the address %s', async (_, claims) => {
    issuer.claims = claims;
    const { session } = await signIn();
    const { json } = await service.callAt('GET', '/v1/admin/session', { key: null, headers: { cookie: session } });
    expect(json.name).toBe('sue-1');
    const { json: log } = await service.call('GET', '/audit?limit=1');
    expect(log.data[0].actor).toEqual({ type: 'person', subject: 'sue-1', email: null });
  });

  test('fails if another browser started it', async () => {
    const { url, cookie } = await start();
    const other = await start();
    const back = issuer.authorize(url);
    const late = `${CALLBACK}?${issuer.authorize(url)}`;
    for (const [address, sent] of [
      [`${CALLBACK}?${back}`, ''],
      [`${CALLBACK}?${back}`, other.cookie],
      [`${CALLBACK}?code=${back.get('code')}`, cookie],
      [`${CALLBACK}?state=${back.get('state')}&error=access_denied`, cookie],
      [`${CALLBACK}?${back}`, `${cookie.slice(0, -6)}AAAAA=`],
    ] as const) {
      const answer = await get(address, sent);
      expect([answer.headers.get('location'), cookiesAfter(answer)]).toEqual([
        '/?signIn=failed',
        { '__Host-svc_sign_in': '' },
      ]);
    }
    expect((await get(`${CALLBACK}?${back}`, cookie)).headers.get('location')).toBe('/');
    expect((await get(`${CALLBACK}?${back}`, cookie)).headers.get('location')).toBe('/?signIn=failed');
    service.clock.time += 10 * 60_000;
    expect((await get(late, cookie)).headers.get('location')).toBe('/?signIn=failed');
  });

  test('sends at most ten codes a minute from one address to the provider, however often an attempt is repeated', async () => {
    const { cookie, url } = await start();
    const state = new URL(url).searchParams.get('state');
    issuer.asked = [];
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) {
      statuses.push(
        (await get(`${CALLBACK}?${new URLSearchParams({ state: state ?? '', code: `guess-${at}` })}`, cookie)).status,
      );
    }
    expect(statuses).toEqual([...Array(10).fill(303), 429, 429]);
    expect(issuer.asked.filter((path) => path === '/token')).toHaveLength(10);
  });

  test('works after the provider changed its signing key', async () => {
    await signIn();
    issuer.pair = await generateKeyPair('ES256', { extractable: true });
    issuer.keyId = 'second';
    issuer.asked = [];
    expect((await signIn()).location).toBe('/');
    expect(issuer.asked).toEqual(['/token', '/keys']);
  });

  test.each([
    ['under the same id', 'second'],
    ['without ids', undefined],
  ])('works after the provider replaced its signing key %s', async (_, keyId) => {
    issuer.keyId = keyId;
    await signIn();
    issuer.pair = await generateKeyPair('ES256', { extractable: true });
    issuer.asked = [];
    expect((await signIn()).location).toBe('/');
    expect(issuer.asked).toEqual(['/token', '/keys']);
  });

  test("is 503 while the provider's key cannot be used, and works once it can", async () => {
    issuer.keyId = 'third';
    issuer.keyFields = { x: 'AA' };
    expect((await signIn()).answer.status).toBe(503);
    issuer.keyFields = {};
    expect((await signIn()).location).toBe('/');
  });

  test('is 503 while the provider is unavailable', async () => {
    const { url, cookie } = await start();
    const back = issuer.authorize(url);
    issuer.sign = () => Promise.reject(new Error('down'));
    expect((await get(`${CALLBACK}?${back}`, cookie)).status).toBe(503);
  });
});

test('does not exist without a configured provider', async () => {
  const plain = await startAdminApp();
  try {
    for (const path of ['/session/oidc/start', '/session/oidc/callback?code=a&state=b']) {
      expect((await plain.call('GET', path, { key: null })).status).toBe(404);
    }
  } finally {
    await plain.stop();
  }
});
