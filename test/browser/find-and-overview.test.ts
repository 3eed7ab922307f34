import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { addFilter } from './browser.ts';
import { dashboard, lab, page, requestIds, settled, showsRequests, startWithRequests } from './known-requests.ts';
import { BLOCKED } from './service.ts';

startWithRequests();

describe('find and shortcuts', () => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Opens the dialog, types, and goes to the first result. */
  async function find(text: string): Promise<void> {
    await press('/');
    await page.getByRole('combobox', { name: 'Find by id or name' }).fill(text);
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await page.getByRole('status').filter({ hasText: 'Searching' }).waitFor({ state: 'detached' });
    await press('Enter');
  }

  test('go to requests by any of their ids, to keys by name, to sessions, end users and pages', async () => {
    await page.goto('/dashboard/audit');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    const [first] = requestIds as [string];
    for (const id of [first, first.replace('req_', 'guard-'), first.replace('req_', 'evt_')]) {
      await page.goto('/dashboard/audit');
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
      await find(id);
      await page.waitForURL(`**/dashboard/requests/${first}`);
    }
    const { traceId } = await dashboard.api(`/analytics/requests/${first}`);
    await find(`00-${traceId}-00f067aa0ba902b7-01`);
    await page.waitForURL(`**/dashboard/requests?traceId=${traceId}&range=7d`);
    await showsRequests(1);
    await find('Lab');
    await page.waitForURL(`**/dashboard/keys/${lab.id}`);
    await find('talk 7');
    await page.getByRole('heading', { name: 'Session talk 7' }).waitFor();
    await find('=ann');
    await page.waitForURL('**/dashboard/requests?endUserId=%3Dann&range=7d');
    await find('web');
    await page.waitForURL('**/dashboard/webhooks');
    await find('first req');
    await page.waitForURL('**/dashboard/start');
    await find('document');
    await page.waitForURL('**/dashboard/docs');
  });

  test('open pages by two keys, and list themselves; typing in a field is typing', async () => {
    await page.goto('/dashboard/requests');
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    // On a busy machine more than a second may pass between the keys, and they are no sequence.
    await eventually(async () => {
      await press('g', 't');
      return new URL(page.url()).pathname === '/dashboard/threats';
    });
    await press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Playground').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto('/dashboard/keys');
    const filter = page.getByRole('combobox', { name: 'Add a filter' });
    await filter.pressSequentially('g/t?');
    expect(await filter.inputValue()).toBe('g/t?');
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys');
  });

  test('the documentation opens at the section that a page names, and its links stay in the dashboard', async () => {
    await page.goto('/dashboard/requests');
    await page.getByRole('main').getByRole('link', { name: 'Docs' }).click();
    await page.waitForURL('**/dashboard/docs/dashboard#requests');
    await page.getByRole('heading', { level: 2, name: 'Requests' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'captures them' }).click();
    await page.waitForURL('**/dashboard/docs/policies#captured-texts');
    await page.getByRole('heading', { name: 'Captured texts' }).waitFor();
    await page.goto('/dashboard/docs/nothing');
    await page.getByText('This page does not exist').waitFor();
  });
});

test('the first request is one that arrives later, or of the key just created, which the commands contain', async () => {
  await page.goto('/dashboard/start');
  const looked = page.waitForResponse(/analytics\/requests\?/);
  const status = page.getByRole('status').filter({ hasText: 'To see a blocked request' });
  await looked;
  await page.waitForResponse(/analytics\/requests\?/);
  expect(await status.innerText()).toContain('Waiting for the first request…');
  await dashboard.chat(lab.key, BLOCKED);
  await status.getByText('Blocked', { exact: true }).waitFor();

  expect(await page.locator('pre').first().innerText()).toContain('SVC_API_KEY=<YOUR_KEY>');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('First');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await status.getByText('Waiting for the first request…').waitFor();
  const commands = await page.locator('pre').first().innerText();
  const key = /SVC_API_KEY=(svc_sk_\w+)/.exec(commands)?.[1] as string;
  await dashboard.chat(lab.key, BLOCKED);
  const id = (await dashboard.chat(key, 'Hello')).headers.get('x-request-id');
  await status.getByText('Allowed', { exact: true }).waitFor();
  await page.screenshot({ path: path.join(import.meta.dirname, 'artifacts/first-request.png') });
  await page.getByRole('link', { name: 'Open the request' }).click();
  await page.waitForURL(`**/dashboard/requests/${id}`);
});

