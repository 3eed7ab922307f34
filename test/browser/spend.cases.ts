import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { dashboard, page } from './default-dashboard.ts';

describe('spend', () => {
  test('a month by key and by tag, filtered, and as a file', async () => {
    const { id, key } = await dashboard.createKey({
      name: 'Spender',
      tags: { app: 'spending' },
      budget: { usd: 9, period: 'calendarMonth', timeZone: 'Europe/Berlin' },
    });
    for (const feature of ['search', 'search', '<b>chat</b>']) {
      await dashboard.chat(key, 'Hello', { 'x-svc-tags': `feature=${feature}` });
    }
    await eventually(
      () => dashboard.api(`/analytics/spend?keyId=${id}`),
      ({ requests }) => requests === 3,
    );
    await page.goto(`/dashboard/spend?keyId=${id}`);
    const table = page.getByRole('table', { name: 'Spend by group' });
    const row = (text: string) => table.getByRole('row').filter({ hasText: text });
    await row('Spender').getByText('$9.00').waitFor();

    await page.getByLabel('Group by').selectOption('Tag');
    await page.getByText('Enter the name of a tag').waitFor();
    await page.getByLabel('Name of the tag').fill('feature');
    await row('search').waitFor();
    // Clients choose the values.
    await row('<b>chat</b>').waitFor();
    expect(new URL(page.url()).searchParams.get('tagName')).toBe('feature');

    await page.getByLabel('Tag', { exact: true }).fill('feature=search');
    await row('<b>chat</b>').waitFor({ state: 'detached' });
    const href = await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href');
    const { text } = await page.evaluate(
      async (address) => ({ text: await (await fetch(address)).text() }),
      href ?? '',
    );
    expect(text.split('\r\n')[1]).toMatch(/^\d{4}-\d\d,UTC,search,,2,/);
  });
});
