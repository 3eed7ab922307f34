import { expect, it } from '@jest/globals';
import { masked } from './text-models.ts';

it.each([
  ['write to kim@post.example today', 'write to email today'],
  ['see (https://x.test/a?b=1), or x.test', 'see (url), or url'],
  ['e.g. node.js, 4.200 eur, a.b.', 'e.g. node.js, 4.200 eur, a.b.'],
  ['', ''],
])('scores no letters of addresses: %s', (text, without) => expect(masked(text)).toBe(without));
