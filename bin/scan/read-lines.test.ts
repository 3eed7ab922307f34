import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeChunks, type Line, readLines, readWhole } from './read-lines.ts';

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

async function linesOf(bytes: Uint8Array, sizes: readonly number[] = [], maxUnits?: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(decodeChunks(chunksOf(bytes, sizes)), maxUnits)) lines.push(line);
  return lines;
}

const ENCODINGS = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with a mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'UTF-16LE': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16BE': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
} as const;

describe('reading lines', () => {
  it.each(Object.entries(ENCODINGS))('returns any lines of %s, however the bytes arrive', async (_, encode) => {
    const unit = fc.constantFrom('a', 'é', '漢', '😀', '\u2028', '\u2029', '\u0085', ' ', '\ra');
    const line = fc.string({ unit, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 8 }),
        fc.string({ unit, minLength: 1, maxLength: 5 }),
        fc.array(fc.nat({ max: 7 }), { maxLength: 20 }),
        async (ended, last, sizes) => {
          const text = ended.map((parts) => parts.join('')).join('') + last;
          const expected = [...ended.map(([content]) => content), last];
          expect(await linesOf(encode(text), sizes)).toEqual(
            expected.map((content, at) => ({ number: at + 1, text: content })),
          );
          expect(await readWhole(decodeChunks(chunksOf(encode(text), sizes)))).toBe(text);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('has no line after the last line end, and none in no text', async () => {
    expect(await linesOf(Buffer.from('a\n'))).toEqual([{ number: 1, text: 'a' }]);
    expect(await linesOf(Buffer.from(''))).toEqual([]);
    expect(await linesOf(Buffer.from('x'))).toEqual([{ number: 1, text: 'x' }]);
  });

  it('has no text for a line above the limit, and reads on', async () => {
    const text = `${'a'.repeat(10)}\r\n${'b'.repeat(11)}\n${'c'.repeat(40)}\nd\n${'e'.repeat(11)}`;
    expect(await linesOf(Buffer.from(text), [4, 8, 15, 3], 10)).toEqual([
      { number: 1, text: 'a'.repeat(10) },
      { number: 2, text: undefined },
      { number: 3, text: undefined },
      { number: 4, text: 'd' },
      { number: 5, text: undefined },
    ]);
  });

  it('returns a whole text up to the limit', async () => {
    const whole = (text: string) => readWhole(decodeChunks(chunksOf(Buffer.from(text), [3])), 5);
    expect(await whole('abcde')).toBe('abcde');
    expect(await whole('abcdef')).toBeUndefined();
  });
});
