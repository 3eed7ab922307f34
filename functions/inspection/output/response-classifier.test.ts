import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import type { Piece } from '../../kernel/model/index.ts';
import { Inspector } from '../inspector/index.ts';
import type { Rule, TextClassifier } from '../matching/index.ts';
import { Policy, Redaction } from '../policy/index.ts';
import { OutputGuard } from './output-guard.ts';

const OBJECTION: Rule = {
  id: 'test/objection',
  type: 'indirect_injection',
  category: 'test',
  severity: 'high',
  score: 1,
  view: 'folded',
  patterns: [],
  surfaces: ['output'],
  scoresAfterRelease: true,
  message: 'The classifier objects.',
  owasp: 'LLM01:2025',
  atlas: null,
};

/** Reports the word `zebra`. */
const CLASSIFIER: TextClassifier = {
  rulesFor: () => [OBJECTION],
  classify: (text) => {
    const start = text.indexOf('zebra');
    return [{ rule: OBJECTION, score: start < 0 ? 0.1 : 0.9, start: Math.max(0, start), end: Math.max(1, start + 5) }];
  },
};
const INSPECTOR = new Inspector([], CLASSIFIER);
const CUTTING = new Policy({ output: { indirect_injection: { action: 'block', threshold: 0.85 } } });

const CALM = 'The museum opens at nine on weekdays, and at ten on Sundays, but for the hall of birds, which is closed.';
const LOUD =
  'There the zebra stands, in a glass case behind the door, and beside it the horse of a general of long ago.';

interface Left {
  readonly text: string;
  readonly blocked: boolean;
  readonly reported: number;
}

/** Runs the guard over these pieces; the last one closes the text. */
function release(texts: readonly string[], { streams = true, policy = CUTTING, closed = true } = {}): Left {
  let reported = 0;
  const guard = new OutputGuard(INSPECTOR, policy, new Redaction('test'), () => (reported += 1), { streams });
  const left: Piece[] = texts.flatMap((text, at) => {
    const json = JSON.stringify({ text });
    const closes = closed && at === texts.length - 1 ? ['content'] : [];
    return guard.push({
      json,
      slots: [{ channel: 'content', text, path: ['text'] }],
      echoes: [],
      divisible: true,
      closes,
    });
  });
  left.push(...guard.end());
  const text = left.flatMap(({ slots }) => slots.map((slot) => slot.text)).join('');
  return { text, blocked: guard.blocked !== undefined, reported };
}

describe('a response with a classifier finding', () => {
  const sentences = [CALM, CALM, LOUD, CALM, CALM, CALM];
  const text = sentences.join(' ');

  it('is cut after the inspected stretch of sentences if it streams', () => {
    const { text: left, blocked, reported } = release([...text]);
    expect([blocked, reported]).toEqual([true, 1]);
    expect(left).toContain(LOUD);
    expect(text.startsWith(left)).toBe(true);
    expect(left.length).toBeLessThan(text.length - 200);
  });

  it('is cut where the finding starts if nothing was released', () => {
    expect(release([text], { streams: false })).toEqual({
      text: text.slice(0, text.indexOf('zebra')),
      blocked: true,
      reported: 1,
    });
  });

  it.each([true, false])('ends as blocked if the finding is in its last words', (closed) => {
    const last = `${CALM} ${CALM} ${LOUD}`;
    expect(release([...last], { closed })).toEqual({ text: last, blocked: true, reported: 1 });
  });

  it('is only flagged if the policy would redact: its text was released', () => {
    const policy = new Policy({ output: { indirect_injection: { action: 'redact', threshold: 0.5 } } });
    for (const streams of [true, false])
      expect(release([text], { policy, streams })).toEqual({ text, blocked: false, reported: 1 });
  });

  it('releases the same text for any split', () => {
    const parts = fc.array(fc.constantFrom(CALM, LOUD, 'zebra', 'x'.repeat(333), 'e\u0301', '。', '😀'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(parts, fc.array(fc.nat(1_500), { maxLength: 30 }), fc.boolean(), (words, places, closed) => {
        const whole = words.join(' ');
        expect(release(cutAt(whole, places), { closed })).toEqual(release([whole], { closed }));
      }),
    );
  });
});
