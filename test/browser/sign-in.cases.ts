import { describe, expect, test } from '@jest/globals';
import { signedIn, signIn, visit } from './browser.ts';
import { dashboard } from './default-dashboard.ts';

describe('signing in', () => {
  test('reports a wrong key, and stores no key where a script can read it', async () => {
    const { page, context, faults } = await visit(dashboard.url);
    await page.getByLabel('Admin or analytics key').fill('svc_sk_wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('unknown, disabled, expired or revoked').waitFor();

    await signIn(page, dashboard.adminKey);
    const readable = await page.evaluate(() =>
      JSON.stringify([
        document.cookie,
        { ...localStorage },
        { ...sessionStorage },
        location.href,
        document.body.innerHTML,
      ]),
    );
    expect(readable).not.toContain(dashboard.adminKey);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: 'svc_session', httpOnly: true, sameSite: 'Strict', path: '/' });
    expect(cookie?.value).not.toContain(dashboard.adminKey);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('survives a reload, and signing out ends it for all pages of this browser', async () => {
    const { page, context, faults } = await signedIn(dashboard.url, dashboard.adminKey);
    await page.goto('/dashboard/keys');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    const other = await context.newPage();
    await other.goto('/dashboard/sessions');
    await other.getByRole('heading', { name: 'Sessions' }).waitFor();

    await page.getByRole('button', { name: 'First admin key' }).filter({ visible: true }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
    expect(await context.cookies()).toEqual([]);
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('with analytics only shows permitted pages, and a notice on all others', async () => {
    const { key } = await dashboard.createKey({ name: 'Reader', permissions: ['analytics'] });
    const { page, context } = await signedIn(dashboard.url, key);
    const places = page.getByRole('navigation', { name: 'Pages' }).first();
    expect(await places.getByRole('link').allInnerTexts()).toEqual([
      'Overview',
      'Requests',
      'Findings',
      'Sessions',
      'Spend',
      'Tools',
    ]);
    for (const path of ['/dashboard/keys', '/dashboard/webhooks', '/dashboard/audit', '/dashboard/policy']) {
      await page.goto(path);
      await page.getByText('No permission').waitFor();
    }
    await page.goto('/dashboard/threats');
    await page.getByText('No findings in this time range').waitFor();
    expect(await page.getByRole('link', { name: 'Replay a policy' }).count()).toBe(0);
    await context.close();
  });

  test('ends at the next request after the key was revoked', async () => {
    const { id, key } = await dashboard.createKey({ name: 'Leaver', permissions: ['admin'] });
    const { page, context } = await signedIn(dashboard.url, key);
    await page.goto('/dashboard/keys');
    await page.getByRole('link', { name: 'Leaver' }).waitFor();
    await dashboard.api(`/admin/keys/${id}`, undefined, 'DELETE');
    // Suggestions are a request too: the session may have ended when a click would come.
    await page.getByRole('combobox', { name: 'Add a filter' }).fill('anything');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
    await context.close();
  });
});

describe('an empty dashboard', () => {
  test('leads to a first key and a request that works as copied', async () => {
    const { page, context, faults } = await signedIn(dashboard.url, dashboard.adminKey);
    await page.goto('/');
    await page.getByRole('link', { name: 'Create a key and send a first request' }).click();
    await page.getByRole('heading', { name: 'First request' }).waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('My first application');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = (await dialog.locator('pre').first().innerText()).trim();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();

    for (const language of ['Python', 'TypeScript', 'curl']) {
      await page.getByRole('tab', { name: language }).click();
      const snippet = await page.getByRole('tabpanel', { name: language }).locator('pre').innerText();
      expect(snippet).toContain(`${dashboard.url}v1`);
    }
    const curl = await page.getByRole('tabpanel', { name: 'curl' }).locator('pre').innerText();
    const [, address = ''] = /(http:\S+)/.exec(curl) ?? [];
    const [, body = ''] = /-d '(.*)'/.exec(curl) ?? [];
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200);
    await page.getByText('The latest request arrived').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
