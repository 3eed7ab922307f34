import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '../../functions/kernel/http/index.ts';
import type { HttpHost } from '../../functions/server/http-host.ts';
import { startHttpHost } from '../../functions/server/index.ts';
import { DASHBOARD_HEADERS } from '../dashboard-site.ts';
import { withDashboard } from './dashboard-files.ts';

const PAGE = '<!doctype html><title>svc</title>';
const FONT = Uint8Array.from({ length: 256 }, (_, byte) => byte);

let folder: string;
const hosts: HttpHost[] = [];
/** Serves the folder's files beside an API that returns its request line. */
async function serve(name: string): Promise<string> {
  const api: App = async ({ method, url }) => ({
    status: 200,
    headers: {},
    body: `api ${method} ${new URL(url).pathname}`,
  });
  const app = await withDashboard(api, path.join(folder, name));
  const host = await startHttpHost(app, { port: 0, host: '127.0.0.1', maxBodyBytes: 1000 });
  hosts.push(host);
  return host.url;
}
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-dashboard-'));
  await mkdir(path.join(folder, 'dashboard', 'assets'), { recursive: true });
  await writeFile(path.join(folder, 'dashboard', 'index.html'), PAGE);
  await writeFile(path.join(folder, 'dashboard', 'favicon.svg'), '<svg/>');
  await writeFile(path.join(folder, 'dashboard', 'assets', 'index-abc.js'), 'export {};');
  await writeFile(path.join(folder, 'dashboard', 'assets', 'font-abc.woff2'), FONT);
  await writeFile(path.join(folder, 'secret.txt'), 'secret');
  url = await serve('dashboard');
});
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.stop(0)));
  await rm(folder, { recursive: true, force: true });
});

describe('the dashboard', () => {
  it.each([
    '/',
    '/dashboard',
    '/dashboard/keys',
    '/dashboard/threats/thr_1',
    '/dashboard/sessions/a.b',
    '/dashboard/keys?limit=1',
    '/dashboard/index.html',
  ])('is one page at %s, never cached', async (address) => {
    const answer = await fetch(url + address);
    expect([answer.status, await answer.text()]).toEqual([200, PAGE]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    for (const [name, value] of Object.entries(DASHBOARD_HEADERS)) expect(answer.headers.get(name)).toBe(value);
  });

  it('serves asset files unchanged, with a cache header', async () => {
    const script = await fetch(`${url}/dashboard/assets/index-abc.js`);
    expect([script.status, await script.text()]).toEqual([200, 'export {};']);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const font = await fetch(`${url}/dashboard/assets/font-abc.woff2`);
    expect(new Uint8Array(await font.arrayBuffer())).toEqual(FONT);
    expect((await fetch(`${url}/dashboard/favicon.svg`)).headers.get('cache-control')).toBe('no-cache');
  });

  it('responds to HEAD like GET, without a body', async () => {
    const answer = await fetch(url, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-length')).toBe(String(PAGE.length));
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each(['/dashboard/favicon.ico', '/dashboard/assets/index-old.js', '/dashboard/assets/', '/dashboard/.env'])(
    'has no file %s',
    async (address) => {
      const answer = await fetch(url + address);
      expect([answer.status, await answer.text()]).toEqual([404, 'There is no such file.\n']);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    },
  );

  it('serves no API paths, no ambiguous ones and no writes', async () => {
    for (const address of [
      '/dashboard/assets/..%2f..%2fsecret.txt',
      '/dashboard/..%2fsecret.txt',
      '/dashboard/%252e%252e/secret.txt',
      '/v1',
      '/v1/keys',
      '/v1beta/models/x',
      '/healthz',
      '/openapi.json',
      '/keys',
      '/dashboards',
      '/assets/a.js',
      '/.env',
    ]) {
      expect(await (await fetch(url + address)).text()).toBe(`api GET ${address}`);
    }
    expect(await (await fetch(`${url}/dashboard/keys`, { method: 'POST' })).text()).toBe('api POST /dashboard/keys');
  });

  it('says how to build it if it is missing', async () => {
    const answer = await fetch(`${await serve('nowhere')}/dashboard/keys`);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('scripts/build.mjs dashboard')]);
  });
});
