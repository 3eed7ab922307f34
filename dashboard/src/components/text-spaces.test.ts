import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const SOURCES = path.resolve(import.meta.dirname, '..');
/** JSX drops the end of a line: a text and an inline element on separate lines need a `{' '}`. */
const LOST_SPACE =
  /^ *[A-Za-z][\w ,;.:&'’()-]*[\w,;.:)]\n *<(?:code|strong|em|a|kbd|span|\w*Link|\w*Tag)\b.*|.*<\/(?:code|strong|em|a|kbd|span|\w*Link)>\n *[A-Za-z(].*/gm;

test('no space is lost between text and an inline element', () => {
  const lost = globSync('**/*.tsx', { cwd: SOURCES }).flatMap((file) =>
    (readFileSync(path.join(SOURCES, file), 'utf8').match(LOST_SPACE) ?? []).map((text) => `${file}: ${text.trim()}`),
  );
  expect(lost).toEqual([]);
  for (const text of [
    'policy, or\n  <code>capture',
    'weights and fallbacks:\n  <DocsLink to="a">',
    '</code>\n  or more',
  ])
    expect(text.match(LOST_SPACE)).toHaveLength(1);
});
