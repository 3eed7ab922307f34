import chromium from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium as playwright,
} from 'playwright-core';
import { DEADLINE_MS } from '../support/eventually.ts';

/** A visitor's browser at one dashboard, with the faults that it recorded. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Script errors, dialogs, violations of the page's policy, calls of other hosts. */
  readonly faults: string[];
}

/** The package's arguments are for Lambda: one process, which ends with its first context. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--hide-scrollbars',
];

let browser: Promise<Browser> | undefined;

/** One browser for all tests of a file; each visitor has a separate context. */
export function launchBrowser(): Promise<Browser> {
  browser ??= chromium
    .executablePath()
    .then((executablePath) =>
      playwright.launch({ executablePath, args: ARGUMENTS, headless: true, timeout: DEADLINE_MS }),
    );
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/**
 * Opens the dashboard's root without a session. Without motion, which takes half of the CPU of a load: a placeholder moves until its data
 * comes. The tests of default-dashboard.test.ts have motion.
 */
export async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await (await launchBrowser()).newContext({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(DEADLINE_MS);
  // The page gives up a call after 20 seconds; a busy machine may need more.
  await context.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(`policy: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== new URL(url).origin)
      faults.push(`call of ${request.url()}`);
  });
  await page.goto('/');
  return { page, context, faults };
}

/** Adds a filter to the page's query bar: its name is chosen, and then its value. */
export async function addFilter(page: Page, field: string, value: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add a filter' }).fill(field);
  await page.getByRole('option', { name: `${field}…`, exact: true }).click();
  await page.getByRole('combobox', { name: field, exact: true }).fill(value);
  await page.getByRole('option').filter({ hasText: value }).first().click();
}

/** Opens the dashboard signed in with a key. */
export async function signedIn(url: string, key: string, options?: BrowserContextOptions): Promise<Visitor> {
  const visitor = await visit(url, options);
  await signIn(visitor.page, key);
  return visitor;
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Admin or analytics key').fill(key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Skip to content' }).waitFor({ state: 'attached' });
}
