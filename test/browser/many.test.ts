import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { EmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { byDayOrNight } from '../support/night.ts';
import { WITHOUT_EVENTS } from '../support/quick-start.ts';
import { closeBrowser, signedIn, type Visitor } from './browser.ts';
import { FINDINGS_A_RECORD, startSeededStores } from './seed-stores.ts';
import { type Dashboard, startDashboard } from './service.ts';

const KEYS = byDayOrNight(1_000, 5_000);
const REQUESTS = byDayOrNight(2_000, 100_000);
/** Visible rows and some beyond. */
const MOST_ROWS = 80;
const MOST_ELEMENTS = 3_000;

let stores: EmbeddedStores;
let dashboard: Dashboard;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  stores = await startSeededStores(KEYS, REQUESTS);
  dashboard = await startDashboard({ ...WITHOUT_EVENTS, AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodbUrl });
  visitor = await signedIn(dashboard.url, dashboard.adminKey);
  page = visitor.page;
});
afterAll(async () => {
  await closeBrowser();
  await dashboard?.stop();
  await stores?.stop();
});

/** Scrolls to the end of the loaded rows, and waits until more are loaded. */
async function loadMore(table: string): Promise<number> {
  const region = page.getByRole('region', { name: table });
  const before = await loaded(table);
  await region.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.waitForFunction(
    ([name, count]) => {
      const foot = document.querySelector(`section[aria-label="${name}"] > [aria-live]`)?.textContent ?? '';
      return Number(/([\d,]+) (?:loaded|in all)/.exec(foot)?.[1]?.replaceAll(',', '') ?? 0) > Number(count);
    },
    [table, before] as const,
  );
  return loaded(table);
}

async function loaded(table: string): Promise<number> {
  const foot = await page
    .getByRole('region', { name: table })
    .getByText(/loaded|in all/)
    .innerText();
  return Number((/([\d,]+)/.exec(foot)?.[1] ?? '0').replaceAll(',', ''));
}

async function expectBounded(table: string): Promise<void> {
  expect(await page.getByRole('table', { name: table }).getByRole('row').count()).toBeLessThan(MOST_ROWS);
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(MOST_ELEMENTS);
}

test.each([
  ['Keys', '/dashboard/keys', 800, /Application/],
  ['Requests', '/dashboard/requests', 800, 'Request'],
  ['Findings', '/dashboard/threats', 800 / FINDINGS_A_RECORD, 'Prompt injection'],
] as const)(
  '%s: pages come as one scrolls, and only what is in sight is in the document',
  async (table, path, least, heading) => {
    await page.goto(path);
    await page.getByRole('region', { name: table }).getByText('loaded, more below').waitFor();
    await expectBounded(table);
    let rows = await loaded(table);
    for (let pages = 0; pages < 8; pages += 1) {
      const more = await loadMore(table);
      expect(more).toBeGreaterThan(rows);
      rows = more;
      await expectBounded(table);
    }
    expect(rows).toBeGreaterThanOrEqual(least);
    // Rows still react to clicks.
    await page.getByRole('table', { name: table }).getByRole('row').last().getByRole('link').click();
    if (table === 'Requests') await page.getByRole('link', { name: 'Open in full' }).click();
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  },
);

test('a search finds the oldest of 5,000 keys without loading the others', async () => {
  await page.goto('/dashboard/keys');
  const answers: Promise<{ data: unknown[] }>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('search=')) answers.push(response.json());
  });
  await page.getByRole('combobox', { name: 'Add a filter' }).fill('very first');
  await page.getByRole('option', { name: 'Search is very first' }).click();
  await page.getByRole('link', { name: 'The very first' }).waitFor();
  expect((await Promise.all(answers)).flatMap(({ data }) => data)).toHaveLength(1);
});

test('a filter finds the finding of the oldest of 100,000 requests after searching further back', async () => {
  await page.goto('/dashboard/threats?rule=seeded%2Foldest');
  const further = page.getByRole('button', { name: 'Search further back' });
  const found = page.getByRole('table', { name: 'Findings' }).getByText('seeded/oldest');
  for (let looks = 0; looks < 12 && (await found.count()) === 0; looks += 1) {
    await further.or(found).first().waitFor();
    if ((await found.count()) === 0) await further.click();
  }
  await found.waitFor();
});

test('no fault was recorded in these tests', () => {
  expect(visitor.faults).toEqual([]);
});