describe('the overview of minutes', () => {
  test('counts exactly the last 15 minutes, separates kinds of errors, and links names to their pages', async () => {
    const limited = await dashboard.createKey({ name: 'Limited', rateLimit: { requests: 1, period: 'hour' } });
    for (let at = 0; at < 3; at += 1) await dashboard.chat(limited.key, 'Hello');
    await settled(3, `?keyId=${limited.id}`);
    const sent = (await dashboard.api('/analytics/requests?limit=100')).data.length;
    const from = new Date(Date.now() - 15 * 60_000).toISOString();
    const { requests, clientErrors, serverErrors } = await eventually(
      () => dashboard.api(`/analytics/summary?interval=1m&from=${from}`),
      (summary) => summary.requests === sent && summary.rateLimited === 2,
    );
    await page.goto('/?range=15m');
    await page.getByText('Totals cover full minutes').waitFor();
    const tile = (name: string) =>
      page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd[1]');
    expect(await tile('Requests').innerText()).toBe(String(requests));
    expect(await tile('Limited, 429').innerText()).toBe('2');
    expect(await tile('Other 4xx').innerText()).toBe(String(clientErrors));
    expect(await tile('Failed, 5xx').innerText()).toBe(String(serverErrors));
    // One for each table of keys, models and end users, which load by themselves.
    await page
      .getByText(/^Full hours, \d\d:00 to \d\d:00$/)
      .nth(2)
      .waitFor();
    await page.screenshot({ path: path.join(import.meta.dirname, 'artifacts/overview-minutes.png'), fullPage: true });
    await page.getByRole('button', { name: 'Requests: table' }).click();
    await page.getByRole('columnheader', { name: 'Minute' }).waitFor();
    await page.getByRole('link', { name: 'Limited', exact: true }).click();
    await page.waitForURL(`**/dashboard/keys/${limited.id}`);
  });

  test('links a count to its requests, of the same range and environment, by their outcome', async () => {
    await dashboard.chat(lab.key, BLOCKED);
    await settled(1, `?keyId=${lab.id}&outcome=blocked`);
    await page.goto('/?range=15m&environment=Development');
    const tiles = page.getByRole('main').getByRole('term').getByRole('link');
    await tiles.first().waitFor();
    const search = '?range=15m&environment=Development';
    const requests = (outcome = '') => `/dashboard/requests${search}${outcome}`;
    expect(await tiles.evaluateAll((all) => all.map((a) => a.getAttribute('href')))).toEqual([
      requests(),
      requests('&outcome=server_error'),
      requests('&outcome=rate_limited'),
      requests('&outcome=client_error'),
      requests('&outcome=blocked'),
      requests('&outcome=flagged'),
      '/dashboard/approvals',
    ]);
    await page.getByRole('link', { name: 'Other 4xx' }).click();
    await page.waitForURL('**/dashboard/requests?range=15m&environment=Development&outcome=client_error');
    // Neither those that were blocked with 400 nor those refused with 429.
    await showsRequests(1);
    await page.getByRole('button', { name: 'Outcome is Other 4xx' }).waitFor();
    await page.screenshot({ path: path.join(import.meta.dirname, 'artifacts/requests-outcome.png'), fullPage: true });
    await addFilter(page, 'Outcome', 'Blocked');
    await page.waitForURL('**&outcome=blocked');
    await page
      .getByRole('cell', { name: /^Blocked: / })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: /^Outcome is/ }).waitFor({ state: 'detached' });
  });
});
