import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DynamoIdentityStore } from '../../functions/adapters/dynamo/dynamo-identity-store.ts';
import { identityId } from '../../functions/control/identities/identities.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp();
});
afterAll(() => admin.stop());

const RULE = { id: 'all', match: { sub: ['*'] } };
const ISSUER = { issuer: 'https://login.example.com', audience: ['svc'], rules: [RULE] };
const put = (issuers: unknown, key?: string, ifMatch = '*') =>
  admin.call('PUT', '/identity', { body: { issuers }, headers: { 'if-match': ifMatch }, ...(key && { key }) });
const faultOf = async (issuers: unknown, key?: string) => {
  const { status, json } = await put(issuers, key);
  return [status, json.error?.param ?? json.error?.code];
};

describe('the issuers of tokens', () => {
  it('have versions like other documents, and changes are in the audit log', async () => {
    expect((await admin.call('GET', '/identity')).json).toMatchObject({ object: 'identity', version: 0, issuers: [] });
    expect((await put([ISSUER], undefined, '"0"')).json).toMatchObject({
      version: 1,
      issuers: [{ issuer: ISSUER.issuer }],
    });
    expect((await put([], undefined, '"0"')).status).toBe(412);
    expect((await put([], undefined, '"1"')).status).toBe(200);
    const restored = await admin.call('POST', '/identity/rollback', { body: { version: 1 } });
    expect(restored.json).toMatchObject({ version: 3, issuers: [{ rules: [{ id: 'all', maxConcurrent: 50 }] }] });
    expect((await admin.call('GET', '/identity/versions')).json.data).toHaveLength(3);
    const [entry] = (await admin.call('GET', '/audit?limit=1')).json.data;
    expect(entry).toMatchObject({ action: 'identity.updated', target: { type: 'identity', id: '3' } });
  });

  it.each([
    ['http', { ...ISSUER, issuer: 'http://login.example.com' }, 'issuers[0].issuer'],
    ['this machine', { ...ISSUER, issuer: 'https://localhost:8443' }, 'issuers[0].issuer'],
    ['a private address of keys', { ...ISSUER, jwksUrl: 'https://10.0.0.1/keys' }, 'issuers[0].jwksUrl'],
    ['metadata', { ...ISSUER, jwksUrl: 'https://169.254.169.254/latest' }, 'issuers[0].jwksUrl'],
    ['an unknown algorithm', { ...ISSUER, algorithms: ['HS256'] }, 'issuers[0].algorithms[0]'],
    [
      'an unknown permission',
      { ...ISSUER, rules: [{ ...RULE, permissions: ['all'] }] },
      'issuers[0].rules[0].permissions[0]',
    ],
  ])('may not name %s', async (_, issuer, param) => expect(await faultOf([issuer])).toEqual([400, param]));

  it('give nothing that the writer lacks, also by a rollback', async () => {
    const fields = {
      name: 'limited',
      permissions: ['admin'],
      excludePermissions: ['images'],
      allowedModels: ['gpt-*'],
    };
    const { key } = (await admin.call('POST', '/keys', { body: fields })).json;
    const rule = { ...RULE, permissions: ['chat_completions'], allowedModels: ['gpt-4*'] };
    expect(await faultOf([{ ...ISSUER, rules: [rule] }], key)).toEqual([200, undefined]);
    for (const wider of [
      { permissions: ['images'] },
      { permissions: ['admin'] },
      { allowedModels: ['*'] },
      { allowedModels: [] },
    ]) {
      expect(await faultOf([{ ...ISSUER, rules: [{ ...rule, ...wider }] }], key)).toEqual([
        403,
        'insufficient_permissions',
      ]);
    }
    const { status } = await admin.call('POST', '/identity/rollback', { body: { version: 1 }, key });
    expect(status).toBe(403);
  });
});

