import { describe, expect, it } from '@jest/globals';
import type { Finding, Rule } from '../matching/index.ts';
import { ReceivedText } from './received-text.ts';

const finding = (start: number, end: number): Finding => ({
  rule: { id: 'test/rule' } as Rule,
  score: 1,
  start,
  end,
  decodedFrom: [],
});

/** Three channels of one run: 'abcd', 'efg' and 'hi'. */
function threeChannels(): ReceivedText {
  const text = new ReceivedText();
  for (const [name, piece] of [
    ['a', 'ab'],
    ['a', 'cd'],
    ['b', 'efg'],
    ['c', 'hi'],
  ] as const) {
    text.begin(name);
    text.push(piece, false);
  }
  return text;
}

describe('the received text', () => {
  it.each([
    [0, 2, { channel: 'a', start: 0, end: 2 }, undefined],
    [4, 7, { channel: 'b', start: 0, end: 3 }, undefined],
    [3, 5, { channel: 'a', start: 3, end: 4 }, [{ channel: 'b', start: 0, end: 1 }]],
    [
      2,
      8,
      { channel: 'a', start: 2, end: 4 },
      [
        { channel: 'b', start: 0, end: 3 },
        { channel: 'c', start: 0, end: 1 },
      ],
    ],
    [9, 9, { channel: 'c', start: 2, end: 2 }, undefined],
  ])('locates %i..%i in its channels', (start, end, first, rest) => {
    const located = threeChannels().locate(finding(start, end));
    expect({ channel: located.channel, start: located.finding.start, end: located.finding.end }).toEqual(first);
    expect(located.rest).toEqual(rest);
  });

  it('reports whether a channel begins', () => {
    const text = new ReceivedText();
    expect(text.begin('a')).toBe(true);
    expect(text.begin('a')).toBe(false);
    expect(text.begin('b')).toBe(true);
    expect([text.has('a'), text.has('c')]).toEqual([true, false]);
  });

  it.each<[string, (text: ReceivedText) => void]>([
    ['a channel after the next one', (text) => text.begin('a')],
    [
      'a closed channel',
      (text) => {
        text.closeChannel((name) => name === 'c');
        text.begin('c');
      },
    ],
    [
      'the text after its end',
      (text) => {
        text.push('', true);
        text.begin('d');
      },
    ],
  ])('refuses more of %s', (_, act) => {
    expect(() => act(threeChannels())).toThrow('The provider sent text after the end of its response.');
  });

  it('keeps the end of the text, with offsets of the whole', () => {
    const text = new ReceivedText();
    text.begin('a');
    text.push('a'.repeat(5000), false);
    text.forget(4000);
    text.push('bc', false);
    expect(text.length).toBe(5002);
    expect(text.from(4999)).toBe('abc');
  });
});
