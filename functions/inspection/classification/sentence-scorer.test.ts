import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import type { RuleHit, TextClassifier } from '../matching/index.ts';
import { CANARY_RULE } from '../output/index.ts';
import { SentenceScorer } from './sentence-scorer.ts';

/** Reports the word `zebra`. */
class ZebraClassifier implements TextClassifier {
  readonly classified: string[] = [];

  rulesFor() {
    return [CANARY_RULE];
  }

  classify(text: string) {
    this.classified.push(text);
    const start = text.indexOf('zebra');
    return [
      { rule: CANARY_RULE, score: start < 0 ? 0.2 : 0.9, start: Math.max(0, start), end: Math.max(1, start + 5) },
    ];
  }
}

const CALM = 'The museum opens at nine on weekdays, and at ten on Sundays.';
const LOUD = 'There the ＺＥＢＲＡ stands, in a glass case behind the door.';

function read(pieces: readonly string[], cuts = false): RuleHit[] {
  const reader = new SentenceScorer(new ZebraClassifier(), cuts).open();
  const hits: RuleHit[] = [];
  for (const piece of [...pieces, undefined]) {
    const { settled } = reader;
    const found = piece === undefined ? reader.read('', true) : reader.read(piece, false);
    if (cuts) for (const { cutsAt } of found) expect(cutsAt).toBeGreaterThanOrEqual(settled);
    hits.push(...found);
  }
  return hits;
}

describe('a classifier over a response', () => {
  it('reports a range at the end of its sentence', () => {
    const reader = new SentenceScorer(new ZebraClassifier(), false).open();
    const text = `${CALM} ${CALM} ${LOUD} ${CALM} ${CALM} ${CALM}`;
    const spoke = [...text].flatMap((letter, at) => reader.read(letter, false).map((hit) => ({ at, hit })));
    expect(spoke).toHaveLength(1);
    const [{ at, hit } = { at: 0, hit: undefined }] = spoke;
    expect(text.slice(hit?.start, hit?.end)).toBe('ＺＥＢＲＡ');
    expect(text.slice(0, at)).toMatch(/\.$/);
    expect(reader.read('', true)).toEqual([]);
  });

  it('finds text across two stretches, and reads no letter more than twice', () => {
    const classifier = new ZebraClassifier();
    const reader = new SentenceScorer(classifier, false).open();
    const text = `${CALM} `.repeat(200);
    reader.read(text, true);
    expect(classifier.classified.join('').length).toBeLessThanOrEqual(2 * text.length);
    for (const [before, after] of classifier.classified.slice(1).map((text, at) => [classifier.classified[at], text])) {
      expect(before?.endsWith(after?.slice(0, 100) ?? '') || before?.includes(after?.slice(0, 100) ?? '')).toBe(true);
    }
  });

  it('holds back nothing, or if it may cut, at most one letter', () => {
    for (const text of [CALM.repeat(40), 'x'.repeat(5_000)]) {
      for (const cuts of [false, true]) {
        const reader = new SentenceScorer(new ZebraClassifier(), cuts).open();
        const held = [...text].map((letter, at) => {
          reader.read(letter, false);
          return at + 1 - Math.min(at + 1, reader.settled);
        });
        expect(Math.max(...held)).toBeLessThanOrEqual(cuts ? 1 : 0);
      }
    }
  });

  it('returns the same for any split', () => {
    const texts = fc.array(fc.constantFrom(CALM, LOUD, 'zebra', '\n', 'x'.repeat(333), '…', '。', '😀'), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(texts, fc.array(fc.nat(1_500), { maxLength: 30 }), fc.boolean(), (parts, places, cuts) => {
        const text = parts.join(' ');
        expect(read(cutAt(text, places), cuts)).toEqual(read([text]));
      }),
    );
  });
});
