import { describe, expect, test } from '@jest/globals';
import { keyOperations } from '../../../functions/contract/index.ts';
import { isApiKeyForm } from '../../../functions/control/keys/index.ts';
import { eventually } from '../../support/eventually.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError } from '../reply.ts';

export function adminContract(contract: Contract): void {
  describe('the admin API', () => {
    test('creates a key with the given settings and defaults, and returns its secret once', async () => {
      const { status, json } = await contract.admin('POST', '/keys', { name: 'Shop', environment: 'production' });
      expect(status).toBe(201);
      const { key, ...shown } = json;
      expect(isApiKeyForm(key)).toBe(true);
      expect(shown).toEqual({
        id: expect.stringMatching(/^key_/),
        object: 'key',
        name: 'Shop',
        environment: 'Production',
        permissions: ['chat_completions'],
        excludePermissions: [],
        rateLimit: { requests: 1000, period: 'hour' },
        tokenLimit: null,
        budget: null,
        maxConcurrent: 50,
        onStoreFailure: 'closed',
        ipWhitelist: [],
        allowedModels: [],
        allowedTools: [],
        policy: {},
        tags: {},
        credentialId: null,
        teamId: null,
        state: 'active',
        last4: key.slice(-4),
        createdAt: expect.any(String),
        expiresAt: null,
        lastUsedAt: null,
        previousSecrets: [],
      });
      const got = await contract.admin('GET', `/keys/${json.id}`);
      expect(got.json).toEqual(shown);
      expect(got.text).not.toMatch(/svc_sk_|secretHash/);
    });

    test('lists every key once, newest first, page by page, and no secret', async () => {
      const made: string[] = [];
      for (let at = 0; at < 5; at += 1) made.push((await contract.createKey({ name: `page ${at}` })).id);
      const ids: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null && ids.length < 200) {
        const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await contract.admin('GET', `/keys?limit=3${after}`);
        expect(page.json).toMatchObject({ object: 'list' });
        expect(page.json.data.length).toBeLessThanOrEqual(3);
        expect(page.text).not.toMatch(/svc_sk_|secretHash/);
        ids.push(...page.json.data.map(({ id }: { id: string }) => id));
        cursor = page.json.nextCursor;
      }
      expect(ids.filter((id) => made.includes(id))).toEqual([...made].reverse());
      expect(new Set(ids).size).toBe(ids.length);
    });

    test('finds keys by name, ending, environment and state', async () => {
      const made = await contract.createKey({ name: 'Needle in a Haystack', environment: 'Staging' });
      const other = await contract.createKey({ name: 'Another needle', environment: 'Production' });
      await contract.admin('PATCH', `/keys/${other.id}`, { state: 'disabled' });
      const found = async (query: string) => {
        const { status, json } = await contract.admin('GET', `/keys?${query}`);
        expect(status).toBe(200);
        return json.data.map(({ id }: { id: string }) => id);
      };
      expect(await found('search=NEEDLE')).toEqual([other.id, made.id]);
      expect(await found('search=needle&environment=staging')).toEqual([made.id]);
      expect(await found('search=needle&state=disabled')).toEqual([other.id]);
      expect(await found(`search=${made.id}`)).toEqual([made.id]);
      expect(await found(`search=${made.key.slice(-4)}&environment=Staging`)).toEqual([made.id]);
      const { json } = await contract.admin('GET', '/keys?search=needle&limit=1');
      expect(await found(`search=needle&limit=1&cursor=${json.nextCursor}`)).toEqual([made.id]);
      for (const [query, param] of [
        ['state=gone', 'state'],
        ['environment=Moon', 'environment'],
        ['name=x', 'name'],
      ]) {
        expectError(await contract.admin('GET', `/keys?${query}`), 'invalid_value', param);
      }
    });

    test("returns what is left of a key's limits", async () => {
      const usageOf = async (id: string) => (await contract.admin('GET', `/keys/${id}/usage`)).json;
      const newKey = () =>
        contract.createKey({
          rateLimit: { requests: 5, period: 'hour' },
          tokenLimit: { tokens: 10_000, period: 'day' },
          budget: { usd: 3, period: 'day' },
          maxConcurrent: 4,
        });
      const { id } = await newKey();
      const fresh = await usageOf(id);
      expect(keyOperations.getKeyUsage.response.body.safeParse(fresh).error).toBeUndefined();
      expect(fresh).toMatchObject({
        object: 'key.usage',
        keyId: id,
        requests: { limit: 5, remaining: 5 },
        tokens: { limit: 10_000, remaining: 10_000 },
        budget: { usd: 3, remainingUsd: 3 },
        concurrent: { limit: 4, remaining: 4 },
      });
      let used = 0;
      const useOne = async () => {
        const { id, key } = await newKey();
        const reply = await contract.chat(saying('Hi there', 'echo'), { key });
        used = (reply.json as { usage: { total_tokens: number } }).usage.total_tokens;
        // Settled in a background task, unless a late store has counted an admission whose response the gateway did not get.
        return eventually(
          () => usageOf(id),
          ({ concurrent, requests }) => concurrent.remaining >= 4 || requests.remaining < 4,
        );
      };
      const after = await eventually(useOne, ({ requests }) => requests.remaining === 4);
      expect(after).toMatchObject({ requests: { limit: 5 }, concurrent: { remaining: 4 } });
      expect(Math.abs(after.tokens.remaining - (10_000 - used))).toBeLessThanOrEqual(2);
      expect(Date.parse(after.requests.fullAt)).toBeGreaterThan(Date.parse(after.at));
      const plain = (
        await contract.admin('GET', `/keys/${(await contract.createKey({ maxConcurrent: null })).id}/usage`)
      ).json;
      expect(plain).toMatchObject({ tokens: null, budget: null, concurrent: null });
      expectError(await contract.admin('GET', '/keys/key_none/usage'), 'not_found');
    });

    test('changes only the named fields', async () => {
      const { id, key: _, ...before } = await contract.createKey({ name: 'before', tags: { team: 'a' } });
      const patched = await contract.admin('PATCH', `/keys/${id}`, { name: 'after', permissions: ['/v1/embeddings'] });
      expect(patched.status).toBe(200);
      expect(patched.json).toEqual({ ...before, id, name: 'after', permissions: ['embeddings'] });
    });

    test('revokes for good: the key stays listed and cannot be enabled', async () => {
      const { id, key } = await contract.createKey();
      for (const _ of [1, 2]) expect((await contract.admin('DELETE', `/keys/${id}`)).json.state).toBe('revoked');
      expect((await contract.admin('GET', `/keys/${id}`)).json.state).toBe('revoked');
      expectError(await contract.admin('PATCH', `/keys/${id}`, { state: 'active' }), 'not_found');
      expectError(await contract.chat(saying('Hi', 'echo'), { key }), 'invalid_api_key');
    });

    test('rotates a key: both secrets work until the grace ends, and the new one is returned once', async () => {
      const { id, key: old, ...before } = await contract.createKey({ name: 'to be rotated', allowedModels: ['ech*'] });
      const rotated = await contract.admin('POST', `/keys/${id}/rotate`, { graceSeconds: 3600 });
      expect(rotated.status).toBe(200);
      const { key, ...shown } = rotated.json;
      expect(isApiKeyForm(key)).toBe(true);
      expect(shown).toEqual({
        ...before,
        id,
        last4: key.slice(-4),
        previousSecrets: [{ last4: old.slice(-4), validUntil: expect.any(String) }],
      });
      for (const secret of [key, old]) {
        expect((await contract.chat(saying('Hi', 'echo'), { key: secret })).status).toBe(200);
        expectError(await contract.chat(saying('Hi'), { key: secret }), 'insufficient_permissions', 'model');
      }
      expect((await contract.admin('GET', `/keys/${id}`)).text).not.toMatch(/svc_sk_|[sS]ecretHash|"hash"/);
      await contract.admin('DELETE', `/keys/${id}`);
      expectError(await contract.admin('POST', `/keys/${id}/rotate`), 'not_found');
    });

    test('an unused old secret gets 401 at once without a grace', async () => {
      const { id, key: old } = await contract.createKey();
      const rotated = await contract.admin('POST', `/keys/${id}/rotate`, { graceSeconds: 0 });
      expectError(await contract.chat(saying('Hi', 'echo'), { key: old }), 'invalid_api_key');
      expect((await contract.chat(saying('Hi', 'echo'), { key: rotated.json.key })).status).toBe(200);
    });

    test('rotates with a grace of a day by default, and refuses an invalid grace', async () => {
      const { id } = await contract.createKey();
      const { json } = await contract.admin('POST', `/keys/${id}/rotate`);
      // Some clients declare a body that they do not send.
      const declared = await contract.call(`/admin/keys/${id}/rotate`, '', {
        method: 'POST',
        key: contract.service.adminKey,
      });
      expect(declared.status).toBe(200);
      const [{ validUntil }] = json.previousSecrets;
      expect(Date.parse(validUntil) - Date.now()).toBeGreaterThan(86_000_000);
      const refused = await contract.admin('POST', `/keys/${id}/rotate`, { graceSeconds: -1 });
      expectError(refused, 'invalid_value', 'graceSeconds');
    });

    test('returns when a key was last used', async () => {
      const { id, key } = await contract.createKey();
      await contract.chat(saying('Hi', 'echo'), { key });
      let lastUsedAt: string | null = null;
      while (lastUsedAt === null) ({ lastUsedAt } = (await contract.admin('GET', `/keys/${id}`)).json);
      expect(Math.abs(Date.parse(lastUsedAt) - Date.now())).toBeLessThan(60_000);
    });

    test.each([
      ['an unknown field', { name: 'x', colour: 'red' }, 'colour'],
      [
        'an unknown field inside',
        { name: 'x', rateLimit: { requests: 1, period: 'hour', extra: 1 } },
        'rateLimit.extra',
      ],
      ['a permission that is none', { name: 'x', permissions: ['fly'] }, 'permissions[0]'],
      ['a period that is none', { name: 'x', rateLimit: { requests: 1, period: 'fortnight' } }, 'rateLimit.period'],
      ['a limit of 0', { name: 'x', rateLimit: { requests: 0, period: 'hour' } }, 'rateLimit.requests'],
      ['an address that is none', { name: 'x', ipWhitelist: ['127.0.0.1', '10.0.0.1/8'] }, 'ipWhitelist[1]'],
      ['an environment that is none', { name: 'x', environment: 'Moon' }, 'environment'],
      ['an empty name', { name: ' ' }, 'name'],
      ['an end that is no time', { name: 'x', expiresAt: 'tomorrow' }, 'expiresAt'],
      ['a policy that is none', { name: 'x', policy: { preset: 'wild' } }, 'policy.preset'],
      ['a secret of its own', { name: 'x', key: 'svc_sk_mine' }, 'key'],
    ])('refuses a key with %s and names it', async (_, body, param) => {
      expectError(await contract.admin('POST', '/keys', body), 'invalid_value', param);
    });

    test('refuses a key without a name, unknown fields and an unknown key', async () => {
      expectError(await contract.admin('POST', '/keys', {}), 'missing_field', 'name');
      const { id } = await contract.createKey();
      expectError(await contract.admin('PATCH', `/keys/${id}`, { secretHash: 'x' }), 'invalid_value', 'secretHash');
      expectError(await contract.admin('PATCH', `/keys/${id}`, { state: 'revoked' }), 'invalid_value', 'state');
      for (const method of ['GET', 'DELETE']) expectError(await contract.admin(method, '/keys/key_none'), 'not_found');
      expectError(await contract.admin('PATCH', '/keys/key_none', { name: 'x' }), 'not_found');
    });

    test.each([['limit=0'], ['limit=101'], ['limit=x'], ['cursor=garbage']])(
      'refuses a list with %s',
      async (query) => {
        const reply = await contract.admin('GET', `/keys?${query}`);
        expectError(reply, 'invalid_value', query.split('=')[0] as string);
      },
    );

    test('records changes by administrators, each record with the hash of the previous one', async () => {
      const { id } = await contract.createKey();
      const { headers } = await contract.admin('PATCH', `/keys/${id}`, { name: 'renamed' });
      const { json } = await contract.admin('GET', '/audit?limit=2');
      const [updated, created] = json.data;
      expect(updated).toMatchObject({
        object: 'audit.entry',
        action: 'key.updated',
        target: { type: 'key', id },
        before: { name: 'contract' },
        after: { name: 'renamed' },
        from: { address: expect.stringMatching(/127\.0\.0\.1$/), requestId: headers.get('x-request-id') },
      });
      expect([created.action, updated.previousHash, updated.previousAt]).toEqual([
        'key.created',
        created.hash,
        created.at,
      ]);
      expect(json.head).toEqual({ seq: updated.seq, hash: updated.hash, at: updated.at });
    });

    test("versions the deployment's policy, and replaces the version that If-Match names", async () => {
      const before = await contract.admin('GET', '/policy');
      expect([before.status, before.headers.get('etag')]).toEqual([200, `"${before.json.version}"`]);
      const put = (ifMatch: string) =>
        contract.call('/admin/policy', '{}', {
          method: 'PUT',
          key: contract.service.adminKey,
          headers: { 'if-match': ifMatch },
        });
      const after = await put(`"${before.json.version}"`);
      expect([after.status, after.json.version]).toEqual([200, before.json.version + 1]);
      expectError(await put(`"${before.json.version}"`), 'version_conflict', 'If-Match');
      const { json } = await contract.admin('GET', '/policy/versions?limit=1');
      expect(json.data).toEqual([after.json]);
      expectError(await contract.admin('PUT', '/policy', { preset: 'wild' }), 'invalid_value', 'preset');
    });

    test("deletes an end user's data, including stored responses", async () => {
      const user = `user of ${process.pid}`;
      const headers = { 'x-end-user-id': user, 'idempotency-key': `once by ${user}` };
      const ask = () => contract.chat(saying('Hi', 'echo'), { headers });
      const first = await ask();
      expect((await ask()).text).toBe(first.text);
      const remove = () => contract.admin('DELETE', `/end-users/${encodeURIComponent(user)}`);
      expect((await remove()).json).toMatchObject({ object: 'end_user.deletion', deleted: { answers: 1 } });
      expect((await ask()).headers.get('x-svc-idempotent-replay')).toBeNull();
      await remove();
      expect((await remove()).json).toMatchObject({ deleted: { answers: 0 } });
    });

    test('requires the permission admin for each call', async () => {
      const { id } = await contract.createKey();
      for (const [method, path, body] of [
        ['POST', '/keys', '{"name":"x"}'],
        ['GET', '/keys', undefined],
        ['GET', `/keys/${id}`, undefined],
        ['PATCH', `/keys/${id}`, '{"name":"x"}'],
        ['DELETE', `/keys/${id}`, undefined],
        ['POST', `/keys/${id}/rotate`, '{}'],
        ['GET', '/audit', undefined],
        ['GET', '/policy', undefined],
        ['PUT', '/policy', '{}'],
        ['GET', '/policy/versions', undefined],
        ['DELETE', '/end-users/somebody', undefined],
      ] as const) {
        expectError(await contract.call(`/admin${path}`, body, { method }), 'insufficient_permissions');
      }
      expect((await contract.admin('GET', `/keys/${id}`)).json.state).toBe('active');
    });
  });
}
