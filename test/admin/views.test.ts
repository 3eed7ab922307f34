import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Call, startTwoTeams } from '../support/two-teams.ts';

let teams: Awaited<ReturnType<typeof startTwoTeams>>;
let owner: Call;
let member: Call;
let viewer: Call;
let ofLegal: Call;
let security: Call;
let platform: Call;

beforeAll(async () => {
  teams = await startTwoTeams();
  await teams.newTeam('shop');
  await teams.newTeam('legal');
  const signIn = async (claims: object) => (await teams.signIn(claims as never)) as Call;
  owner = await signIn({ email: 'owner@shop.example', sub: 'owner' });
  member = await signIn({ email: 'member@shop.example', sub: 'member' });
  viewer = await signIn({ email: 'viewer@shop.example', sub: 'viewer' });
  ofLegal = await signIn({ email: 'owner@legal.example', sub: 'legal' });
  security = await signIn({ email: 'sec@example.com', groups: ['security'], sub: 'security' });
  platform = await signIn({ email: 'platform@example.com', groups: ['platform'], sub: 'platform' });
});
afterAll(() => teams.stop());

const VIEWS = '/v1/admin/views';
const VIEW = { page: 'requests', name: 'Limited', search: 'status=429&range=7d' };
const namesOf = async (call: Call) =>
  (await call('GET', VIEWS)).json.data.map(({ name, shared }: { name: string; shared: boolean }) => [name, shared]);

describe('saved views', () => {
  test('of a person are seen, replaced and deleted by this person alone', async () => {
    const { status, json } = await viewer('POST', VIEWS, VIEW);
    expect([status, json]).toEqual([
      201,
      expect.objectContaining({ ...VIEW, object: 'view', shared: false, own: true, savedBy: 'viewer@shop.example' }),
    ]);
    const again = await viewer('POST', VIEWS, { ...VIEW, search: 'status=403' });
    expect((await viewer('GET', VIEWS)).json.data).toEqual([again.json]);
    for (const other of [owner, member, ofLegal, security, platform]) {
      expect(await namesOf(other)).toEqual([]);
      expect((await other('DELETE', `${VIEWS}/${again.json.id}`)).status).toBe(404);
    }
    expect((await viewer('DELETE', `${VIEWS}/${again.json.id}`)).json).toEqual({
      object: 'view.deletion',
      id: again.json.id,
      deleted: true,
    });
    expect(await namesOf(viewer)).toEqual([]);
  });

  test('that are shared in a team are seen there, and changed by who saved them and by owners', async () => {
    const { json: saved } = await member('POST', VIEWS, { ...VIEW, name: 'Team', shared: true });
    for (const one of [owner, member, viewer]) expect(await namesOf(one)).toEqual([['Team', true]]);
    for (const one of [ofLegal, security, platform]) expect(await namesOf(one)).toEqual([]);
    expect((await viewer('GET', VIEWS)).json.data[0]).toMatchObject({ own: false, savedBy: 'member@shop.example' });
    const refusals = [
      await viewer('DELETE', `${VIEWS}/${saved.id}`),
      await viewer('POST', VIEWS, { ...VIEW, name: 'Team', shared: true, search: 'mine=1' }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403]);
    expect((await platform('DELETE', `${VIEWS}/${saved.id}`)).status).toBe(404);
    expect((await owner('DELETE', `${VIEWS}/${saved.id}`)).status).toBe(200);
    expect(await namesOf(member)).toEqual([]);
  });

  test('that are shared by those who see all data are seen by no team, and changed by administrators', async () => {
    const { json: saved } = await security('POST', VIEWS, { ...VIEW, page: 'audit', name: 'All', shared: true });
    expect(await namesOf(platform)).toEqual([['All', true]]);
    for (const one of [owner, member, viewer]) expect(await namesOf(one)).toEqual([]);
    expect((await owner('DELETE', `${VIEWS}/${saved.id}`)).status).toBe(404);
    expect((await platform('DELETE', `${VIEWS}/${saved.id}`)).status).toBe(200);
  });

  test('of a key are its own', async () => {
    const { id, key } = await teams.newKey({ permissions: ['analytics'] });
    const call = teams.withKey(key);
    expect((await call('POST', VIEWS, VIEW)).json.savedBy).toBe(id);
    expect(await namesOf(call)).toEqual([['Limited', false]]);
    expect(await namesOf(teams.withKey((await teams.newKey({ permissions: ['analytics'] })).key))).toEqual([]);
  });

  test.each([
    { search: `${'x'.repeat(2_001)}` },
    { search: 'endUserId=u-1' },
    { search: 'status=429&not=endUserId%3Du-1' },
    { search: 'sessionId=s' },
    { page: '//evil.example' },
    { name: ' ' },
    { name: 'n'.repeat(61) },
    { teamId: 'team_other' },
  ])('refuse %j', async (change) => {
    expect((await viewer('POST', VIEWS, { ...VIEW, ...change })).status).toBe(400);
  });

  test('are at most 50 in a place, and none is lost when several are saved at once', async () => {
    await Promise.all([1, 2, 3].map((at) => owner('POST', VIEWS, { ...VIEW, name: `v${at}` })));
    for (let at = 4; at <= 50; at += 1) await owner('POST', VIEWS, { ...VIEW, name: `v${at}` });
    expect((await owner('POST', VIEWS, { ...VIEW, name: 'one more' })).json.error.code).toBe('conflict');
    expect((await owner('POST', VIEWS, { ...VIEW, name: 'v7', search: '' })).status).toBe(201);
    expect(await namesOf(owner)).toHaveLength(50);
  });
});
