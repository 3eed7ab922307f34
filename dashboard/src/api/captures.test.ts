import { expect, it } from '@jest/globals';
import { withTexts } from './captures.ts';
import type { Threat } from './client.ts';

function threat(id: number, requestId: string, field = 'messages[0].content'): Threat {
  const part = field.startsWith('choices') ? 'output' : 'input';
  return { id: `thr_${id}`, requestId, location: { part, message: 0, field, start: 0, end: 1 } } as unknown as Threat;
}

const THREATS = [
  threat(1, 'a'),
  threat(2, 'a', 'choices[0].content'),
  threat(3, 'b'),
  threat(4, 'c'),
  threat(5, 'c', 'x.y'),
];

it.each([1, 2, 5])(
  'exports findings whose full text is known, and reads each request once, in pages of %i',
  async (size) => {
    const asked: string[] = [];
    const linesOf = withTexts(async (requestId) => {
      asked.push(requestId);
      if (requestId === 'b') return undefined;
      const request = requestId === 'c' ? '{"messages":[{"content":"cut o' : '{"messages":[{"content":"said"}]}';
      return { mode: 'full', request, answer: [{ channel: 'choices[0].content', text: 'answered' }], truncated: false };
    });
    const lines: string[] = [];
    for (let at = 0; at < THREATS.length; at += size) {
      lines.push(...(await linesOf(THREATS.slice(at, at + size), new AbortController().signal)));
    }
    expect(lines.map((line) => JSON.parse(line)).map(({ id, text }) => [id, text])).toEqual([
      ['thr_1', 'said'],
      ['thr_2', 'answered'],
    ]);
    expect(asked).toEqual(['a', 'b', 'c']);
  },
);
