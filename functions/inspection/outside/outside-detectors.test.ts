import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import type { Surface } from '../../kernel/model/index.ts';
import {
  type AskingRequest,
  type OutsideDetector,
  type OutsideText,
  type OutsideVerdict,
  outsideRule,
  type ScoredText,
} from './outside-detector.ts';
import { type AskWhen, OutsideDetectors, splitText } from './outside-detectors.ts';

const RULE = outsideRule({
  id: 'test/harm',
  type: 'toxicity',
  category: 'harm',
  severity: 'high',
  message: 'Harm.',
  owasp: 'LLM05:2025',
  atlas: null,
});

/** A detector that returns what the test specifies, and records its calls. */
class FakeDetector implements OutsideDetector {
  readonly asked: OutsideText[] = [];
  readonly name: string;
  readonly maxChars: number;
  signal: AbortSignal | undefined;
  private readonly respond: (text: OutsideText, signal: AbortSignal) => Promise<OutsideVerdict>;

  constructor(
    respond: (text: OutsideText, signal: AbortSignal) => Promise<OutsideVerdict>,
    name = 'fake',
    max = 1_000,
  ) {
    this.name = name;
    this.maxChars = max;
    this.respond = respond;
  }

  inspect(texts: readonly OutsideText[], signal: AbortSignal) {
    this.asked.push(...texts);
    this.signal = signal;
    return texts.map((text) => this.respond(text, signal));
  }
}

const harmless = async (): Promise<OutsideVerdict> => ({ findings: [] });
/** Finds the word at any place. */
const findsHarm = async ({ text }: OutsideText): Promise<OutsideVerdict> => {
  const start = text.indexOf('harm');
  return { findings: start < 0 ? [] : [{ rule: RULE, score: 0.9, start, end: start + 4 }] };
};
const never = () => new Promise<OutsideVerdict>(() => {});

function outsideOf(
  detectors: readonly OutsideDetector[],
  when: AskWhen = 'always',
  monotonic = () => performance.now(),
) {
  return new OutsideDetectors({ detectors, deadlineMs: DEADLINE_MS, when, clock: { now: Date.now, monotonic } });
}
const question = (text: string, score = 0, surface: Surface = 'user') => ({ text, surface, score, attackScore: score });
const from = (sender: string, signal = new AbortController().signal): AskingRequest => ({
  sender,
  signal,
  admitted: Promise.resolve(),
  addCost: () => {},
});

