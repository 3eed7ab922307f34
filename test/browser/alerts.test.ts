import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeBrowser, signedIn } from './browser.ts';
import { type Dashboard, startDashboard } from './service.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(async () => {
  await closeBrowser();
  await dashboard.stop();
});

test('a person makes a webhook of Slack and an alert that sends to it, silences it and deletes it', async () => {
  const { page, faults } = await signedIn(dashboard.url, dashboard.adminKey);
  page.setDefaultTimeout(6_000);
  await page.goto('/dashboard/webhooks');
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  await page
    .getByRole('textbox', { name: 'Address', exact: false })
    .fill('https://hooks.slack.com/services/T0/B0/abcd9876');
  await page.getByLabel('Format').selectOption('slack');
  await page.getByRole('checkbox', { name: 'alert.fired' }).waitFor();
  expect(await page.getByRole('checkbox', { name: 'request.blocked' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  // Slack verifies no signature: there is no secret to show.
  await page.getByRole('link', { name: 'https://hooks.slack.com/...9876' }).click();
  await page.getByText('Those of alerts that name it').waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Rotate secret' }).count()).toBe(0);
  await dashboard.api('/admin/teams', { name: 'Shop' });

  await page.goto('/dashboard/alerts');
  await page.getByRole('button', { name: 'New alert' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Findings');
  await page.getByLabel('Metric').selectOption('findings');
  await page.getByLabel('Finding', { exact: true }).selectOption('pii');
  await page.getByRole('textbox', { name: 'Threshold', exact: false }).fill('5');
  await page.getByRole('combobox', { name: 'Team', exact: true }).selectOption('Shop');
  await page.getByRole('textbox', { name: 'Minutes', exact: false }).fill('60');
  await page.getByRole('combobox', { name: 'Notify' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'https://hooks.slack.com/...9876' }).click();
  await page.keyboard.press('Escape');
  await page.screenshot({ path: 'test/browser/artifacts/alert-form.png' });
  await page.getByRole('button', { name: 'Create alert' }).click();
  await page.getByText('Findings above 5, 60 min').waitFor();
  await page.getByText('Shop, pii').waitFor();
  const [made] = (await dashboard.api('/admin/alerts')).data;
  expect(made).toMatchObject({
    metric: 'findings',
    scope: { threatType: 'pii', teamId: expect.stringMatching(/^team_/) },
    targets: [{}],
  });

  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Actions of Findings' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('Silence for 1 hour');
  await page.getByText('Silenced', { exact: true }).waitFor();
  await page.screenshot({ path: 'test/browser/artifacts/alerts.png' });
  await choose('End the silence');
  await page.getByText('OK', { exact: true }).waitFor();
  await choose('History');
  await page.getByText('It has never fired.').waitFor();
  await page.keyboard.press('Escape');
  await choose('Delete');
  await page.getByRole('button', { name: 'Delete alert' }).click();
  await page.getByText('No alerts yet').waitFor();
  expect(faults).toEqual([]);
});