describe('stored identities', () => {
  const seen = (subject: string) => ({
    ...{ id: identityId({ issuer: ISSUER.issuer, subject }), issuer: ISSUER.issuer, subject, ruleId: 'all' },
    ...{ teamId: null as string | null, lastSeenAt: new Date(admin.clock.now()).toISOString() },
  });

  it('are listed by pages, newest first, and are no keys', async () => {
    const store = new DynamoIdentityStore(admin.dynamo, 'keys', admin.clock);
    for (const subject of ['a', 'b', 'c']) {
      admin.clock.time += 1_000;
      expect(await store.add(seen(subject))).toMatchObject({ subject, state: 'active' });
    }
    const first = (await admin.call('GET', '/identities?limit=2')).json;
    const next = (await admin.call('GET', `/identities?limit=2&cursor=${first.nextCursor}`)).json;
    const subjects = [...first.data, ...next.data].map(({ subject }: { subject: string }) => subject);
    expect([subjects, next.nextCursor]).toEqual([['c', 'b', 'a'], null]);
    const keys = (await admin.call('GET', '/keys')).json.data;
    expect(keys.filter(({ id }: { id: string }) => !id.startsWith('key_'))).toEqual([]);
    expect((await admin.call('GET', '/identities?cursor=x')).json.error.param).toBe('cursor');
    expect((await admin.call('PATCH', '/identities/idn_1', { body: { state: 'disabled' } })).status).toBe(404);
  });

  it('keep their state when they are seen again, or added twice', async () => {
    const store = new DynamoIdentityStore(admin.dynamo, 'keys', admin.clock);
    const { id } = seen('a');
    await admin.call('PATCH', `/identities/${id}`, { body: { state: 'disabled' } });
    admin.clock.time += 120_000;
    await store.noteUse(seen('a'));
    expect(await store.add(seen('a'))).toMatchObject({ state: 'disabled', lastSeenAt: seen('a').lastSeenAt });
    const [entry] = (await admin.call('GET', '/audit?limit=1')).json.data;
    expect(entry).toMatchObject({
      ...{ action: 'identity.disabled', target: { type: 'identity', id } },
      ...{ before: { state: 'active' }, after: { state: 'disabled' } },
    });
  });

  it('are in the list of the team of their last request alone', async () => {
    const store = new DynamoIdentityStore(admin.dynamo, 'keys', admin.clock);
    const [one, other] = ['team_one', 'team_other'];
    const listed = async () =>
      Promise.all(
        [one, other].map(async (team) => (await store.list(9, undefined, team)).identities.map((i) => i.subject)),
      );
    for (const subject of ['m', 'n']) {
      admin.clock.time += 1_000;
      await store.add({ ...seen(subject), teamId: one });
    }
    expect(await listed()).toEqual([['n', 'm'], []]);
    const page = await store.list(1, undefined, one);
    expect((await store.list(1, page.nextCursor, one)).identities.map(({ subject }) => subject)).toEqual(['m']);
    // Also within a minute.
    await store.noteUse({ ...seen('m'), teamId: other });
    expect(await listed()).toEqual([['n'], ['m']]);
    expect(await store.get(seen('m').id)).toMatchObject({ teamId: other });
    await store.noteUse(seen('m'));
    expect(await listed()).toEqual([['n'], []]);
  });

  it('are deleted with their data by their id; disabled ones stay disabled, without their subject', async () => {
    const store = new DynamoIdentityStore(admin.dynamo, 'keys', admin.clock);
    for (const [subject, state] of [
      ['gone', undefined],
      ['stopped', { ...seen('stopped'), subject: 'deleted', state: 'disabled' }],
    ] as const) {
      const { id } = seen(subject);
      await store.add(seen(subject));
      if (state !== undefined) await store.setState(id, 'disabled');
      const erase = async () => (await admin.call('DELETE', `/end-users/${id}`)).json.deleted.identities;
      expect([await erase(), await erase()]).toEqual([1, 0]);
      if (state === undefined) expect(await store.get(id)).toBeUndefined();
      else expect(await store.get(id)).toMatchObject({ subject: 'deleted', state: 'disabled' });
    }
    expect(await store.deleteEndUser('gone')).toEqual({ identities: 0 });
  });

  it('are at most 10,000 new ones of an issuer a day', async () => {
    const one = (subject: string) => ({ ...seen(subject), issuer: 'https://other.example' });
    const store = new DynamoIdentityStore(admin.dynamo, 'keys', admin.clock, { issuer: 2, team: 1 });
    expect([await store.add(one('x')), await store.add(one('y')), await store.add(one('z'))]).toEqual([
      expect.anything(),
      expect.anything(),
      undefined,
    ]);
    admin.clock.time += 86_400_000;
    expect(await store.add(one('z'))).toMatchObject({ subject: 'z' });
  });

  it('are at most 2,000 new ones of a team a day, which do not use up the issuer', async () => {
    const store = new DynamoIdentityStore(admin.dynamo, 'keys', admin.clock, { issuer: 2, team: 1 });
    const of = (subject: string, teamId: string | null) => {
      const issuer = 'https://third.example';
      return { ...seen(subject), issuer, id: identityId({ issuer, subject }), teamId };
    };
    const added = [];
    for (const one of [of('a', 'team_1'), of('b', 'team_1'), of('c', 'team_1'), of('d', 'team_2'), of('e', null)]) {
      added.push((await store.add(one))?.subject);
    }
    expect(added).toEqual(['a', undefined, undefined, 'd', undefined]);
    admin.clock.time += 86_400_000;
    expect(await store.add(of('b', 'team_1'))).toMatchObject({ subject: 'b', teamId: 'team_1' });
  });
});
