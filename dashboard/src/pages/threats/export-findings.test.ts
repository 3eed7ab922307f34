import { describe, expect, it } from '@jest/globals';
import type { Threat } from '../../api/client.ts';
import { type ExportProgress, type ExportSource, exportFindings } from './export-findings.ts';

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
const asked: string[] = [];

function source(pageSize: number): ExportSource {
  asked.length = 0;
  return {
    page: async (cursor = '0') => {
      const from = Number(cursor);
      const to = from + pageSize;
      return { data: THREATS.slice(from, to), nextCursor: to < THREATS.length ? String(to) : null };
    },
    capture: async (requestId) => {
      asked.push(requestId);
      if (requestId === 'b') return undefined;
      const request = requestId === 'c' ? '{"messages":[{"content":"cut o' : '{"messages":[{"content":"said"}]}';
      return { mode: 'full', request, answer: [{ channel: 'choices[0].content', text: 'answered' }], truncated: false };
    },
  };
}

async function run(pageSize: number, withTexts: boolean) {
  const told: ExportProgress[] = [];
  for await (const progress of exportFindings(source(pageSize), withTexts)) told.push(progress);
  return { told, lines: told.at(-1)?.lines.map((line) => JSON.parse(line)) ?? [] };
}

describe('the export of findings', () => {
  it('has every finding once, in order, for any page size, and reports progress', async () => {
    for (const pageSize of [1, 2, 5, 9]) {
      const { told, lines } = await run(pageSize, false);
      expect(lines).toEqual(THREATS);
      expect(told.map(({ isDone }) => isDone)).toEqual(told.map((_, at) => at === told.length - 1));
      expect(asked).toEqual([]);
    }
  });

  it('with texts has the findings whose full text is known, and reads each request once', async () => {
    const { told, lines } = await run(2, true);
    expect(lines.map(({ id, text }) => [id, text])).toEqual([
      ['thr_1', 'said'],
      ['thr_2', 'answered'],
    ]);
    expect(told.at(-1)?.read).toBe(5);
    expect(asked).toEqual(['a', 'b', 'c']);
  });
});
