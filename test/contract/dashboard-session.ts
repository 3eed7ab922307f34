import { describe, expect, test } from '@jest/globals';
import type { DashboardSession } from '../../functions/admin-api/contract.ts';
import { type CallOptions, type Contract, saying } from './contract.ts';
import { expectError, toReply } from './reply.ts';

export function dashboardSessionContract(contract: Contract): void {
  /** Signs in as a browser does, and gives what it then sends. */
  async function signIn(key: string) {
    const answer = await contract.fetch('/admin/session', JSON.stringify({ key }), { key: '' });
    const cookie = answer.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ');
    const session = (await answer.json()) as DashboardSession;
    return { status: answer.status, session, headers: { cookie }, change: { cookie, 'x-svc-csrf': session.csrfToken } };
  }

  const ask = async (path: string, options: CallOptions, body?: object) =>
    toReply(await contract.fetch(path, body && JSON.stringify(body), { key: '', ...options }));

  describe('a session of the dashboard', () => {
    test("has its key's permissions in the admin and analytics API until sign-out", async () => {
      const { id, key } = await contract.createKey({ name: 'On duty', permissions: ['admin'] });
      const { status, session, headers, change } = await signIn(key);
      expect([status, session]).toEqual([
        201,
        expect.objectContaining({ object: 'session', keyId: id, name: 'On duty' }),
      ]);
      expect((await ask('/admin/session', { headers })).json).toEqual(session);
      expect((await ask('/analytics/summary', { headers })).status).toBe(200);
      const made = await ask('/admin/keys', { headers: change }, { name: 'Made by a session' });
      expect([made.status, made.json.name]).toEqual([201, 'Made by a session']);
      const out = await contract.fetch('/admin/session', undefined, { method: 'DELETE', key: '', headers: change });
      expect([out.status, out.headers.getSetCookie()]).toEqual([200, [expect.stringContaining('Max-Age=0')]]);
    });

    test('changes nothing without its token', async () => {
      const { headers } = await signIn(contract.service.adminKey);
      expectError(await ask('/admin/keys', { headers }, { name: 'never' }), 'insufficient_permissions');
      expectError(await ask('/admin/session', { headers, method: 'DELETE' }), 'insufficient_permissions');
    });

    test('ends with its key, at once', async () => {
      const { id, key } = await contract.createKey({ permissions: ['analytics'] });
      const { headers } = await signIn(key);
      await contract.admin('DELETE', `/keys/${id}`);
      expectError(await ask('/analytics/summary', { headers }), 'invalid_api_key');
    });

    test('cannot call models', async () => {
      const { change } = await signIn(contract.service.adminKey);
      expectError(await ask('/chat/completions', { headers: change }, saying('Hi', 'echo')), 'invalid_api_key');
      expectError(await ask('/guard', { headers: change }, { input: 'Hi' }), 'invalid_api_key');
      expectError(await ask('/models', { headers: change }), 'invalid_api_key');
    });

    test('needs a key with access to the dashboard', async () => {
      expectError(await ask('/admin/session', {}), 'invalid_api_key');
      expectError(await ask('/admin/session', {}, { key: 'svc_sk_mine' }), 'invalid_api_key');
      expectError(await ask('/admin/session', {}, { key: contract.key }), 'insufficient_permissions');
      expectError(await ask('/admin/session', {}, {}), 'missing_field', 'key');
      expect((await ask('/admin/session/options', {})).json).toEqual({ object: 'session.options', oidc: null });
    });
  });
}
