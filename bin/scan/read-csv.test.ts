import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { type CsvRow, readCsv } from './read-csv.ts';
import { csvCell } from './write-results.ts';

async function* inPieces(text: string, sizes: readonly number[] = []): AsyncGenerator<string> {
  let at = 0;
  for (const size of sizes) {
    yield text.slice(at, at + size);
    at += size;
  }
  yield text.slice(at);
}

async function read(text: string, sizes?: readonly number[], maxUnits?: number): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of readCsv(inPieces(text, sizes), maxUnits)) rows.push(row);
  return rows;
}

const cells = async (text: string) => (await read(text)).map((row) => row.cells);

/** A row as RFC 4180 writes it; only what needs quotes has them. */
const written = (row: readonly string[], delimiter: string) =>
  row
    .map((cell) =>
      (cell === '' && row.length === 1) || /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter);

describe('reading CSV', () => {
  it('returns any cells, with the line of each row, however the text is cut into pieces', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'é', '😀', '"', ',', ';', '\t', '\n', '\r', ' ', "'"),
      maxLength: 8,
    });
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.array(fc.nat({ max: 9 }), { maxLength: 20 }),
        async (table, lineEnd, endsWithLine, sizes) => {
          const lines = table.map((row) => written(row, ','));
          const starts = lines.map(
            (_, at) => 1 + (lines.slice(0, at).join('\n') + (at > 0 ? '\n' : '')).split('\n').length - 1,
          );
          const text = lines.join(lineEnd) + (endsWithLine ? lineEnd : '');
          expect(await read(text, sizes)).toEqual(table.map((row, at) => ({ line: starts[at], cells: row })));
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([',', ';', '\t'])('takes the delimiter from the first line: %j', async (delimiter) => {
    const table = [
      ['id', 'text, with "all"; of\tthem'],
      ['1', 'x'],
    ];
    expect(await cells(table.map((row) => written(row, delimiter)).join('\r\n'))).toEqual(table);
  });

  it('leaves out empty lines and keeps a quoted empty cell', async () => {
    expect(await read('a\n\n\r\n""\nb\n')).toEqual([
      { line: 1, cells: ['a'] },
      { line: 4, cells: [''] },
      { line: 5, cells: ['b'] },
    ]);
  });

  it('keeps empty cells at both ends, and quotes inside a cell', async () => {
    expect(await cells(',\n"a"b,c"d"')).toEqual([
      ['', ''],
      ['ab', 'c"d"'],
    ]);
  });

  it('reports a quote that is not closed by the line where its row starts', async () => {
    expect(await read('a,b\n1,"x\ny\nz')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: undefined, isOpen: true },
    ]);
  });

  it('drops a row that is longer than the limit, and reads on', async () => {
    const rows = await read(`a\n${'x'.repeat(10)}\n${'x'.repeat(11)}\n"${'y\n'.repeat(6)}"\nb`, [3, 5, 9], 10);
    expect(rows).toEqual([
      { line: 1, cells: ['a'] },
      { line: 2, cells: ['xxxxxxxxxx'] },
      { line: 3, cells: undefined },
      { line: 4, cells: undefined },
      { line: 11, cells: ['b'] },
    ]);
  });

  test('no text has no rows', async () => {
    expect(await read('')).toEqual([]);
  });
});

describe('writing CSV', () => {
  it.each([
    ['=1+1', `"'=1+1"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['＝1', `"'＝1"`],
    ['=1,"x"', `"'=1,""x"""`],
    ['a=1', 'a=1'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['a;b', '"a;b"'],
    ['', ''],
  ])('writes %j as %j', (text, expected) => {
    expect(csvCell(text)).toBe(expected);
  });

  it('writes numbers unchanged', () => {
    expect(csvCell(-0.5)).toBe('-0.5');
  });

  it('is read back, but for the apostrophe', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 4 }), async (row) => {
        const [back] = await cells(`${row.map(csvCell).join(',')}\r\n`);
        expect(back?.map((cell, at) => (cell === row[at] ? cell : cell.replace(/^'/, '')))).toEqual(row);
        for (const cell of back ?? []) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });
});
