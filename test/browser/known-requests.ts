import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { closeBrowser, signedIn, type Visitor } from './browser.ts';
import { BLOCKED, type Dashboard, FLAGGED, type NewKey, startDashboard } from './service.ts';

export const REDACTED = 'SVC-TEST-REDACT-7f3a';
export const SECRET_TEXT = `A letter about gardens, and ${FLAGGED} at its end`;

export let dashboard: Dashboard;
export let visitor: Visitor;
export let page: Page;
export let shop: NewKey;
export let lab: NewKey;
export let requestIds: string[];
/** Starts a dashboard with two keys and five requests for the tests of a file. */
export function startWithRequests(): void {
  beforeAll(async () => {
    dashboard = await startDashboard();
    shop = await dashboard.createKey({
      name: 'Shop',
      environment: 'Production',
      tags: { team: 'shop' },
      policy: { capture: 'full' },
    });
    lab = await dashboard.createKey({ name: 'Lab', environment: 'Development' });
    await dashboard.api('/admin/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['request.blocked'] });
    const turn = { 'x-session-id': 'talk 7', 'x-end-user-id': '=ann' };
    const sent = [
      await dashboard.chat(shop.key, 'Hello', turn, { stream: true }),
      await dashboard.chat(shop.key, SECRET_TEXT, turn),
      await dashboard.chat(shop.key, BLOCKED, turn),
      await dashboard.chat(lab.key, 'Hello'),
      await dashboard.chat(lab.key, 'Hello', {}, { model: 'none/such' }),
    ];
    requestIds = sent.map(({ headers }) => headers.get('x-request-id') as string);
    await settled(sent.length);
    visitor = await signedIn(dashboard.url, dashboard.adminKey, { acceptDownloads: true });
    page = visitor.page;
  });
  afterAll(async () => {
    expect(visitor.faults).toEqual([]);
    await closeBrowser();
    await dashboard.stop();
  });
}

export async function settled(count: number, query = ''): Promise<void> {
  await eventually(async () => (await dashboard.api(`/analytics/requests${query}`)).data.length >= count);
}

/** Waits for this many requests. */
export async function showsRequests(count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll('table[aria-label="Requests"] tbody tr').length === wanted,
    count,
  );
}
