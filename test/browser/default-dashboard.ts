/** One dashboard with default settings for the tests of a file that imports this, and its administrator's browser. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { WITHOUT_EVENTS } from '../support/quick-start.ts';
import { closeBrowser, signedIn, type Visitor } from './browser.ts';
import { type Dashboard, startDashboard } from './service.ts';

export let dashboard: Dashboard;
export let page: Page;
let visitor: Visitor;

beforeAll(async () => {
  dashboard = await startDashboard(WITHOUT_EVENTS);
  visitor = await signedIn(dashboard.url, dashboard.adminKey, {
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'no-preference',
  });
  page = visitor.page;
});
afterAll(async () => {
  expect(visitor.faults).toEqual([]);
  await closeBrowser();
  await dashboard.stop();
});
