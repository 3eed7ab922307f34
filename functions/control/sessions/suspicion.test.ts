import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isRemembered, type SessionScore, suspicionOf, withTurn } from './suspicion.ts';

const T0 = 1_795_231_800_000;
const MINUTE = 60_000;
const afterTurns = (scores: readonly number[], everyMs = 0) =>
  scores.reduce<SessionScore | undefined>((known, score, at) => withTurn(known, score, T0 + at * everyMs), undefined);

describe("a session's suspicion", () => {
  it('is none without a past', () => expect(suspicionOf(undefined, T0)).toBe(0));

  it('grows with each suspicious turn, up to a bound', () => {
    expect(suspicionOf(afterTurns([0.7]), T0)).toBeCloseTo(0.4);
    expect(suspicionOf(afterTurns([0.7, 0.7]), T0)).toBeCloseTo(0.8);
    expect(suspicionOf(afterTurns([0.9, 0.9, 0.9, 0.9]), T0)).toBe(1);
  });

  it('halves in half an hour', () => {
    expect(suspicionOf(afterTurns([0.7]), T0 + 30 * MINUTE)).toBeCloseTo(0.2);
    expect(suspicionOf(afterTurns([0.7]), T0 + 24 * 60 * MINUTE)).toBeLessThan(1e-9);
  });

  it('never comes from ordinary turns, however many', () => {
    const ordinary = fc.array(fc.double({ min: 0, max: 0.3, noNaN: true }), { minLength: 1, maxLength: 1000 });
    fc.assert(
      fc.property(ordinary, (scores) => {
        expect(suspicionOf(afterTurns(scores), T0)).toBe(0);
        expect(scores.some(isRemembered)).toBe(false);
      }),
    );
  });

  it('stays within 0 and 1 whatever the clocks say, and remembers the highest score', () => {
    const turn = fc.record({
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      at: fc.integer({ min: -1e9, max: 1e9 }),
    });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1 }), fc.integer({ min: -1e9, max: 1e9 }), (turns, now) => {
        const known = turns.reduce<SessionScore | undefined>(
          (past, { score, at }) => withTurn(past, score, T0 + at),
          undefined,
        );
        const suspicion = suspicionOf(known, T0 + now);
        expect(suspicion).toBeGreaterThanOrEqual(0);
        expect(suspicion).toBeLessThanOrEqual(1);
        expect(known?.highest).toBe(Math.max(...turns.map(({ score }) => score)));
      }),
    );
  });
});

describe('a session is flagged', () => {
  it('when it first adds up to so much, and stays so', () => {
    const below = withTurn(undefined, 0.7, T0, 0.5);
    expect(below.flaggedAt).toBeUndefined();
    const reached = withTurn(below, 0.7, T0 + MINUTE, 0.5);
    expect(reached.flaggedAt).toBe(T0 + MINUTE);
    const later = withTurn(reached, 0.9, T0 + 5 * MINUTE, 0.5);
    expect(later.flaggedAt).toBe(T0 + MINUTE);
    // It decays, and does not become another session by that.
    expect(withTurn(later, 0.9, T0 + 24 * 60 * MINUTE, 0.5).flaggedAt).toBe(T0 + MINUTE);
  });

  it('never, where its policy flags nothing', () => {
    expect(withTurn(undefined, 1, T0).flaggedAt).toBeUndefined();
  });
});
