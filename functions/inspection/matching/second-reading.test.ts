import { describe, expect, it } from '@jest/globals';
import { TextWindow } from '../views/index.ts';
import type { Finding } from './finding.ts';
import type { Rule } from './rule.ts';
import { SecondReading } from './second-reading.ts';
import type { FindingStream } from './text-inspector.ts';

const finding = (start: number): Finding => ({
  rule: { id: 'test/rule' } as Rule,
  score: 1,
  start,
  end: start + 1,
  decodedFrom: [],
});

/** Finds each `x`, and records what it was sent. */
function recordingStream(): FindingStream & { readonly pieces: string[] } {
  const pieces: string[] = [];
  const push = (piece = '') => {
    const from = pieces.join('').length;
    pieces.push(piece);
    return [...piece].flatMap((letter, at) => (letter === 'x' ? [finding(from + at)] : []));
  };
  return { pieces, push, end: push, catchUp: () => [], settled: 2 };
}

function windowOf(text: string): TextWindow {
  const window = new TextWindow();
  window.push(text);
  return window;
}

describe('a second reading', () => {
  it('begins with the first piece that may have an escape', () => {
    const reading = new SecondReading(recordingStream);
    const raw = windowOf('plain ');
    expect(reading.beginsWith('words', raw)).toBe(false);
    expect(reading.beginsWith('&#105;gnore', raw)).toBe(true);
    reading.begin(raw, 0);
    expect(reading.beginsWith('&#105;gnore', raw)).toBe(false);
  });

  it('reads earlier text that may be part of a match, and reports ranges of the whole text', () => {
    const stream = recordingStream();
    const reading = new SecondReading(() => stream);
    reading.begin(windowOf('a'.repeat(1000)), 900);
    expect(stream.pieces).toEqual(['a'.repeat(400)]);
    expect(reading.read('ax', false).map(({ start, end }) => [start, end])).toEqual([[1001, 1002]]);
    expect(reading.settled).toBe(602);
  });

  it('removes findings that both readings have, from when it begins', () => {
    const reading = new SecondReading(recordingStream);
    expect(reading.withoutRepeated([finding(1), finding(1)])).toHaveLength(2);
    reading.begin(windowOf(''), 0);
    expect(reading.withoutRepeated([finding(1), finding(2), finding(1)])).toHaveLength(2);
    expect(reading.withoutRepeated([finding(2)])).toEqual([]);
  });

  it('keeps both scores of a range, in any order', () => {
    const low = { ...finding(1), score: 0.5 };
    for (const order of [
      [low, finding(1)],
      [finding(1), low],
    ]) {
      const reading = new SecondReading(recordingStream);
      reading.begin(windowOf(''), 0);
      expect(order.flatMap((one) => reading.withoutRepeated([one]))).toEqual(order);
    }
  });

  it('holds no text back before it begins', () => {
    const reading = new SecondReading(recordingStream);
    expect(reading.settled).toBe(Number.POSITIVE_INFINITY);
    expect(reading.read('x', false)).toEqual([]);
    expect(reading.catchUp()).toEqual([]);
  });
});
