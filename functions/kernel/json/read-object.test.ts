import { expect, it } from '@jest/globals';
import { readArguments, readObject } from './json.ts';

it.each([
  ['{"a":1}', { a: 1 }, { a: 1 }],
  ['', {}, {}],
  [' \n', {}, {}],
  ['[1]', undefined, { arguments: [1] }],
  ['null', undefined, { arguments: null }],
  ['{"a":', undefined, { arguments: '{"a":' }],
])('%j is read', (text, object, args) => expect([readObject(text), readArguments(text)]).toEqual([object, args]));
