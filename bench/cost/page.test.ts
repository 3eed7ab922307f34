import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { costPage } from './page.ts';

test("docs/reference/cost.md counts the alarms, secrets and other resources of the stage's templates", () => {
  const committed = readFileSync(new URL('../../docs/reference/cost.md', import.meta.url), 'utf8');
  expect(committed === costPage() ? 'current' : 'stale: npm run bench cost').toBe('current');
});