describe('the outside detectors', () => {
  test('are all called at once, and each text has its own findings', async () => {
    let running = 0;
    let most = 0;
    const slow = async (text: OutsideText) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running -= 1;
      return findsHarm(text);
    };
    const detectors = [new FakeDetector(slow, 'one'), new FakeDetector(slow, 'two')];
    const result = await outsideOf(detectors).ask([question('fine'), question('some harm')], from('key_1'));
    expect(most).toBe(4);
    expect(result?.failures).toEqual([]);
    expect(result?.findings.map((found) => found.map(({ start, end }) => [start, end]))).toEqual([[], [[5, 9]]]);
  });

  test("never receive the operator's text or an empty text", async () => {
    const detector = new FakeDetector(harmless);
    const outside = outsideOf([detector]);
    expect(outside.ask([question('You are a helper.', 0.5, 'system'), question(' \n')], from('key_1'))).toBeUndefined();
    await outside.ask([question('You are a helper.', 0.5, 'system'), question('Hello')], from('key_1'));
    expect(detector.asked).toEqual([{ text: 'Hello', surface: 'user' }]);
  });

  test('are called only for scores in the half-open range of the setting', async () => {
    const detector = new FakeDetector(harmless);
    const outside = outsideOf([detector], { from: 0.2, to: 0.85 });
    const scores = [0, 0.19, 0.2, 0.5, 0.84, 0.85, 1];
    const result = await outside.ask(
      scores.map((score) => question(`scored ${score}`, score)),
      from('key_1'),
    );
    expect(detector.asked.map(({ text }) => text).sort()).toEqual(['scored 0.2', 'scored 0.5', 'scored 0.84']);
    expect(result?.findings).toHaveLength(scores.length);
    expect(outside.ask([question('clear', 0.1)], from('key_1'))).toBeUndefined();
  });

  test('may choose their texts themselves, except those of the operator and empty ones', async () => {
    const chosen: ScoredText[] = [];
    const choosy = Object.assign(new FakeDetector(harmless, 'choosy'), {
      needs: (text: ScoredText) => {
        chosen.push(text);
        return text.score < 0.5;
      },
    });
    const other = new FakeDetector(harmless, 'other');
    const outside = outsideOf([choosy, other], { from: 0.4, to: 0.9 });
    const texts = [question('low', 0.1), question('middle', 0.45), question('high', 0.8), question('x', 0, 'system')];
    await outside.ask([...texts, question(' ')], from('key_1'));
    expect(choosy.asked.map(({ text }) => text).sort()).toEqual(['low', 'middle']);
    expect(other.asked.map(({ text }) => text).sort()).toEqual(['high', 'middle']);
    expect(chosen.every(({ text }) => text.length > 1)).toBe(true);
    expect(outside.ask([question('none', 0.95)], from('key_1'))).toBeUndefined();
  });

  test('know the request that they cost', async () => {
    const request = from('key_1');
    const detector = new FakeDetector(harmless);
    const inspect = jest.spyOn(detector, 'inspect');
    await outsideOf([detector]).ask([question('a')], request);
    expect(inspect.mock.calls[0]?.slice(2)).toEqual([request]);
  });

  test('have until the deadline: later calls are ended and reported as timeouts', async () => {
    jest.useFakeTimers();
    try {
      const stuck = new FakeDetector((text) => (text.text.startsWith('wait') ? never() : findsHarm(text)), 'stuck');
      const quick = new FakeDetector(findsHarm, 'quick');
      const settled = jest.fn();
      const asked = outsideOf([stuck, quick]).ask([question('wait harm'), question('harm')], from('key_1'));
      void asked?.then(settled);
      await jest.advanceTimersByTimeAsync(DEADLINE_MS - 1);
      expect([settled.mock.calls.length, stuck.signal?.aborted]).toEqual([0, false]);
      await jest.advanceTimersByTimeAsync(1);
      expect([settled.mock.calls.length, stuck.signal?.aborted]).toEqual([1, true]);
      const result = await asked;
      expect(result?.failures).toEqual([{ detector: 'stuck', reason: 'timeout', detail: null, isOptional: false }]);
      expect(result?.findings.map((found) => found.length)).toEqual([1, 1]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('that fail are reported once for each reason, also if they reject or return nothing', async () => {
    const limited = new FakeDetector(async () => ({ failure: 'throttled', detail: 'status 429' }), 'limited');
    const broken = new FakeDetector(() => Promise.reject(new Error('broken')), 'broken');
    const mute = new FakeDetector(harmless, 'mute');
    jest.spyOn(mute, 'inspect').mockReturnValue([]);
    const result = await outsideOf([limited, broken, mute]).ask([question('a'), question('b')], from('key_1'));
    expect(result?.failures).toEqual(
      expect.arrayContaining([
        { detector: 'limited', reason: 'throttled', detail: 'status 429', isOptional: false },
        { detector: 'broken', reason: 'failed', detail: null, isOptional: false },
        { detector: 'mute', reason: 'failed', detail: null, isOptional: false },
      ]),
    );
    expect(result?.failures).toHaveLength(3);
  });

  test('receive a long text in parts, and findings have their range in the text', async () => {
    const text = `${'word '.repeat(1_000)}harm${' word'.repeat(1_000)}`;
    const detector = new FakeDetector(findsHarm);
    const result = await outsideOf([detector]).ask([question(text)], from('key_1'));
    expect(detector.asked.length).toBeGreaterThan(9);
    expect(result?.findings[0]?.map(({ start, end }) => text.slice(start, end))).toEqual(['harm']);
  });

  test('receive the newest texts if there are too many, and the rest is reported', async () => {
    const detector = new FakeDetector(harmless);
    const texts = Array.from({ length: 70 }, (_, at) => question(`message ${at}`));
    const result = await outsideOf([detector]).ask(texts, from('key_1'));
    expect(detector.asked).toHaveLength(64);
    expect(detector.asked[0]?.text).toBe('message 69');
    expect(result?.failures).toEqual([{ detector: 'fake', reason: 'too_large', detail: null, isOptional: false }]);
  });

  test('are not called again for texts with a recent verdict', async () => {
    let now = 0;
    let fails = true;
    const detector = new FakeDetector(async (text) =>
      fails && text.text === 'second' ? { failure: 'failed' } : findsHarm(text),
    );
    const outside = outsideOf([detector], 'always', () => now);
    await outside.ask([question('harm'), question('second')], from('key_1'));
    fails = false;
    const again = await outside.ask([question('harm'), question('second'), question('third')], from('key_1'));
    expect(detector.asked.slice(2).map(({ text }) => text)).toEqual(['third', 'second']);
    expect(again?.findings.map((found) => found.length)).toEqual([1, 0, 0]);
    // The surface makes a difference.
    await outside.ask([question('harm', 0, 'tool')], from('key_1'));
    expect(detector.asked).toHaveLength(5);
    // Response times do not reveal what others have sent.
    await outside.ask([question('harm')], from('key_2'));
    expect(detector.asked).toHaveLength(6);
    now = 11 * 60_000;
    await outside.ask([question('harm')], from('key_1'));
    expect(detector.asked).toHaveLength(7);
  });

  test('are no longer waited for when the caller disconnects', async () => {
    const detector = new FakeDetector(never);
    const caller = new AbortController();
    const asked = outsideOf([detector]).ask([question('a')], from('key_1', caller.signal));
    caller.abort();
    expect((await asked)?.failures).toMatchObject([{ reason: 'timeout' }]);
    expect(detector.signal?.aborted).toBe(true);
  });
});

describe('a text in parts', () => {
  test('is one part if it fits', () => {
    expect(splitText('short', 1_000)).toEqual([{ text: 'short', offset: 0 }]);
    expect(splitText('x'.repeat(1_000), 1_000)).toHaveLength(1);
  });

  test('ends at spaces if there are any near', () => {
    const parts = splitText('word '.repeat(500), 1_000);
    expect(parts.length).toBeGreaterThan(2);
    for (const { text } of parts.slice(0, -1)) expect(text.endsWith('word')).toBe(true);
  });

  test('covers the text, overlaps, is never longer than allowed and splits no character', () => {
    const piece = fc.constantFrom('a', 'word ', '😀', 'äöü', ' ', 'x'.repeat(150));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 300 }), fc.integer({ min: 500, max: 2_000 }), (pieces, maxChars) => {
        const text = pieces.join('');
        const parts = splitText(text, maxChars);
        for (const [at, { text: part, offset }] of parts.entries()) {
          expect(text.startsWith(part, offset)).toBe(true);
          expect(part.length).toBeLessThanOrEqual(maxChars);
          expect(part.isWellFormed()).toBe(true);
          const before = parts[at - 1];
          if (before) expect(before.offset + before.text.length - offset).toBeGreaterThanOrEqual(200);
        }
        const last = parts.at(-1);
        expect((last?.offset ?? 0) + (last?.text.length ?? 0)).toBe(text.length);
      }),
    );
  });
});
