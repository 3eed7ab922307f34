import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { signedIn } from './browser.ts';
import { dashboard, page } from './default-dashboard.ts';
import { ARTIFACTS, lookAt, PHONE } from './looks.ts';
import type { NewKey } from './service.ts';

const PAGE = '/dashboard/docs/api';

let key: NewKey;

const heading = (name: string, on: Page = page) => on.getByRole('heading', { level: 2, name, exact: true });
const body = () => page.getByRole('region', { name: 'Response body' });

/** Opens an operation by its address, as a link from outside does. */
async function open(id: string, summary: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${PAGE}#${id}`);
  await heading(summary).waitFor();
}

describe('the reference', () => {
  beforeAll(async () => {
    await mkdir(ARTIFACTS, { recursive: true });
    key = await dashboard.createKey({ name: 'Shop' });
  });

  test('is found, lists every operation of the document, and opens one by keyboard', async () => {
    await page.goto('/');
    // The page is there, and so are the shortcuts.
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.getByLabel('Find by id or name').fill('api ref');
    await page.getByRole('option', { name: /API reference/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Choose an operation').waitFor();
    const { paths } = await (await fetch(new URL('/openapi.json', dashboard.url))).json();
    const ids = Object.values(paths as object).flatMap((item) =>
      Object.values(item).flatMap((entry) => (entry as { operationId?: string }).operationId ?? []),
    );
    const operations = page.getByRole('navigation', { name: 'Operations' }).getByRole('link');
    const listed = await operations.evaluateAll((links) => links.map((link) => link.getAttribute('href')?.slice(1)));
    expect(listed.sort()).toEqual(ids.sort());

    await page.getByLabel('Search operations').fill('keys ipWhitelist post');
    await page.getByText(/^2 of \d+ operations$/).waitFor();
    await operations.filter({ hasText: 'Create a key' }).press('Enter');
    await heading('Create a key').waitFor();
    await eventually(() => heading('Create a key').evaluate((one) => one === document.activeElement));
    expect(new URL(page.url()).hash).toBe('#createKey');
    await page.goBack();
    await page.getByText('Choose an operation').waitFor();
  });

  test('shows the fields, the nested fields and the example of an operation that a link names', async () => {
    await open('createKey', 'Create a key');
    await page.getByText('Fields of rateLimit').click();
    const nested = page.getByRole('group').filter({ hasText: 'Fields of rateLimit' });
    await nested.getByText('burst', { exact: true }).waitFor();
    await page.getByText('Fields of 201, application/json').click();
    await page.getByText('"last4": "Qx4Z"').first().waitFor();
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await heading('Create a key').waitFor();
    await page.goto('about:blank');
    await page.goto(`${PAGE}#noSuchOperation`);
    await page.getByText('This operation does not exist').waitFor();
  });

  test('sends a call with the typed key alone, and shows it for curl without the key', async () => {
    await open('listKeys', 'List keys');
    await page.getByLabel('limit').fill('1');
    expect(await page.getByRole('button', { name: 'Send GET' }).isDisabled()).toBe(true);
    await page.getByLabel('API key').fill(dashboard.adminKey);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.url().includes('/v1/admin/keys')),
      page.getByRole('button', { name: 'Send GET' }).click(),
    ]);
    expect(sent.url()).toBe(new URL('/v1/admin/keys?limit=1', dashboard.url).href);
    const headers = await sent.allHeaders();
    expect([headers.authorization, headers.cookie]).toEqual([`Bearer ${dashboard.adminKey}`, undefined]);
    await page.getByText(/^Status 200, /).waitFor();
    expect(JSON.parse(await body().innerText())).toMatchObject({ object: 'list', data: [{ name: 'Shop' }] });
    await page.getByText(`curl -X GET '${new URL('/v1/admin/keys?limit=1', dashboard.url)}'`).waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain(dashboard.adminKey);
  });

  test('keeps the key until a reload and stores it nowhere; a refused key does not end the session', async () => {
    await open('listKeys', 'List keys');
    await page.getByLabel('API key').fill(`${key.key}x`);
    await page.getByRole('button', { name: 'Send GET' }).click();
    await page.getByText(/^Status 401, /).waitFor();
    await page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'Create a key' }).click();
    await heading('Create a key').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe(`${key.key}x`);
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(stored).not.toContain('svc_sk_');
    await page.reload();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
  });

  test('shows a stream as it arrived, and markup in a response as text', async () => {
    await open('createChatCompletion', 'Create a chat completion');
    await page.getByLabel('Example', { exact: true }).selectOption({ label: 'A stream with usage' });
    await page.getByLabel('API key').fill(key.key);
    await page.getByRole('button', { name: 'Send POST' }).click();
    await body().getByText('data: [DONE]').waitFor();
    const markup = '<img src=x onerror=alert(1)>';
    const request = { model: 'echo', messages: [{ role: 'user', content: markup }] };
    await page.getByRole('textbox', { name: 'Body' }).fill(JSON.stringify(request));
    await page.getByRole('button', { name: 'Send POST' }).click();
    await body().getByText(markup).waitFor();
    expect(await body().locator('img').count()).toBe(0);
    await page.screenshot({ path: path.join(ARTIFACTS, 'reference-response.png'), fullPage: true });
  });

  test('says why it cannot send a form, a redirect or a call of the session', async () => {
    await open('createTranscription', 'Transcribe audio');
    await page.getByText('This page cannot send it. It takes a form with a file.').waitFor();
    await page.getByText('-F file=@FILE').waitFor();
    await open('startSingleSignOn', 'Redirect to the identity provider');
    await page.getByText('This page cannot send it. It redirects the browser.').waitFor();
    await open('deleteDashboardSession', 'Sign out');
    await page.getByText('This page cannot send it. It needs the session cookie of the dashboard.').waitFor();
    expect(await page.getByRole('button', { name: /^Send / }).count()).toBe(0);
  });

  test('fits its window and is accessible', async () => {
    const looking = await signedIn(dashboard.url, dashboard.adminKey, PHONE);
    for (const id of ['', 'createChatCompletion', 'listKeys']) {
      await looking.page.goto('about:blank');
      await looking.page.goto(`${PAGE}#${id}`);
      await looking.page.getByText(id === '' ? 'Choose an operation' : 'Fields of 200, application/json').waitFor();
      await lookAt(looking.page, `reference-${id}`, ['phone', 'phone-dark', 'dark', 'light']);
    }
    expect(looking.faults).toEqual([]);
    await looking.context.close();
  });
});
