import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyChain } from '../../functions/control/audit/index.ts';
import { callOf } from '../../functions/control/tool-usage/memory-records.fixture.ts';
import type { AuditFact } from '../../functions/kernel/model/index.ts';
import { type Call, startTwoTeams, type TeamData } from '../support/two-teams.ts';

const MONTH = '2026-06';

let teams: Awaited<ReturnType<typeof startTwoTeams>>;
let shop: TeamData;
let legal: TeamData;
let owner: Call;

beforeAll(async () => {
  teams = await startTwoTeams();
  [shop, legal] = [await teams.newTeam('shop'), await teams.newTeam('legal')];
  owner = (await teams.signIn({ email: 'owner@shop.example' })) as Call;
  // Between requests of the other team, so that a list that is filtered after it was read has gaps.
  for (let at = 0; at < 12; at += 1) {
    const of = at % 6 === 0 ? shop : legal;
    const session = `${of.name}-${at}`;
    const ids = { keyId: of.keyId, teamId: of.id, endUserId: of.name, sessionId: session, model: of.name };
    teams.service.clock.time += 1_000;
    await teams.addRequest({
      ...ids,
      toolCalls: [callOf(`tool_${of.name}`, { to: 'user' })],
      requestTags: { feature: of.name },
    });
  }
  for (let at = 0; at < 3; at += 1) {
    await teams.newKey({ name: `More of shop ${at}`, teamId: shop.id });
    await teams.newKey({ name: `More of legal ${at}`, teamId: legal.id });
  }
});
afterAll(() => teams.stop());

/** A response with its cursors as text. */
function textOf(json: { readonly nextCursor?: string | null }): string {
  const cursor = json.nextCursor ?? '';
  return `${JSON.stringify(json)} ${cursor} ${Buffer.from(cursor, 'base64url')}`;
}

function expectNothingOf(team: TeamData, json: object): void {
  const { name, id, keyId, requestId, approvalId, identityId } = team;
  for (const one of [name, id, keyId, requestId, approvalId, identityId]) expect(textOf(json)).not.toContain(one);
}

const LISTS = [
  ['/v1/admin/keys', 4],
  ['/v1/admin/keys?include=usage', 4],
  ['/v1/admin/keys?search=Key', 1],
  ['/v1/admin/keys?sort=name', 4],
  ['/v1/admin/keys?sort=spend&order=desc', 4],
  ['/v1/admin/teams', 1],
  ['/v1/admin/identities', 1],
  ['/v1/analytics/requests', 3],
  ['/v1/analytics/threats', 1],
  ['/v1/analytics/sessions', 3],
  ['/v1/approvals', 1],
  ['/v1/approvals?state=pending', 1],
  ['/v1/analytics/tools', 1],
] as const;

