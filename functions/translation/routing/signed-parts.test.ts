import { expect, it } from '@jest/globals';
import type { ChatMessage } from '../../kernel/model/index.ts';
import { inPlaces } from './signed-parts.ts';

const write = (message: Partial<ChatMessage>) =>
  inPlaces<string>(
    { parts: [], ...message },
    {
      text: (part, at) => (part.type === 'text' ? [`${at}:${part.text}${part.cache ? '!' : ''}`] : [part.type]),
      call: ({ id }) => [id],
      signed: ({ name }) => [`<${name}>`],
    },
  );
const text = (said: string) => ({ type: 'text', text: said }) as const;
const call = (id: string) => ({ id, name: 'f', arguments: '{}' });
const signed = (name: string, text: number, calls: number) => ({ block: { name }, text, calls });

it('writes texts and calls', () => {
  expect(write({ parts: [text('ab'), text('cd')], toolCalls: [call('x')] })).toEqual(['0:ab', '1:cd', 'x']);
});

it.each([
  [[signed('a', 0, 0)], ['<a>', '0:ab', '1:cd!', 'x', 'y']],
  [
    [signed('a', 0, 0), signed('b', 0, 0), signed('c', 2, 0)],
    ['<a>', '<b>', '0:ab', '<c>', '1:cd!', 'x', 'y'],
  ],
  [
    [signed('a', 1, 0), signed('b', 3, 0)],
    ['0:a', '<a>', '0:b', '1:c', '<b>', '1:d!', 'x', 'y'],
  ],
  [
    [signed('a', 4, 0), signed('b', 4, 1), signed('c', 4, 2)],
    ['0:ab', '1:cd!', '<a>', 'x', '<b>', 'y', '<c>'],
  ],
  // The client has shortened the text.
  [
    [signed('a', 9, 0), signed('b', 9, 1)],
    ['0:ab', '1:cd!', '<a>', 'x', '<b>', 'y'],
  ],
])('writes each signed part once, in its place: %j', (parts, expected) => {
  const last = { ...text('cd'), cache: {} };
  expect(write({ parts: [text('ab'), last], toolCalls: [call('x'), call('y')], signed: parts })).toEqual(expected);
});

it('writes signed parts of a message without text', () => {
  expect(write({ toolCalls: [call('x')], signed: [signed('a', 0, 0)] })).toEqual(['<a>', 'x']);
});
