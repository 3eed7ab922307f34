import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';

export const ARTIFACTS = path.join(import.meta.dirname, 'artifacts');
const DESKTOP = { width: 1280, height: 800 };
const MOBILE = { width: 390, height: 844 };
const LOOKS = {
  phone: { colorScheme: 'light', viewport: MOBILE },
  'phone-dark': { colorScheme: 'dark', viewport: MOBILE },
  tablet: { colorScheme: 'light', viewport: { width: 820, height: 1180 } },
  dark: { colorScheme: 'dark', viewport: DESKTOP },
  light: { colorScheme: 'light', viewport: DESKTOP },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;

export type LookName = keyof typeof LOOKS;

/** A browser that looks at pages: they load in a phone, where least fits. */
export const PHONE: BrowserContextOptions = { ...LOOKS.phone, hasTouch: true };

interface AxeFault {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/**
 * Shows a loaded page in several looks, and expects that it fits its window and has no serious accessibility violation in those that axe
 * reads. One load serves all looks: it costs as much CPU as three checks. Ends in the phone's.
 */
export async function lookAt(
  page: Page,
  name: string,
  looks: readonly LookName[],
  readByAxe: readonly LookName[] = looks,
): Promise<void> {
  await mkdir(ARTIFACTS, { recursive: true });
  await page.waitForLoadState('networkidle');
  for (const look of looks) {
    await show(page, look);
    // The page follows its new size when it next renders.
    await eventually(
      async () => ({ name, look, unfit: await page.evaluate(unfitParts) }),
      ({ unfit }) => unfit.length === 0,
    );
    await page.screenshot({ path: path.join(ARTIFACTS, `${name}-${look}.png`), fullPage: true });
    if (readByAxe.includes(look)) expect([name, look, await seriousFaults(page)]).toEqual([name, look, []]);
  }
  await show(page, 'phone');
}

async function show(page: Page, look: LookName): Promise<void> {
  const { colorScheme, viewport } = LOOKS[look];
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  // Waiting for their end would last for ever in a page that the browser does not draw.
  await page.evaluate(() => {
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
  });
}

/**
 * What does not fit: the page, tables that are wider than their place, headers wider than their column, and texts of a chart outside of
 * it. Runs in the page.
 */
function unfitParts(): string[] {
  const isWide = document.documentElement.scrollWidth > innerWidth;
  const tables = [...document.querySelectorAll('main section:has(> table)')].filter(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  );
  const headers = [...document.querySelectorAll('main th')].filter((header) => {
    const range = document.createRange();
    range.selectNodeContents(header);
    const [inner, outer] = [range.getBoundingClientRect(), header.getBoundingClientRect()];
    return inner.width > 0 && (inner.left < outer.left || inner.right > outer.right);
  });
  const texts = [...document.querySelectorAll('main svg text')].filter((text) => {
    const [inner, outer] = [text.getBoundingClientRect(), (text.closest('svg') as Element).getBoundingClientRect()];
    return inner.left < outer.left || inner.right > outer.right;
  });
  return [
    ...(isWide ? ['the page'] : []),
    ...tables.map((table) => `table ${table.getAttribute('aria-label')}`),
    ...[...headers, ...texts].map(({ textContent }) => `text ${textContent}`),
  ];
}

let axe: string | undefined;

/** Serious and critical accessibility violations that axe reports. It describes nothing else that it finds, which takes as long again. */
async function seriousFaults(page: Page): Promise<string[]> {
  axe ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const { run } = (
      window as unknown as { axe: { run(root: Document, options: object): Promise<{ violations: AxeFault[] }> } }
    ).axe;
    return (await run(document, { resultTypes: ['violations'] })).violations;
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes }) => {
      const places = nodes.slice(0, 3).map(({ target }) => target.join(' '));
      return `${impact} ${id}: ${places.join(', ')}`;
    });
}