describe('an owner of a team', () => {
  test.each(LISTS)('finds nothing of other teams in %s', async (path, length) => {
    const { status, json } = await owner('GET', path);
    expect([status, json.data.length]).toEqual([200, length]);
    expectNothingOf(legal, json);
  });

  test.each(LISTS.filter(([path]) => !/teams|tools/.test(path)))(
    'goes through the pages of %s, none of which is empty or names another team',
    async (path, length) => {
      let cursor = '';
      for (let page = 1; page <= length; page += 1) {
        const { json } = await owner('GET', `${path}${path.includes('?') ? '&' : '?'}limit=1${cursor}`);
        expect(json.data.length).toBe(1);
        expectNothingOf(legal, json);
        cursor = `&cursor=${json.nextCursor}`;
        if (page === length) expect(json.nextCursor).toBeNull();
      }
    },
  );

  test.each(['requests', 'threats', 'sessions'])('gets own %s alone with a cursor of another list', async (list) => {
    const { json } = await teams.service.callAt('GET', `/v1/analytics/${list}?limit=1`);
    const rest = await owner('GET', `/v1/analytics/${list}?cursor=${json.nextCursor}`);
    expect(rest.status).toBe(200);
    expectNothingOf(legal, rest.json);
  });

  test('gets nothing by filters for another team, its key, its end user or its session', async () => {
    const { id, keyId, name, requestId, sessionId } = legal;
    const filters = [`teamId=${id}`, `keyId=${keyId}`, `endUserId=${name}`, `tag=feature=${name}`, `model=${name}`];
    for (const filter of filters) {
      const lists = ['requests', 'threats', 'tools', ...(filter.startsWith('tag') ? [] : ['sessions'])];
      for (const list of lists) {
        const { status, json } = await owner('GET', `/v1/analytics/${list}?${filter}`);
        expect([list, filter, status, json.data]).toEqual([list, filter, 200, []]);
        expect([json.nextCursor, json.searchedTo ?? null]).toEqual([null, null]);
      }
      const { json } = await owner('GET', `/v1/analytics/summary?${filter}`);
      expect([filter, json.requests]).toEqual([filter, 0]);
    }
    for (const filter of [`id=${requestId}`, `sessionId=${sessionId}`])
      expect((await owner('GET', `/v1/analytics/requests?${filter}`)).json.data).toEqual([]);
    const names = await owner('GET', `/v1/analytics/keys?ids=${keyId},${shop.keyId},${id},${shop.id}`);
    expect(names.json.data.map((one: { id: string }) => one.id)).toEqual([shop.keyId, shop.id]);
  });

  test.each(['', 'keyId', 'teamId', 'environment', 'model', 'provider', 'threatType', 'tag:feature'])(
    'counts own requests alone, by %p',
    async (groupBy) => {
      const by = groupBy && `&groupBy=${groupBy}`;
      const summary = await owner('GET', `/v1/analytics/summary?from=2026-05-30T00:00:00Z${by}`);
      expect([summary.status, summary.json.requests]).toEqual([200, 3]);
      const series = await owner('GET', `/v1/analytics/timeseries?from=2026-05-30T00:00:00Z${by}`);
      const spend = groupBy === 'threatType' ? summary : await owner('GET', `/v1/analytics/spend?month=${MONTH}${by}`);
      expect(spend.json.requests).toBeGreaterThan(0);
      for (const { json } of [summary, series, spend]) expectNothingOf(legal, json);
      for (const { group, requests } of summary.json.groups ?? []) {
        if (groupBy === 'teamId') expect([group, requests]).toEqual([shop.id, 3]);
        if (groupBy === 'threatType') expect(requests).toBe(1);
        else expect(requests).toBe(3);
      }
    },
  );

  test("reads the team's spend against its budget, and the name of no other team", async () => {
    const budget = { usd: 30, period: 'calendarMonth' };
    for (const { id } of [shop, legal]) await teams.service.call('PATCH', `/teams/${id}`, { body: { budget } });
    const { json } = await owner('GET', `/v1/analytics/spend?month=${MONTH}&groupBy=teamId`);
    expect(json.groups).toMatchObject([{ group: shop.id, label: 'shop', budget: { monthUsd: 30 } }]);
    const all = (await teams.service.callAt('GET', `/v1/analytics/spend?month=${MONTH}&groupBy=teamId`)).json;
    const labels = all.groups.map(({ label }: { label: string | null }) => label);
    expect(labels).toEqual(expect.arrayContaining(['shop', 'legal']));
  });

  test('cannot send the reports of the deployment anywhere, nor read alerts', async () => {
    const webhook = { url: 'https://a.example', events: ['spend.report'] };
    const alert = { name: 'A', metric: 'requests', threshold: 1 };
    const statuses = [
      await owner('POST', '/v1/admin/webhooks', webhook),
      await owner('GET', '/v1/admin/webhooks'),
      await owner('POST', '/v1/admin/alerts', alert),
      await owner('GET', '/v1/admin/alerts'),
      await owner('GET', '/v1/admin/alerts/alert_1/history'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 403, 403]);
  });

  test('gets no totals that are counted for all teams together', async () => {
    expect((await owner('GET', '/v1/analytics/summary?groupBy=endUserId')).status).toBe(403);
    expect((await owner('GET', '/v1/analytics/summary?interval=1m')).status).toBe(400);
  });

  test('makes, changes, rotates and revokes keys of the team', async () => {
    const made = await owner('POST', '/v1/admin/keys', { name: 'By the owner', budget: { usd: 5, period: 'day' } });
    expect([made.status, made.json.teamId]).toEqual([201, shop.id]);
    const path = `/v1/admin/keys/${made.json.id}`;
    expect((await owner('PATCH', path, { name: 'Renamed', allowedModels: ['gpt-*'] })).json.name).toBe('Renamed');
    expect((await owner('POST', `${path}/rotate`)).status).toBe(200);
    expect((await owner('GET', `${path}/usage`)).status).toBe(200);
    expect((await owner('DELETE', path)).json.state).toBe('revoked');
    const { json } = await teams.service.call('GET', '/audit?limit=4');
    expect(json.data.map((one: { action: string }) => one.action)).toEqual([
      ...['key.revoked', 'key.rotated', 'key.updated', 'key.created'],
    ]);
  });

  test.each<[string, object]>([
    ['of another team', { teamId: 'other' }],
    ['with rights over the deployment', { permissions: ['admin'] }],
    ['with the rights of security', { permissions: ['security'] }],
    ['with the rights of an operator', { permissions: ['chat_completions', 'operator'] }],
    ['that approves calls', { permissions: ['approvals'] }],
    ['with a policy', { policy: { preset: 'strict' } }],
    ["with tags, which choose other teams' budgets", { tags: { team: 'legal' } }],
    ['without limits while the store is down', { onStoreFailure: 'open' }],
    ['with a credential', { credentialId: `cred_${'0'.repeat(32)}` }],
  ])('cannot make or change a key into one %s', async (_, fields) => {
    const body = 'teamId' in fields ? { teamId: legal.id } : fields;
    const made = await owner('POST', '/v1/admin/keys', { name: 'More', ...body });
    expect([made.status, made.json.error.code]).toEqual([403, 'insufficient_permissions']);
    const changed = await owner('PATCH', `/v1/admin/keys/${shop.keyId}`, body);
    expect([changed.status, changed.json.error.code]).toEqual([403, 'insufficient_permissions']);
  });

  test('cannot move a key out of the team, or get the secret of one with more rights', async () => {
    expect((await owner('PATCH', `/v1/admin/keys/${shop.keyId}`, { teamId: null })).status).toBe(403);
    const { id } = await teams.newKey({ teamId: shop.id, permissions: ['admin'] });
    expect((await owner('POST', `/v1/admin/keys/${id}/rotate`)).status).toBe(403);
    expect((await owner('PATCH', `/v1/admin/keys/${id}`, { name: 'Mine' })).status).toBe(200);
  });

  test('reads the audit entries of the team alone, by pages whose cursors are its entries', async () => {
    const { json: moved } = await teams.service.call('POST', '/keys', { body: { name: 'Moves', teamId: legal.id } });
    await teams.service.call('PATCH', `/keys/${moved.id}`, { body: { teamId: shop.id } });
    await teams.service.call('PATCH', `/keys/${moved.id}`, { body: { name: 'Moved' } });
    await teams.service.call('PATCH', `/teams/${legal.id}`, { body: { maxKeys: 100 } });
    await owner('GET', `/v1/approvals/${shop.approvalId}`);
    await owner('GET', `/v1/analytics/requests/${shop.requestId}/capture`);
    await owner('GET', `/v1/analytics/requests/${legal.requestId}/capture`);
    const [first] = (await teams.service.call('GET', '/audit?limit=1')).json.data;
    const found = [];
    // A cursor of all entries is a place in those of the team.
    for (let cursor: string | null = String(first.seq + 1); cursor !== null; ) {
      const { status, json } = await owner('GET', `/v1/admin/audit?limit=2&cursor=${cursor}`);
      expect([status, json.head]).toEqual([200, null]);
      expectNothingOf(legal, json);
      found.push(...json.data);
      cursor = json.nextCursor;
      if (cursor !== null) expect(cursor).toBe(String(json.data.at(-1).seq - 1));
    }
    expect((await owner('GET', '/v1/admin/audit?limit=100')).json.data).toEqual(found);
    expect(found.map(({ teamId }) => teamId)).toEqual(found.map(() => shop.id));
    expect(found.slice(0, 3).map(({ action, target }) => [action, target.id])).toEqual([
      ['capture.read', shop.requestId],
      ['approval.read', shop.approvalId],
      ['key.updated', moved.id],
    ]);
    expect(found.at(-1)).toMatchObject({ action: 'team.created', target: { id: shop.id } });
    for (const filter of [`target=${legal.id}`, `target=${legal.keyId}`, 'targetType=identity', 'actor=operator']) {
      const { status, json } = await owner('GET', `/v1/admin/audit?${filter}`);
      expect([filter, status, json.data, json.nextCursor, json.searchedTo]).toEqual([filter, 200, [], null, null]);
    }
    const ofKey = (await owner('GET', `/v1/admin/audit?target=${moved.id}&limit=1`)).json;
    expect(ofKey.data).toEqual(found.filter(({ target }) => target.id === moved.id));
    // The move names both teams, so that neither owner sees it.
    const { data } = (await teams.service.call('GET', '/audit?limit=100')).json;
    expect(data.filter(({ target }: AuditFact) => target.id === moved.id)).toMatchObject([
      { teamId: shop.id },
      { before: { teamId: legal.id }, after: { teamId: shop.id } },
      { teamId: legal.id },
    ]);
    const report = await verifyChain(
      (async function* () {
        for (const { object: _, hash, ...record } of data) yield { record, hash };
      })(),
      { head: undefined, expiredBeforeMs: 0 },
    );
    expect([report.count, report.faults]).toEqual([data.length, []]);
  });

  test('stops identities of the team alone, and enables none', async () => {
    const change = (id: string, state: string) => owner('PATCH', `/v1/admin/identities/${id}`, { state });
    expect((await change(legal.identityId, 'disabled')).status).toBe(404);
    expect((await owner('GET', `/v1/admin/identities/${legal.identityId}/usage`)).status).toBe(404);
    expect((await owner('GET', `/v1/admin/identities/${shop.identityId}/usage`)).json.shared).toHaveLength(1);
    expect((await change(shop.identityId, 'disabled')).json).toMatchObject({ state: 'disabled', teamId: shop.id });
    expect((await change(shop.identityId, 'active')).status).toBe(403);
    const [entry] = (await owner('GET', '/v1/admin/audit?limit=1')).json.data;
    expect(entry).toMatchObject({ action: 'identity.disabled', target: { id: shop.identityId }, teamId: shop.id });
    const { json: all } = await teams.service.call('GET', '/identities?limit=1');
    const rest = await owner('GET', `/v1/admin/identities?cursor=${all.nextCursor}`);
    expect([rest.status, textOf(rest.json).includes(legal.identityId)]).toEqual([200, false]);
    expect((await owner('GET', '/v1/admin/identity')).status).toBe(403);
  });

  test('decides on calls of the team alone', async () => {
    const decision = { decision: 'approve' };
    expect((await owner('POST', `/v1/approvals/${legal.approvalId}`, decision)).status).toBe(404);
    expect((await owner('POST', `/v1/approvals/${shop.approvalId}`, decision)).json.state).toBe('approved');
  });
});

