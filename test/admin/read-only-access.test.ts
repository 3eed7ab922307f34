import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminDeps, AnalyticsDeps } from '../../functions/admin-api/admin-deps.ts';
import { adminRoutes, analyticsRoutes } from '../../functions/admin-api/app.ts';
import type { Route } from '../../functions/kernel/http/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

let admin: AdminApp;
let reading: string;
let all: string;
beforeAll(async () => {
  admin = await startAdminApp();
  const secretOf = async (permissions: string[], excludePermissions: string[] = []) =>
    (await admin.call('POST', '/keys', { body: { name: 'reader', permissions, excludePermissions } })).json.key;
  reading = await secretOf(['analytics']);
  all = await secretOf(['chat_completions', 'completions', 'embeddings', 'images', 'audio', 'analytics']);
});
afterAll(() => admin.stop());

const nothing: unknown = {};
const addresses = (routes: readonly Route[]) => routes.map(({ method, path }) => [method, addressOf(path)] as const);
/** A record is requested by its time too, names of keys by their ids. */
const QUERIES: Readonly<Record<string, string>> = {
  '/v1/analytics/requests/{id}': '?time=2026-01-01',
  '/v1/analytics/keys': '?ids=key_1',
};
const addressOf = (path: string) => path.replaceAll(/\{\w+\}/g, `req_${'0'.repeat(32)}`) + (QUERIES[path] ?? '');
/** All but saved views, which readers of the dashboard save too. */
const forAdministrators = addresses(adminRoutes(nothing as AdminDeps)).filter(
  ([, path]) => !path.startsWith('/v1/admin/views'),
);
const forReaders = addresses(analyticsRoutes(nothing as AnalyticsDeps));
const audited = async () => (await admin.call('GET', '/audit?limit=1')).json.head;

describe('a key with the permission analytics alone', () => {
  it.each(forAdministrators)('is refused: %s %s', async (method, path) => {
    const before = await audited();
    for (const key of [reading, all]) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const { status, json } = await admin.callAt(method, path, { key, ...(body && { body }) });
      expect([status, json.error.code]).toEqual([403, 'insufficient_permissions']);
    }
    expect(await audited()).toEqual(before);
  });

  it.each(forReaders)('can read, and cannot write there: %s %s', async (method, path) => {
    expect(method).toBe('GET');
    expect([200, 404]).toContain((await admin.callAt(method, path, { key: reading })).status);
    for (const other of ['POST', 'PUT', 'DELETE']) {
      expect((await admin.callAt(other, path, { key: reading, body: {} })).status).toBe(405);
    }
  });
});

describe('names of keys', () => {
  const names = (ids: string) => admin.callAt('GET', `/v1/analytics/keys?ids=${ids}`, { key: reading });

  it('are returned for many ids at once, without anything else of the keys', async () => {
    const { id } = (await admin.call('POST', '/keys', { body: { name: 'Shop' } })).json;
    const { status, json } = await names(`${id},key_none,${admin.admin.id},${id}`);
    expect([status, json.object]).toEqual([200, 'list']);
    expect(json.data).toHaveLength(2);
    expect(json.data).toContainEqual({ object: 'key.name', id, name: 'Shop' });
    expect(json.data).toContainEqual({ object: 'key.name', id: admin.admin.id, name: 'First admin key' });
  });

  it('of teams are too', async () => {
    const { id } = (await admin.call('POST', '/teams', { body: { name: 'Books' } })).json;
    const { json } = await names(`${id},team_none,${admin.admin.id}`);
    expect(json.data).toEqual([
      { object: 'key.name', id: admin.admin.id, name: 'First admin key' },
      { object: 'team.name', id, name: 'Books' },
    ]);
  });

  it.each(['', 'key_1,', 'key%231', Array.from({ length: 101 }, (_, at) => `key_${at}`).join(',')])(
    'are refused for ids that are none, and for more than a hundred: %.20s',
    async (ids) => {
      const { status, json } = await names(ids);
      expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_value', 'ids']);
    },
  );
});

describe('an administrator', () => {
  it('reads too, unless analytics is excluded', async () => {
    for (const [method, path] of forReaders) {
      expect([200, 404]).toContain((await admin.callAt(method, path)).status);
    }
    const body = { name: 'keys only', permissions: ['admin'], excludePermissions: ['analytics'] };
    const { key } = (await admin.call('POST', '/keys', { body })).json;
    for (const [method, path] of forReaders) expect((await admin.callAt(method, path, { key })).status).toBe(403);
    expect((await admin.call('GET', '/keys', { key })).status).toBe(200);
  });
});
