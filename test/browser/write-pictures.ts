/**
 * Writes the pictures of docs/images: npm run generate pictures
 * Chromium opens the pages of a demo.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installOwn } from '../support/own-suite.mjs';

const IMAGES = path.resolve(import.meta.dirname, '../../docs/images');
const SIZE = { width: 1360, height: 860 };
const PAGES = {
  overview: '/?range=24h',
  threats: '/dashboard/threats',
  requests: '/dashboard/requests',
  tools: '/dashboard/tools',
  approvals: '/dashboard/approvals',
};
/** Of lists with few rows. */
const UPPER_PART = { x: 0, y: 0, width: 1360, height: 530 };
const SHORT: readonly string[] = ['tools', 'approvals'];

installOwn(import.meta.dirname);
spawnSync(process.execPath, ['scripts/build.mjs', 'local', 'dashboard'], { stdio: 'inherit' });
const [{ closeBrowser, signedIn }, { startDashboard }] = await Promise.all([
  import('./browser.ts'),
  import('./service.ts'),
]);
const dashboard = await startDashboard({ SVC_DEMO: 'true' });
try {
  const { page } = await signedIn(dashboard.url, dashboard.adminKey, { viewport: SIZE, colorScheme: 'light' });
  const open = async (address: string) => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  };
  const pathOf = (name: string) => path.join(IMAGES, `dashboard-${name}.png`);
  for (const [name, address] of Object.entries(PAGES)) {
    await open(address);
    await page.screenshot({ path: pathOf(name), ...(SHORT.includes(name) && { clip: UPPER_PART }) });
  }
  const { data: approvals } = await dashboard.api('/approvals');
  await open(`/dashboard/requests/${approvals[0].requestId}`);
  const calls = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Tool calls', exact: true }) });
  await calls.screenshot({ path: pathOf('tool-calls') });
} finally {
  await closeBrowser();
  await dashboard.stop();
}
