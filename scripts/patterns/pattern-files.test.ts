import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { PATTERN_FILES, patternFileText } from './pattern-files.ts';

const root = new URL('../../', import.meta.url);

describe('the committed codes of patterns', () => {
  it.each(PATTERN_FILES.map((file) => [file.path, file] as const))('are those of the patterns: %s', (path, file) => {
    const committed = readFileSync(new URL(path, root), 'utf8');
    expect(committed === patternFileText(file) ? 'fresh' : 'stale: npm run patterns').toBe('fresh');
  });
});
