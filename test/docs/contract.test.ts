import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { CONTRACT_FILES } from '../../scripts/contract-fields.ts';

test.each(Object.entries(CONTRACT_FILES))('%s is current', (path, text) => {
  const file = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(file === text() ? 'current' : 'stale: npm run generate contract').toBe('current');
});
