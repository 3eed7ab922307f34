import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Dashboard } from './service.ts';

interface Shared {
  readonly page: Page;
  readonly dashboard: Dashboard;
  /** What the provider returns. */
  readonly upstream: { status: number };
  /** The key of the settings. */
  readonly secret: string;
}

const cardOf = (page: Page) => (name: string) => page.getByRole('region', { name, exact: true });

/** Providers and routes on their page. */
export function providerCases(shared: () => Shared): void {
  test('show credentials, host, health, models and routes, and no credential', async () => {
    const { page, secret } = shared();
    const card = cardOf(page);
    await page.goto('/dashboard/providers');
    const openai = card('openai');
    await openai.getByText('Present (OPENAI_API_KEY)').waitFor();
    await openai.getByText('127.0.0.1:').waitFor();
    await openai.getByText('Healthy').waitFor();
    await openai.getByText('Circuit closed').waitFor();
    await openai.getByText(/\d+ models with a known price/).waitFor();
    await card('groq').getByText('GROQ_API_KEY').waitFor();
    const route = page.getByRole('list', { name: 'Routes', exact: true }).getByRole('listitem').first();
    expect(await route.innerText()).toMatch(
      /fast[\s\S]*openai\/gpt-4o-mini 100 %[\s\S]*groq[\s\S]*not configured[\s\S]*then/,
    );
    expect(await page.content()).not.toContain(secret);
  });

  test('are tested with one request, whose cost is stated before', async () => {
    const { page, dashboard, upstream, secret } = shared();
    const card = cardOf(page);
    await card('openai').getByRole('button', { name: 'Test openai' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test openai' });
    await dialog.getByText(/It costs at most \$0\.0000\d+ by list prices/).waitFor();
    await dialog.getByRole('button', { name: 'Send test request' }).click();
    await dialog.getByText('The provider responded.').waitFor();
    upstream.status = 401;
    await dialog.getByRole('button', { name: 'Send test request' }).click();
    await dialog.getByText('The provider refuses the credentials.').waitFor();
    upstream.status = 200;
    expect(await page.content()).not.toContain(secret);
    expect((await dashboard.api('/admin/audit?limit=1')).data[0]).toMatchObject({
      action: 'provider.tested',
      target: { id: 'openai' },
    });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  });

  test('may have a credential without a value, whose form has the fields of its kind', async () => {
    const { page } = shared();
    await page.goto('/dashboard/providers');
    await page.getByRole('button', { name: 'New credential' }).click();
    const dialog = page.getByRole('dialog', { name: 'New credential' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Azure, no key');
    await dialog.getByRole('textbox', { name: 'Provider', exact: true }).fill('azure');
    await dialog.getByLabel('Hosts').fill('lab.openai.azure.com');
    await dialog.getByLabel('Kept').selectOption({ label: 'Nowhere: the provider trusts the AWS role' });
    await dialog.getByLabel('Workload identity provider').waitFor();
    await dialog.getByLabel('Provider of tokens').selectOption({ label: 'Microsoft Entra, federated credential' });
    await dialog.getByLabel('Tenant').fill('common');
    expect(await dialog.getByLabel('Workload identity provider').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Create credential' }).click();
    await dialog.getByText('must be a UUID').first().waitFor();
    for (const name of ['Tenant', 'Application']) {
      await dialog.getByLabel(name).fill('3f0e8a52-0000-4000-8000-000000000001');
    }
    await dialog.getByRole('button', { name: 'Create credential' }).click();
    // The service of this test has no AWS credentials.
    await dialog.getByText("The type 'federation' needs AWS credentials").first().waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  test('are added, changed after a review, disabled, rolled back and removed', async () => {
    const { page } = shared();
    const card = cardOf(page);
    await page.goto('/dashboard/providers');
    await page.getByRole('button', { name: 'Add provider' }).click();
    const adding = page.getByRole('dialog', { name: 'Add provider' });
    await adding.getByLabel('Name').fill('my-llm');
    await adding.getByLabel('Base URL').fill('https://10.0.0.1/v1');
    await adding.getByRole('button', { name: 'Add provider' }).click();
    await adding.getByText("'baseUrl' must be an address of the public internet.").first().waitFor();
    await adding.getByLabel('Base URL').fill('https://llm.example.com/v1');
    await adding.getByRole('button', { name: 'Add provider' }).click();
    const mine = card('my-llm');
    await mine.getByText('https://llm.example.com/v1').waitFor();

    await mine.getByRole('button', { name: 'Change my-llm' }).click();
    const changing = page.getByRole('dialog', { name: 'Change my-llm' });
    await changing.getByLabel('Models').fill('llama-*');
    await changing.getByLabel('Models').press('Enter');
    await changing.getByRole('button', { name: 'Review changes' }).click();
    const changes = changing.getByRole('table', { name: 'Changes' });
    await changes.waitFor();
    const rows = await changes.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.split('\t'))).toEqual([
      ['Field', 'Now', 'After saving'],
      ['Models', 'none', 'llama-*'],
    ]);
    await changing.getByRole('button', { name: 'Save' }).click();
    await mine.getByText('llama-*').waitFor();
    await page.getByRole('list', { name: 'Routes of providers' }).getByText('my-llm').waitFor();

    await mine.getByRole('button', { name: 'Disable my-llm' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable provider' }).click();
    await mine.getByText('disabled').waitFor();

    const versions = page.getByRole('table', { name: 'Versions of providers' });
    await versions.getByRole('button', { name: '3 (current)' }).waitFor();
    await versions.getByRole('button', { name: '2', exact: true }).click();
    await page.getByRole('button', { name: 'Roll back to version 2' }).click();
    await mine.getByRole('button', { name: 'Disable my-llm' }).waitFor();

    await mine.getByRole('button', { name: 'Remove my-llm' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove provider' }).click();
    await mine.waitFor({ state: 'detached' });
  });

  test('offer to try again where loading fails', async () => {
    const { page } = shared();
    const card = cardOf(page);
    await page.route('**/v1/admin/providers', (route) =>
      route.fulfill({
        status: 503,
        json: { error: { message: 'The service is temporarily unavailable.', code: 'unavailable' } },
      }),
    );
    await page.goto('/dashboard/providers');
    await page.getByRole('alert').getByText('temporarily unavailable').waitFor();
    await page.unroute('**/v1/admin/providers');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await card('openai').waitFor();
  });

  test('are chosen by routes, which a form adds, changes after a review, and removes', async () => {
    const { page, dashboard } = shared();
    await page.goto('/dashboard/providers');
    const row = (models: string) =>
      page.getByRole('list', { name: 'Routes', exact: true }).getByRole('listitem').filter({ hasText: models });
    await page.getByRole('button', { name: 'New route' }).press('Enter');
    const adding = page.getByRole('dialog', { name: 'New route' });
    await adding.getByLabel('Models').fill('slow');
    const target = adding.getByRole('group', { name: 'Target 1' });
    await target.getByLabel('Provider').selectOption('openai');
    await target.getByLabel('Model', { exact: true }).fill('a b');
    await adding.getByRole('button', { name: 'Add fallback' }).press('Enter');
    // The new row has the focus.
    await page.keyboard.type('echo');
    await adding.getByLabel('Order').selectOption('First');
    await adding.getByRole('button', { name: 'Review changes' }).click();
    await adding.getByRole('button', { name: 'Save' }).click();
    await target.getByText("'targets[0].model': is not a valid model or deployment name.").waitFor();
    await target.getByLabel('Model', { exact: true }).fill('gpt-4o');
    await adding.getByRole('button', { name: 'Review changes' }).click();
    await adding.getByRole('button', { name: 'Save' }).click();
    await row('slow').getByText('openai/gpt-4o').waitFor();
    expect((await dashboard.api('/admin/routes')).routes[0]).toEqual({
      models: 'slow',
      targets: [{ provider: 'openai', model: 'gpt-4o' }],
      fallbacks: [{ provider: 'echo' }],
    });

    await page.getByRole('button', { name: 'Change slow' }).click();
    const changing = page.getByRole('dialog', { name: 'Change “slow”' });
    await changing.getByLabel('Keep the target').selectOption('For a session');
    await changing.getByRole('button', { name: 'Review changes' }).click();
    await dashboard.api('/admin/routes/disable', { models: 'slow' });
    await changing.getByRole('button', { name: 'Save' }).click();
    await changing.getByRole('alert').getByRole('button', { name: 'Reload' }).click();
    await changing.getByRole('button', { name: 'Review changes' }).click();
    const changes = changing.getByRole('table', { name: 'Changes' });
    await changes.waitFor();
    const rows = await changes.getByRole('row').allInnerTexts();
    expect(rows.map((text) => text.split('\t'))).toEqual([
      ['Field', 'Now', 'After saving'],
      ['Keep the target', 'No', 'For a session'],
    ]);
    await changing.getByRole('button', { name: 'Save' }).click();
    await changing.waitFor({ state: 'detached' });
    expect((await dashboard.api('/admin/routes')).routes[0]).toMatchObject({ sticky: 'session', state: 'disabled' });

    await page.getByRole('button', { name: 'Remove slow' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove route' }).click();
    await row('slow').waitFor({ state: 'detached' });
    expect((await dashboard.api('/admin/routes')).routes.map(({ models }: { models: string }) => models)).toEqual([
      'fast',
    ]);
  });
}
