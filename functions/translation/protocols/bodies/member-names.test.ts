import { describe, expect, it } from '@jest/globals';
import { asReadLeniently, KNOWN_NAMES } from './member-names.ts';

describe('a name as the most lenient server reads it', () => {
  it.each([
    ['max_tokens', 'maxtokens'],
    ['maxTokens', 'maxtokens'],
    ['MAX-TOKENS', 'maxtokens'],
    ['max.tokens ', 'maxtokens'],
    ['max_token\u017f', 'maxtokens'],
    ['max_to\u212aens', 'maxtokens'],
    ['\uff4dax\u200b_tok\u00adens', 'maxtokens'],
    ['\ufeffmax\u0000tokens', 'maxtokens'],
    ['me\u00dfages', 'messages'],
    ['inpu\u0301t', 'input'],
    ['\u0130nput', 'input'],
    ['\u0131nput', 'input'],
    ['n\u00ba', 'no'],
    ['\u043cax', '\u043cax'],
    ['', ''],
  ])('is %j: %j', (name, read) => {
    expect(asReadLeniently(name)).toBe(read);
  });
});

describe('the list of known names', () => {
  it('has one spelling of each', () => {
    expect(KNOWN_NAMES.filter((name, at) => KNOWN_NAMES.indexOf(name) !== at)).toEqual([]);
    expect(new Set(KNOWN_NAMES.map(asReadLeniently)).size).toBe(KNOWN_NAMES.length);
  });
});
