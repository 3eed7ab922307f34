/**
 * Writes docs/reference/*.md from schemas and definitions: npm run generate reference. With --check it writes nothing and exits
 * with 1 if a page is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { alarmsPage } from './alarms-page.ts';
import { apiPage } from './api-page.ts';
import { cliPage } from './cli-page.ts';
import { errorsPage } from './errors-page.ts';
import { permissionsPage } from './permissions-page.ts';
import { settingsPage } from './settings-page.ts';
import { translationPage } from './translation-page.ts';

/** The text of each page by its path from the root. */
export const REFERENCE_PAGES: Readonly<Record<string, () => string>> = {
  'docs/reference/alarms.md': alarmsPage,
  'docs/reference/api.md': apiPage,
  'docs/reference/cli.md': cliPage,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/permissions.md': permissionsPage,
  'docs/reference/settings.md': settingsPage,
  'docs/reference/translation.md': translationPage,
};

if (import.meta.main) {
  for (const [path, text] of Object.entries(REFERENCE_PAGES)) {
    const file = new URL(`../../${path}`, import.meta.url);
    if (!process.argv.includes('--check')) writeFileSync(file, text());
    else if (readFileSync(file, 'utf8') !== text()) {
      console.error(`${path} is stale: npm run generate reference`);
      process.exitCode = 1;
    }
  }
}
