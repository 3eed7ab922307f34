import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '../../support/mock-upstream/behaviour.ts';
import { AUDIENCE, TokenIssuer } from '../../support/token-issuer.ts';
import { Contract, saying } from '../contract.ts';
import type { Reply } from '../reply.ts';
import type { ProviderSettings, Service } from '../service.ts';

/** Two minutes of words. */
const LONG: Behaviour = { pieces: Array(1_200).fill('word '), delayMs: 100, usage: null };

/** Tokens of an issuer in place of keys. `start` gets the issuer in the service's settings. */
export function identityContract(
  start: (providers: ProviderSettings, settings: { SVC_IDENTITY: string }) => Promise<Service>,
): void {
  const issuer = new TokenIssuer();
  const rules = [
    { id: 'engineers', match: { groups: ['engineer*'] }, permissions: ['chat_completions', 'audio'] },
    { id: 'readers', match: { sub: ['reader-*'] }, permissions: ['analytics'] },
    { id: 'admins', match: { groups: ['admins'] }, permissions: ['admin'] },
  ];
  const settings = () => ({
    SVC_IDENTITY: JSON.stringify({ issuers: [{ issuer: issuer.url, audience: [AUDIENCE], rules }] }),
  });
  const contract = new Contract((providers) => start(providers, settings()), {});
  let engineer: string;
  beforeAll(async () => {
    await issuer.start();
    engineer = await issuer.token({ sub: 'sue', groups: ['everyone', 'engineering'] });
    await contract.start();
  });
  afterAll(async () => {
    await contract.stop();
    issuer.stop();
  });
  const identityOf = async (subject: string) =>
    (await contract.admin('GET', '/identities')).json.data.find((one: { subject: string }) => one.subject === subject);

  describe('a token of a configured issuer', () => {
    test.each(['authorization', 'x-api-key', 'x-goog-api-key', 'x-svc-api-key'])('is taken from %s', async (name) => {
      const value = name === 'authorization' ? `Bearer ${engineer}` : engineer;
      const reply = await contract.chat(saying('Hi'), { key: '', headers: { [name]: value } });
      expect([reply.status, reply.json.error]).toEqual([200, undefined]);
    });

    test('makes its caller known, and the caller has the rights of the rule', async () => {
      expect((await contract.chat(saying('Hi'), { key: engineer })).status).toBe(200);
      const identity = await identityOf('sue');
      expect(identity).toMatchObject({ issuer: issuer.url, rule: 'engineers', state: 'active' });
      expect(identity.id).toMatch(/^idn_[0-9a-f]{32}$/);
      const refused = await contract.call('/embeddings', JSON.stringify({ model: 'x', input: 'x' }), { key: engineer });
      expect(refused.status).toBe(403);
      const records = () => contract.analytics(`/requests?keyId=${identity.id}`);
      const { json } = await contract.settled(records, (reply) => reply.json.data.length > 0);
      expect(json.data[0].keyId).toBe(identity.id);
      const usage = (await contract.admin('GET', `/identities/${identity.id}/usage`)).json;
      expect(usage).toMatchObject({ keyId: identity.id, requests: { limit: 1_000 }, concurrent: { limit: 50 } });
    });

    test('that no rule matches is a 403', async () => {
      const token = await issuer.token({ sub: 'eve', groups: ['sales'] });
      const reply = await contract.chat(saying('Hi'), { key: token });
      expect([reply.status, reply.json.error.code]).toEqual([403, 'insufficient_permissions']);
    });

    test('reaches the admin API by a rule with that permission, and changes are in the audit log', async () => {
      const key = await issuer.token({ sub: 'ada', groups: ['admins'] });
      const made = await contract.call('/admin/keys', JSON.stringify({ name: 'by a token' }), { key });
      expect(made.status).toBe(201);
      const { id } = await identityOf('ada');
      const [entry] = (await contract.admin('GET', '/audit?limit=1')).json.data;
      expect(entry).toMatchObject({ actor: { type: 'key', id }, action: 'key.created' });
      expect((await contract.call('/admin/keys', undefined, { key: engineer })).status).toBe(403);
    });

    test('keeps what is its own when the token is renewed, and no other identity has it', async () => {
      const [first, renewed, other] = await Promise.all(
        [{ sub: 'sue' }, { sub: 'sue', jti: '2' }, { sub: 'ben' }].map((claims) =>
          issuer.token({ ...claims, groups: ['engineers'] }),
        ),
      );
      const once = (key = '', content = 'Hi') =>
        contract.chat(saying(content), { key, headers: { 'idempotency-key': 'one', 'x-session-id': 'session-1' } });
      const answer = await once(first);
      const calls = contract.upstream.requests.length;
      expect((await once(renewed)).text).toBe(answer.text);
      expect(contract.upstream.requests).toHaveLength(calls);
      const ofOther = await once(other, 'Another text');
      expect([ofOther.status, contract.upstream.requests.length]).toEqual([200, calls + 1]);
      const stored = JSON.stringify({ model: 'gpt-4o-mini', input: 'Hi', store: true });
      const { id } = (await contract.call('/responses', stored, { key: first as string })).json;
      const follow = JSON.stringify({ model: 'gpt-4o-mini', input: 'Hi', previous_response_id: id });
      const statusFor = async (key = '') => (await contract.call('/responses', follow, { key })).status;
      expect(await Promise.all([statusFor(renewed), statusFor(other)])).toEqual([200, 404]);
      const sessions = () => contract.analytics('/sessions?limit=100');
      const ids = (reply: Reply) =>
        reply.json.data
          .filter((one: { id: string }) => one.id === 'session-1')
          .map((one: { keyId: string }) => one.keyId);
      const listed = await contract.settled(sessions, (reply) => ids(reply).length === 2);
      expect(ids(listed).sort()).toEqual([(await identityOf('sue')).id, (await identityOf('ben')).id].sort());
    });

    test('cancels its own streams only, and they end once it is disabled', async () => {
      const [key = '', other = ''] = await Promise.all(
        ['streamer', 'ben'].map((sub) => issuer.token({ sub, groups: ['engineers'] })),
      );
      const begin = async () => {
        contract.upstream.next(LONG);
        const response = await contract.fetch(
          '/chat/completions',
          JSON.stringify({ ...saying('Go on'), stream: true }),
          { key },
        );
        return { id: response.headers.get('x-request-id'), text: response.text() };
      };
      const cancel = (id: string | null, by: string) =>
        contract.call(`/requests/${id}/cancel`, undefined, { method: 'POST', key: by });
      const [first, second] = [await begin(), await begin()];
      expect((await cancel(first.id, other)).status).toBe(404);
      expect((await cancel(first.id, key)).status).toBe(200);
      expect(await first.text).toContain('request_cancelled');
      await contract.admin('PATCH', `/identities/${(await identityOf('streamer')).id}`, { state: 'disabled' });
      expect(await second.text).toContain('request_cancelled');
    });

    test('of an owner makes and sees keys of their team alone, until they are no member any more', async () => {
      const members = [{ match: { lead: ['shop'] }, role: 'owner' }];
      const newTeam = async (body: object) => (await contract.admin('POST', '/teams', body)).json.id as string;
      const teamId = await newTeam({ name: 'Shop', members });
      const other = await contract.createKey({ teamId: await newTeam({ name: 'Search' }) });
      const key = await issuer.token({ sub: 'lea', groups: ['engineering'], lead: 'shop' });
      const call = (path: string, body?: object) => contract.call(path, body && JSON.stringify(body), { key });
      const made = await contract.settled(
        () => call('/admin/keys', { name: 'By the owner' }),
        ({ status }) => status !== 403,
      );
      expect([made.status, made.json.teamId]).toEqual([201, teamId]);
      const listed = (await call('/admin/keys')).json.data.map((one: { id: string }) => one.id);
      expect(listed).toEqual([made.json.id]);
      expect((await call(`/admin/keys/${other.id}`)).status).toBe(404);
      expect((await call('/analytics/requests')).status).toBe(200);
      expect((await call('/admin/policy')).status).toBe(403);
      await contract.admin('PATCH', `/teams/${teamId}`, { members: [] });
      await contract.settled(
        () => call('/admin/keys'),
        ({ status }) => status === 403,
      );
    });

    test('ends within 30 s after its identity was disabled, and works again after it was enabled', async () => {
      const key = await issuer.token({ sub: 'reader-1' });
      const ask = () => contract.call('/models', undefined, { key });
      expect((await ask()).status).toBe(200);
      const { id } = await identityOf('reader-1');
      const switched = await contract.admin('PATCH', `/identities/${id}`, { state: 'disabled' });
      expect(switched.json).toMatchObject({ id, state: 'disabled' });
      const refused = await contract.everywhere(ask, ({ status }) => status !== 200);
      expect([refused.status, refused.json.error.code]).toEqual([401, 'invalid_api_key']);
      expect(refused.json.error.message).toBe('An administrator has disabled this identity.');
      await contract.admin('PATCH', `/identities/${id}`, { state: 'active' });
      await contract.everywhere(ask, ({ status }) => status === 200);
    });
  });
}