describe('a key of a team', () => {
  test('with analytics reads the data of its team alone', async () => {
    const { key } = await teams.newKey({ teamId: shop.id, permissions: ['analytics'] });
    const call = teams.withKey(key);
    for (const list of ['requests', 'threats', 'sessions', 'tools']) {
      const { status, json } = await call('GET', `/v1/analytics/${list}`);
      expect([list, status, json.data.length > 0]).toEqual([list, 200, true]);
      expectNothingOf(legal, json);
    }
    expect((await call('GET', `/v1/analytics/requests/${legal.requestId}`)).status).toBe(404);
  });

  test('with approvals decides on calls of other keys of its team alone', async () => {
    const { key } = await teams.newKey({ teamId: legal.id, permissions: ['approvals'] });
    const call = teams.withKey(key);
    const decision = { decision: 'deny' };
    expect((await call('POST', `/v1/approvals/${shop.approvalId}`, decision)).status).toBe(404);
    expect((await call('POST', `/v1/approvals/${legal.approvalId}`, decision)).json.state).toBe('denied');
  });
});

describe('a person who is no longer a member', () => {
  const setMembers = (id: string, members: object[]) =>
    teams.service.call('PATCH', `/teams/${id}`, { body: { members } });
  const email = ['lead@docs.example'];

  test('of an entry with an issuer is found by tokens of that issuer alone', async () => {
    const { json: team } = await teams.service.call('POST', '/teams', { body: { name: 'Ledger' } });
    const ledger = ['lead@ledger.example'];
    const by = (iss: string) => [{ match: { iss: [iss], email: ledger }, role: 'owner' }];
    await setMembers(team.id, by('https://other.example'));
    expect(await teams.signIn({ email: ledger[0] })).toBeUndefined();
    await setMembers(team.id, by(teams.issuerUrl));
    const call = (await teams.signIn({ email: ledger[0] })) as Call;
    expect((await call('GET', '/v1/admin/session')).json.team).toMatchObject({ id: team.id, role: 'owner' });
    await setMembers(team.id, by('https://other.example'));
    expect((await call('GET', '/v1/admin/keys')).status).toBe(403);
  });

  test('loses access with the next request, also to a lower role, a disabled and a deleted team', async () => {
    const { json: team } = await teams.service.call('POST', '/teams', { body: { name: 'Docs' } });
    await setMembers(team.id, [{ match: { email }, role: 'owner' }]);
    const call = (await teams.signIn({ email: email[0] })) as Call;
    const statuses = async () => [
      (await call('GET', '/v1/admin/keys')).status,
      (await call('GET', '/v1/analytics/requests')).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    expect((await call('GET', '/v1/admin/session')).json.team).toEqual({ id: team.id, name: 'Docs', role: 'owner' });
    await setMembers(team.id, [{ match: { email }, role: 'viewer' }]);
    expect(await statuses()).toEqual([403, 200]);
    await setMembers(team.id, []);
    expect(await statuses()).toEqual([403, 403]);
    await setMembers(team.id, [{ match: { email }, role: 'owner' }]);
    await teams.service.call('PATCH', `/teams/${team.id}`, { body: { state: 'disabled' } });
    expect(await statuses()).toEqual([403, 403]);
    await teams.service.call('PATCH', `/teams/${team.id}`, { body: { state: 'active' } });
    expect(await statuses()).toEqual([200, 200]);
    await teams.service.call('DELETE', `/teams/${team.id}`);
    expect(await statuses()).toEqual([403, 403]);
  });

  test('and one whose e-mail address is not verified, or that nothing names, is not signed in', async () => {
    expect(await teams.signIn({ email: 'owner@shop.example', email_verified: false })).toBeUndefined();
    expect(await teams.signIn({ email: 'owner@shop.example', email_verified: 'true' })).toBeUndefined();
    expect(await teams.signIn({ email: 'owner@shop.example.net' })).toBeUndefined();
  });

  test('is refused if more claims decide than a cookie holds', async () => {
    const groups = Array.from({ length: 200 }, (_, at) => `docs-${at}-${'x'.repeat(20)}`);
    const { json: team } = await teams.service.call('POST', '/teams', { body: { name: 'Many' } });
    await setMembers(team.id, [{ match: { groups: ['docs-*'] }, role: 'viewer' }]);
    expect(await teams.signIn({ groups })).toBeUndefined();
    // Groups that no team names take no place.
    await setMembers(team.id, [{ match: { groups: ['docs-7-*'] }, role: 'viewer' }]);
    expect(await teams.signIn({ groups })).toBeDefined();
  });
});
