import { describe, expect, test } from '@jest/globals';
import type { DashboardSession } from '../../../functions/contract/index.ts';
import { type CallOptions, type Contract, saying } from '../contract.ts';
import { expectError, toReply } from '../reply.ts';

/** What a browser adds to a request from the dashboard's page. */
const FROM_PAGE = { 'sec-fetch-site': 'same-origin' };

export function dashboardSessionContract(contract: Contract): void {
  /** Signs in as a browser does, and gives what it then sends. */
  async function signIn(key: string) {
    const answer = await contract.fetch('/admin/session', JSON.stringify({ key }), { key: '', headers: FROM_PAGE });
    const cookie = answer.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ');
    const session = (await answer.json()) as DashboardSession;
    return {
      status: answer.status,
      session,
      headers: { cookie },
      change: { ...FROM_PAGE, cookie, 'x-svc-csrf': session.csrfToken },
    };
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

    test('changes nothing without its token, or without a sign of the page that asks', async () => {
      const { headers, session } = await signIn(contract.service.adminKey);
      for (const lacking of [FROM_PAGE, { 'x-svc-csrf': session.csrfToken }]) {
        const options = { headers: { ...headers, ...lacking } };
        expectError(await ask('/admin/keys', options, { name: 'never' }), 'insufficient_permissions');
        expectError(await ask('/admin/session', { ...options, method: 'DELETE' }), 'insufficient_permissions');
      }
      const body = { key: contract.service.adminKey };
      expectError(await ask('/admin/session', {}, body), 'insufficient_permissions');
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
      const fromPage = { headers: FROM_PAGE };
      expectError(await ask('/admin/session', {}), 'invalid_api_key');
      expectError(await ask('/admin/session', fromPage, { key: 'svc_sk_mine' }), 'invalid_api_key');
      expectError(await ask('/admin/session', fromPage, { key: contract.key }), 'insufficient_permissions');
      expectError(await ask('/admin/session', fromPage, {}), 'missing_field', 'key');
      expect((await ask('/admin/session/options', {})).json).toEqual({ object: 'session.options', oidc: null });
    });
  });
}
