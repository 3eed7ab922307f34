import { expect, it } from '@jest/globals';
import { masked, toOrdersText } from './text-models.ts';

it.each([
  ['write to kim@post.example today', 'write to email today'],
  ['see (https://x.test/a?b=1), or x.test', 'see (url), or url'],
  ['e.g. node.js, 4.200 eur, a.b.', 'e.g. node.js, 4.200 eur, a.b.'],
  ['', ''],
])('scores no letters of addresses: %s', (text, without) => expect(masked(text)).toBe(without));

it.each([
  ['please replace the account', 'please zqorder replace zqact the account zqkind'],
  ['otherwise hello', 'otherwise zqelse hello'],
  ['hello zqread zqact', 'hello qread qact'],
])('marks words that order, act, or name a kind of value: %s', (text, marked) =>
  expect(toOrdersText(text)).toBe(marked),
);
