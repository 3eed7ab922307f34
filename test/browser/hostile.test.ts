import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { closeBrowser, signedIn, visit } from './browser.ts';
import { BLOCKED, type Dashboard, type NewKey, startDashboard } from './service.ts';

/** Each sets `window.hacked` if it is rendered as anything but text. */
const HOSTILE = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '"><svg onload=window.hacked=1>',
  "javascript:window.hacked=1//'",
  '{{constructor.constructor("window.hacked=1")()}}',
];
const ALL = HOSTILE.join(' ');

let dashboard: Dashboard;
let key: NewKey;
let webhookId: string;
let receiver: Server;

beforeAll(async () => {
  dashboard = await startDashboard();
  receiver = createServer((_, response) => response.writeHead(500).end(ALL));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/<script>window.hacked=1</script>`;
  ({ id: webhookId } = await dashboard.api('/admin/webhooks', { url, events: ['request.blocked'], description: ALL }));
  const alert = { name: ALL.slice(0, 128), metric: 'requests', threshold: 9, scope: { model: HOSTILE[0] } };
  await dashboard.api('/admin/alerts', alert);
  for (const name of HOSTILE) await dashboard.createKey({ name, tags: { [name.slice(0, 60)]: name } });
  key = await dashboard.createKey({ name: ALL.slice(0, 128), policy: { capture: 'full' }, tags: { a: ALL } });
  for (const text of HOSTILE) {
    const headers = { 'x-session-id': text, 'x-end-user-id': text, 'x-app-version': text, 'user-agent': text };
    await dashboard.chat(key.key, `${BLOCKED} ${ALL}`, { ...headers, 'x-environment': text });
  }
  await dashboard.api(
    '/admin/policy',
    { rules: [{ id: 'mine', literals: [HOSTILE[0]], action: 'flag', message: ALL }] },
    'PUT',
  );
});
afterAll(async () => {
  receiver.close();
  await closeBrowser();
  await dashboard.stop();
});

test('text from callers is rendered as text on every page, and runs no script', async () => {
  const { page, faults } = await signedIn(dashboard.url, dashboard.adminKey);
  const check = async (where: string, shown: string | undefined) => {
    if (shown !== undefined) await page.getByText(shown).first().waitFor({ state: 'attached' });
    const ran = await page.evaluate(() => ({
      hacked: 'hacked' in window,
      planted: document.querySelectorAll('img[src="x"], svg[onload], script:not([src]), a[href^="javascript:"]').length,
    }));
    expect([where, ran, faults]).toEqual([where, { hacked: false, planted: 0 }, []]);
  };
  const script = HOSTILE[0] as string;
  const session = `/dashboard/sessions/${encodeURIComponent(script)}`;
  for (const [path, shown] of [
    ['/', ALL.slice(0, 128)],
    ['/dashboard/keys', script],
    [`/dashboard/keys/${key.id}`, ALL],
    ['/dashboard/requests', undefined],
    [`/dashboard/requests?sessionId=${encodeURIComponent(script)}`, undefined],
    ['/dashboard/threats', undefined],
    ['/dashboard/sessions', script],
    [session, script],
    ['/dashboard/alerts', ALL.slice(0, 128)],
    ['/dashboard/webhooks', ALL],
    [`/dashboard/webhooks/${webhookId}`, undefined],
    ['/dashboard/audit', undefined],
    ['/dashboard/policy', undefined],
    ['/dashboard/start', undefined],
    [
      `/dashboard/threats?endUserId=${encodeURIComponent(script)}&rule=${encodeURIComponent('"><img src=x onerror=window.hacked=1>')}`,
      undefined,
    ],
    [`/dashboard/nowhere/${encodeURIComponent(script)}`, undefined],
  ] as const) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await check(path, shown);
  }

  await page.goto('/dashboard/threats');
  await page.getByRole('table', { name: 'Findings' }).getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('button', { name: 'Show the captured text' }).click();
  await page.locator('mark').first().waitFor();
  await check('a captured text', script);
  await page.goto('/dashboard/audit');
  await page.getByRole('table', { name: 'Audit records' }).getByRole('button', { name: 'policy.updated' }).click();
  await page.getByRole('dialog').waitFor();
  await check('an audit record', script);
  await page.goto('/dashboard/playground');
  await page.getByLabel('Text').fill(`${ALL} ${BLOCKED}`);
  await page.getByRole('button', { name: 'Inspect' }).click();
  await page.locator('mark', { hasText: BLOCKED }).first().waitFor();
  await check('the playground', undefined);
  await page.goto(`/dashboard/webhooks/${webhookId}`);
  const delivery = page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('row', { name: /Returned 500/ })
    .first();
  await delivery.getByRole('button').click();
  await page.getByRole('dialog').getByText('Returned 500').first().waitFor();
  await check("a receiver's answer", script);
});

test('the Content Security Policy blocks an injected script and a call of another host', async () => {
  const { page, faults } = await visit(dashboard.url);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.hacked = 1';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.hacked = 1">');
  });
  const called = await page.evaluate(() =>
    fetch('https://evil.example/').then(
      () => 'called',
      () => 'refused',
    ),
  );
  expect(called).toBe('refused');
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  // The browser reports them after the script that caused them.
  await eventually(() => faults.filter((fault) => fault.startsWith('policy')).length >= 2);
});
