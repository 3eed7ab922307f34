import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { expectError } from '../reply.ts';

const HOOK = { url: 'https://alerts.example.com/svc', events: ['request.blocked', 'key.created'] };

/** Guarantees of the webhook API for administrators. */
export function webhookContract(contract: Contract): void {
  const register = async (fields: object = {}) => {
    const reply = await contract.admin('POST', '/webhooks', { ...HOOK, ...fields });
    expect(reply.status).toBe(201);
    return reply.json as { id: string; secret: string };
  };

  describe('webhooks', () => {
    test('are created with the given settings and defaults, and their secret is returned once', async () => {
      const { secret, ...shown } = await register();
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(shown).toEqual({
        ...HOOK,
        id: expect.stringMatching(/^wh_[0-9a-f]{32}$/),
        object: 'webhook',
        format: 'svc',
        description: null,
        filter: {},
        state: 'active',
        disabledReason: null,
        failingSince: null,
        createdAt: expect.any(String),
        previousSecrets: [],
      });
      const got = await contract.admin('GET', `/webhooks/${shown.id}`);
      expect([got.status, got.json]).toEqual([200, shown]);
      expect(got.text).not.toContain('whsec_');
    });

    test('are listed, each once, newest first, page by page, without a secret', async () => {
      const made: string[] = [];
      for (let at = 0; at < 5; at += 1) made.push((await register({ description: `page ${at}` })).id);
      const ids: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null && ids.length < 200) {
        const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await contract.admin('GET', `/webhooks?limit=2${after}`);
        expect(page.json).toMatchObject({ object: 'list' });
        expect(page.text).not.toContain('whsec_');
        ids.push(...page.json.data.map(({ id }: { id: string }) => id));
        cursor = page.json.nextCursor;
      }
      expect(ids.filter((id) => made.includes(id))).toEqual([...made].reverse());
      expect(new Set(ids).size).toBe(ids.length);
    });

    test('are changed, disabled and enabled; other fields stay', async () => {
      const { id, secret: _, ...before } = await register({ filter: { minThreatScore: 0.5 } });
      const patch = async (body: object) => (await contract.admin('PATCH', `/webhooks/${id}`, body)).json;
      expect(await patch({ description: 'on call' })).toEqual({ ...before, id, description: 'on call' });
      expect(await patch({ state: 'disabled' })).toMatchObject({ state: 'disabled', disabledReason: 'admin' });
      expectError(await contract.admin('POST', `/webhooks/${id}/test`), 'conflict');
      expect(await patch({ state: 'active', filter: { environments: ['Production'] } })).toEqual({
        ...before,
        id,
        description: 'on call',
        filter: { environments: ['Production'] },
      });
    });

    test('get a new secret, returned once; the old one also signs until the grace ends', async () => {
      const { id, secret } = await register();
      const rotated = await contract.admin('POST', `/webhooks/${id}/rotate-secret`);
      expect(rotated.status).toBe(200);
      expect(rotated.json.secret).not.toBe(secret);
      const [{ validUntil }] = rotated.json.previousSecrets;
      expect(Date.parse(validUntil) - Date.now()).toBeGreaterThan(86_000_000);
      const again = await contract.admin('POST', `/webhooks/${id}/rotate-secret`, { graceSeconds: 0 });
      expect(again.json.previousSecrets).toEqual([]);
      expect((await contract.admin('GET', `/webhooks/${id}`)).text).not.toContain('whsec_');
    });

    test('are sent a test event, whose id is returned', async () => {
      const { id } = await register();
      const reply = await contract.admin('POST', `/webhooks/${id}/test`);
      expect([reply.status, reply.json]).toEqual([
        202,
        { object: 'webhook.test', webhookId: id, eventId: expect.stringMatching(/^evt_[0-9a-f]{32}$/) },
      ]);
    });

    test('are deleted for good', async () => {
      const { id } = await register();
      expect((await contract.admin('DELETE', `/webhooks/${id}`)).json).toEqual({
        object: 'webhook.deletion',
        id,
        deleted: true,
      });
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['PATCH', ''],
        ['POST', '/test'],
        ['POST', '/rotate-secret'],
      ] as const) {
        const body = method === 'PATCH' ? {} : undefined;
        expectError(await contract.admin(method, `/webhooks/${id}${path}`, body), 'not_found');
      }
    });

    test.each([
      ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
      ['an address of metadata, in another notation', { url: 'https://0xa9fea9fe/latest' }, 'url'],
      ['an address that is not https', { url: 'ftp://example.com/' }, 'url'],
      ['credentials in the address', { url: 'https://a:b@example.com/' }, 'url'],
      ['no address', { url: 'example' }, 'url'],
      ['an address that is too long', { url: `https://example.com/${'a'.repeat(2_048)}` }, 'url'],
      ['no events', { events: [] }, 'events'],
      ['an event that is none', { events: ['key.created', 'key.eaten'] }, 'events[1]'],
      ['a test, which none can want', { events: ['webhook.test'] }, 'events[0]'],
      ['a score that is none', { filter: { minThreatScore: 2 } }, 'filter.minThreatScore'],
      ['a type that is none', { filter: { threatTypes: ['rudeness'] } }, 'filter.threatTypes[0]'],
      ['an unknown field', { colour: 'red' }, 'colour'],
      ['an unknown field inside', { filter: { colour: 'red' } }, 'filter.colour'],
      ['a secret of its own', { secret: 'whsec_mine' }, 'secret'],
      ['a state', { state: 'disabled' }, 'state'],
    ])('are refused with %s, which is named', async (_, fields, param) => {
      expectError(await contract.admin('POST', '/webhooks', { ...HOOK, ...fields }), 'invalid_value', param);
    });

    test('are refused without an address, and cannot be changed to invalid settings', async () => {
      expectError(await contract.admin('POST', '/webhooks', { events: HOOK.events }), 'missing_field', 'url');
      const { id } = await register();
      const patch = (body: object) => contract.admin('PATCH', `/webhooks/${id}`, body);
      expectError(await patch({ url: 'https://192.168.0.1/' }), 'invalid_value', 'url');
      expectError(await patch({ secrets: [] }), 'invalid_value', 'secrets');
      expectError(await patch({ disabledReason: null }), 'invalid_value', 'disabledReason');
      const grace = { graceSeconds: -1 };
      expectError(
        await contract.admin('POST', `/webhooks/${id}/rotate-secret`, grace),
        'invalid_value',
        'graceSeconds',
      );
      expectError(await contract.admin('GET', '/webhooks?cursor=garbage'), 'invalid_value', 'cursor');
    });

    test('are for administrators alone', async () => {
      const { id } = await register();
      const reader = await contract.newKey({ permissions: ['analytics'] });
      for (const [method, path, body] of [
        ['POST', '/webhooks', JSON.stringify(HOOK)],
        ['GET', '/webhooks', undefined],
        ['GET', `/webhooks/${id}`, undefined],
        ['PATCH', `/webhooks/${id}`, '{}'],
        ['DELETE', `/webhooks/${id}`, undefined],
        ['POST', `/webhooks/${id}/rotate-secret`, '{}'],
        ['POST', `/webhooks/${id}/test`, undefined],
      ] as const) {
        const reply = await contract.call(`/admin${path}`, body, { method, key: reader });
        expectError(reply, 'insufficient_permissions');
      }
    });

    test('are audited without their secrets', async () => {
      const { id } = await register();
      await contract.admin('PATCH', `/webhooks/${id}`, { description: 'changed' });
      await contract.admin('POST', `/webhooks/${id}/rotate-secret`, {});
      await contract.admin('POST', `/webhooks/${id}/test`);
      await contract.admin('DELETE', `/webhooks/${id}`);
      const { json, text } = await contract.admin('GET', '/audit?limit=5');
      expect(json.data.map(({ action }: { action: string }) => action)).toEqual([
        'webhook.deleted',
        'webhook.tested',
        'webhook.secret_rotated',
        'webhook.updated',
        'webhook.created',
      ]);
      for (const { target } of json.data) expect(target).toEqual({ type: 'webhook', id });
      expect(json.data[3]).toMatchObject({ before: { description: null }, after: { description: 'changed' } });
      expect(text).not.toContain('whsec_');
    });
  });
}
