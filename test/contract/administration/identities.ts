import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AUDIENCE, TokenIssuer } from '../../support/token-issuer.ts';
import { Contract, saying } from '../contract.ts';
import type { ProviderSettings, Service } from '../service.ts';

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

    test('ends within 30 s after its identity was disabled, and works again after it was enabled', async () => {
      const key = await issuer.token({ sub: 'reader-1' });
      const ask = () => contract.call('/models', undefined, { key });
      expect((await ask()).status).toBe(200);
      const { id } = await identityOf('reader-1');
      const switched = await contract.admin('PATCH', `/identities/${id}`, { state: 'disabled' });
      expect(switched.json).toMatchObject({ id, state: 'disabled' });
      const refused = await contract.settled(ask, ({ status }) => status !== 200);
      expect([refused.status, refused.json.error.code]).toEqual([401, 'invalid_api_key']);
      expect(refused.json.error.message).toBe('An administrator has disabled this identity.');
      await contract.admin('PATCH', `/identities/${id}`, { state: 'active' });
      await contract.settled(ask, ({ status }) => status === 200);
    });
  });
}
