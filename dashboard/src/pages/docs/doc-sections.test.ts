import { expect, test } from '@jest/globals';
import { findSections, sectionsOf } from './doc-sections.ts';

const TEXT = `# Keys

A key has a budget.

## Rotate a key

\`\`\`sh
# not a heading
rotate --grace 1h
\`\`\`

## The \`budget\` of a key

US dollars.

## Rotate a key

Again.
`;

test('pages are read by section, with the anchors of their headings', () => {
  expect(sectionsOf('keys', TEXT).map(({ heading, anchor }) => [heading, anchor])).toEqual([
    ['Keys', 'keys'],
    ['Rotate a key', 'rotate-a-key'],
    ['The budget of a key', 'the-budget-of-a-key'],
    ['Rotate a key', 'rotate-a-key-1'],
  ]);
});

test('sections are found by all words, those that are named so first', () => {
  const sections = sectionsOf('keys', TEXT);
  const found = (text: string) => findSections(sections, text, 3).map(({ anchor }) => anchor);
  expect(found('Budget')).toEqual(['the-budget-of-a-key', 'keys']);
  expect(found('grace rotate')).toEqual(['rotate-a-key']);
  expect(found('nothing of it')).toEqual([]);
  expect(found(' ')).toEqual([]);
});
