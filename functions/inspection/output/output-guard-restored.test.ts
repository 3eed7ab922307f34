import { describe, expect, it } from '@jest/globals';
import { ALL_RULES } from '../detectors/index.ts';
import { Redaction } from '../policy/index.ts';
import {
  ACTING,
  ARGUMENTS,
  content,
  guardAll,
  left,
  MONITOR,
  NUMBER,
  numbered,
  original,
  PLACEHOLDERS,
  pieces,
  TINY,
  toPiece,
  twelveNumbers,
} from './output-guard.fixture.ts';
import { OutputGuard } from './output-guard.ts';

describe('a redacted original of the request', () => {
  it.each([
    ['with the text around it', 'so [NUMBER_1] deeds', 'evil', 'so '],
    ['in part', '7-[NUMBER_1]', '7', ''],
    ['beside a redaction', 'key_[NUMBER_1] [NUMBER_1]', 'ab', '[REDACTED_KEY] ab'],
  ])('is inspected in its restored form: %s', (_, shape, value, released) => {
    const redaction = new Redaction('test');
    const text = shape.replaceAll('[NUMBER_1]', redaction.hideInput(NUMBER, value));
    for (const all of [pieces(text), pieces(...text)])
      expect(left(guardAll(all, TINY, ACTING, redaction))).toBe(released);
  });

  it('is restored in tool call arguments as a JSON string', () => {
    const redaction = new Redaction('test');
    const name = 'Ann "the\nLine" O\\Neil';
    const text = JSON.stringify({ to: `for ${redaction.hideInput(NUMBER, name)}.` });
    for (const all of [[text], [...text]]) {
      const reported = all.map((part) => toPiece([{ channel: ARGUMENTS, text: part, isJson: true }]));
      expect(JSON.parse(guardAll(reported, TINY, MONITOR, redaction).texts[ARGUMENTS] ?? '')).toEqual({
        to: `for ${name}.`,
      });
    }
  });

  it.each([
    ['a placeholder', 'call [NUMBER_1] now', `call ${original(1)} now`],
    [
      'one whose number starts like another',
      '[NUMBER_1]0 [NUMBER_10] [NUMBER_12]',
      `${original(1)}0 ${original(10)} ${original(12)}`,
    ],
    ['one right after a bracket', '[[NUMBER_2]]', `[${original(2)}]`],
    ['several without a space', '[NUMBER_1][NUMBER_1]', original(1) + original(1)],
    ['at the end', 'x[NUMBER_3]', `x${original(3)}`],
  ])('is restored: %s', (_, shape, restored) => {
    const text = numbered(shape);
    for (const all of [pieces(text), pieces(...text)])
      expect(left(guardAll(all, TINY, MONITOR, twelveNumbers()))).toBe(restored);
  });

  it.each([
    ['[NUMBER_99]'],
    [`${PLACEHOLDERS[1]?.slice(0, -1)}0]`],
    [`${PLACEHOLDERS[1]?.slice(0, -2)}]`],
    ['[EMAIL_1]'],
    ['[NUMBER_01]'],
    ['[number_1]'],
    [numbered('[NUMBER_1')],
    [numbered('NUMBER_1]')],
    ['[NUMBER_ 1]'],
    ['[REDACTED_KEY]'],
  ])('is not restored for text that is no placeholder: %s', (text) => {
    for (const all of [pieces(text), pieces(...text)])
      expect(left(guardAll(all, TINY, MONITOR, twelveNumbers()))).toBe(text);
  });

  it('is not restored if nothing was redacted, and nothing waits for it', () => {
    const guard = new OutputGuard(TINY, MONITOR, new Redaction('test'), () => {});
    expect(guard.push(toPiece([content('[NUMBER_1')])).map(({ slots }) => slots[0]?.text)).toEqual(['[NUMBER_1']);
  });

  it('waits only where a placeholder may be open', () => {
    const guard = new OutputGuard(TINY, MONITOR, twelveNumbers(), () => {});
    const number = numbered('NUMBER_1').slice(3);
    const out = ['a [NUM', number, '] b [', 'x', `[${'A'.repeat(60)}`].map((text) =>
      guard.push(toPiece([content(text)])).map(({ slots }) => slots[0]?.text),
    );
    expect(out).toEqual([['a '], [], [original(1), '', ' b '], ['[', 'x'], [`[${'A'.repeat(60)}`]]);
  });

  it('has a placeholder that is restored, for every category of personal data', () => {
    for (const rule of ALL_RULES.filter(({ type }) => type === 'pii')) {
      const redaction = new Redaction('test');
      const placeholder = redaction.hideInput({ rule, score: 1, start: 0, end: 1, decodedFrom: [] }, 'the original');
      expect(left(guardAll(pieces(...placeholder), TINY, MONITOR, redaction))).toBe('the original');
    }
  });
});
