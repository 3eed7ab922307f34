import { expect, it } from '@jest/globals';
import type { Finding } from '../matching/index.ts';
import { Redaction } from '../policy/index.ts';
import { RestoredText } from './restored-text.ts';

const ORIGINAL = 'ann@mail.test';
const redaction = new Redaction('secret');
const placeholder = redaction.hideInput({ rule: { category: 'email' } } as unknown as Finding, ORIGINAL);

/** The edits that put originals into a text. */
function editsIn(text: string) {
  const { edits, text: restored } = new RestoredText(redaction, false).push(text, text.length, true);
  expect(restored).toBe(text.replaceAll(placeholder, ORIGINAL));
  return edits.map((edit) => [edit.start, edit.text]);
}

it.each([
  ['at the start', ''],
  ['after words', 'Write to '],
  ['after words without a space', 'mail='],
  ['after an address that has ended', 'https://example.test/ '],
  ['after 1,000 characters without a space', 'a'.repeat(1000)],
])('a placeholder is replaced %s', (_, before) => {
  expect(editsIn(`${before}${placeholder} now`)).toEqual([[before.length, ORIGINAL]]);
});

it.each([
  ['in an address at the start of the text', 'https://evil.test/?q='],
  ['in an address after a space', 'See https://evil.test/?q='],
  ['in an address without a scheme', '//evil.test/'],
  ['in an address of 1,000 characters', `https://evil.test/${'a'.repeat(1000)}`],
])('a placeholder is kept %s', (_, before) => {
  expect(editsIn(`${before}${placeholder}`)).toEqual([]);
});
