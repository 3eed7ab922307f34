import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eachToken } from './tokens.ts';
import { agreedScore, bestWindow } from './window-score.ts';

/** Tokenises a text; each token has one feature and the weight that `weigh` returns. */
function read(text: string, weigh: (token: string) => number) {
  const [startOf, endOf, weights]: number[][] = [[], [], [0]];
  eachToken(text, (_, start, end) => {
    startOf?.push(start);
    endOf?.push(end);
    weights?.push((weights.at(-1) as number) + weigh(text.slice(start, end)));
  });
  const tokens = startOf?.length ?? 0;
  return {
    tokens,
    startOf: Int32Array.from(startOf ?? []),
    endOf: Int32Array.from(endOf ?? []),
    weights: Float64Array.from(weights ?? []),
    features: Int32Array.from({ length: tokens + 1 }, (_, at) => at),
  };
}

function scoresOf(text: string) {
  const tokens = read(text, (token) => (token.startsWith('loud') ? 9 : token.startsWith('low') ? -9 : 0));
  const window = bestWindow(tokens);
  if (window === undefined) throw new Error('too short');
  return { own: window.score, agreed: agreedScore(text, tokens, window) };
}

const PLAIN = 'these are plain words of a document that goes on and on. ';
const ORDER = 'loud1 loud2 loud3 loud4 loud5 loud6 loud7 loud8 loud9 loud10 loud11 loud12';
const ACROSS =
  'low low low low low low loud1 loud2 loud3 loud4 loud5 loud6. loud7 loud8 loud9 loud10 loud11 low low low low low low';
const amid = (text: string, times: number) => `${PLAIN.repeat(times)}\n${text}.\n${PLAIN.repeat(times)}`;

describe('the score of the best window', () => {
  it('is unchanged where the window is a sentence', () => {
    const { own, agreed } = scoresOf(amid(ORDER, 300));
    expect(agreed).toBeGreaterThan(0.95 * own);
  });

  it('is lower in a long text where it spans two sentences that score low by themselves', () => {
    const { own, agreed } = scoresOf(amid(ACROSS, 300));
    expect(agreed).toBeLessThan(0.85 * own);
  });

  it('is lowered more in longer texts, and not in short ones', () => {
    const lost = [1, 20, 40, 300].map((times) => {
      const { own, agreed } = scoresOf(amid(ACROSS, times));
      return own - agreed;
    });
    expect(lost[0]).toBe(0);
    expect(lost).toEqual([...lost].sort((a, b) => a - b));
    expect(new Set(lost).size).toBe(4);
  });

  it.each(['? ', ': ', '\n', '。'])('sees that a sentence ends with %j', (end) => {
    const { own, agreed } = scoresOf(amid(ACROSS.replace('. ', end), 300));
    expect(agreed).toBeLessThan(0.85 * own);
  });

  it('does not see an end in a name with dots', () => {
    const whole = scoresOf(amid(`${ORDER}.${ORDER}`, 300));
    expect(whole.agreed).toBeGreaterThan(0.95 * whole.own);
  });

  it('is never raised', () => {
    const word = fc.constantFrom('loud', 'low', 'plain', '.', '\n', 'on', ':');
    fc.assert(
      fc.property(fc.array(word, { minLength: 600, maxLength: 900 }), (words) => {
        const { own, agreed } = scoresOf(words.join(' '));
        expect(agreed).toBeLessThanOrEqual(own);
      }),
      { numRuns: 30 },
    );
  });
});
