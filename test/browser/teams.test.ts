import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CLIENT, Issuer } from '../support/issuer.ts';
import { WITHOUT_EVENTS } from '../support/quick-start.ts';
import { closeBrowser, signedIn, visit } from './browser.ts';
import { type Dashboard, startDashboard } from './service.ts';

let issuer: Issuer;
let dashboard: Dashboard;

beforeAll(async () => {
  issuer = new Issuer(Date.now);
  await issuer.start();
  dashboard = await startDashboard({
    ...WITHOUT_EVENTS,
    SVC_OIDC_ISSUER: issuer.url,
    SVC_OIDC_CLIENT_ID: CLIENT.id,
    SVC_OIDC_CLIENT_SECRET: CLIENT.secret,
    SVC_OIDC_GROUPS_CLAIM: 'groups',
    SVC_OIDC_ROLES: JSON.stringify({ operator: ['on-call'] }),
  });
});
afterAll(async () => {
  await closeBrowser();
  await dashboard.stop();
  issuer.stop();
});

/** Opens the dashboard as a person whom the identity provider names. */
async function signInAs(claims: Record<string, unknown>) {
  issuer.claims = { email_verified: true, groups: [], ...claims };
  const get = (path: string, cookie = '') =>
    fetch(new URL(path, dashboard.url), { redirect: 'manual', headers: { cookie } });
  const started = await get('/v1/admin/session/oidc/start');
  const [attempt = ''] = started.headers.getSetCookie();
  const parameters = issuer.authorize(started.headers.get('location') ?? '');
  const finished = await get(`/v1/admin/session/oidc/callback?${parameters}`, attempt.split(';')[0]);
  const [name = '', value = ''] = (finished.headers.getSetCookie()[0]?.split(';')[0] ?? '').split(/=(.*)/s);
  const visitor = await visit(dashboard.url);
  await visitor.context.addCookies([{ name, value, url: dashboard.url }]);
  await visitor.page.reload();
  await visitor.page.getByRole('navigation', { name: 'Pages' }).first().waitFor();
  return visitor;
}

const pagesOf = (page: Page) =>
  page.getByRole('navigation', { name: 'Pages' }).first().getByRole('link').allInnerTexts();

test('an administrator makes a team with an owner, who makes a key with an example and sees it alone', async () => {
  const admin = await signedIn(dashboard.url, dashboard.adminKey);
  await admin.page.goto('/dashboard/teams');
  await admin.page.getByRole('button', { name: 'New team' }).first().click();
  await admin.page.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Shop');
  await admin.page.getByRole('button', { name: 'Add member' }).click();
  await admin.page.getByRole('combobox', { name: 'Claims, all of which match' }).fill('email=lead@shop.example');
  await admin.page.getByRole('combobox', { name: 'Claims, all of which match' }).press('Enter');
  await admin.page.getByRole('button', { name: 'Create team' }).click();
  await admin.page.getByText('owner: lead@shop.example').waitFor();
  await admin.page.screenshot({ path: 'test/browser/artifacts/teams.png' });
  await dashboard.createKey({ name: 'Without a team' });

  const { page, context, faults } = await signInAs({ email: 'lead@shop.example' });
  expect(await pagesOf(page)).toEqual([
    ...['Overview', 'Requests', 'Findings', 'Sessions', 'Spend', 'Tools', 'Approvals', 'Audit log'],
    ...['Keys', 'Teams', 'Identities'],
  ]);
  await page.goto('/dashboard/teams');
  await page.getByRole('button', { name: 'Actions of Shop' }).click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Limits', 'Spend']);
  await page.getByRole('menuitem', { name: 'Limits' }).click();
  await page.getByRole('dialog').getByText('No limits.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'lead@shop.example' }).click();
  await page.getByText('Owner of Shop').waitFor();
  await page.keyboard.press('Escape');
  await page.goto('/dashboard/start');
  await page.getByRole('button', { name: 'New key' }).click();
  for (const name of ['Team', 'Admin: everything'])
    expect(await page.getByLabel(name, { exact: true }).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Checkout');
  await page.screenshot({ path: 'test/browser/artifacts/owner-key.png' });
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Key “Checkout” created').waitFor();
  await page.keyboard.press('Escape');
  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'Checkout' }).waitFor();
  expect(await page.getByText('Without a team').count()).toBe(0);
  await page.screenshot({ path: 'test/browser/artifacts/owner-keys.png' });
  for (const path of ['/dashboard/policy', '/dashboard/alerts', '/dashboard/webhooks']) {
    await page.goto(path);
    await page.getByText('No permission').waitFor();
  }
  await context.close();
  await admin.context.close();
  expect(faults).toEqual([]);
});

test('an operator sees what they operate', async () => {
  const { page, context } = await signInAs({ email: 'op@example.com', groups: ['on-call'] });
  expect(await pagesOf(page)).toEqual([
    ...['Overview', 'Requests', 'Findings', 'Sessions', 'Spend', 'Tools', 'Alerts', 'Webhooks', 'Providers', 'Prices'],
  ]);
  await page.goto('/dashboard/providers');
  await page.getByText('Credentials', { exact: true }).first().waitFor();
  expect(await page.getByRole('button', { name: 'New credential' }).count()).toBe(0);
  await context.close();
});
