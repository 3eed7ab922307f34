import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { TABLE_FILES } from './tables.ts';

const root = new URL('../', import.meta.url);

describe('what is worked out before a start', () => {
  it.each(TABLE_FILES.map(({ path, text }) => [path, text] as const))('is what it would be now: %s', (path, text) => {
    const committed = readFileSync(new URL(path, root), 'utf8');
    expect(committed === text() ? 'fresh' : 'stale: npm run generate tables').toBe('fresh');
  });
});
