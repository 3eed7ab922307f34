import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type SessionScore, withTurn } from '../../../../functions/core/sessions/suspicion.ts';
import type { RequestRecord } from '../../api/types.ts';
import { toRisk } from './risk.ts';

const turns = fc.array(
  fc.record({
    atMs: fc.integer({ min: 1.7e12, max: 1.7e12 + 1e7 }),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

describe('the risk of a session over its turns', () => {
  it('is what the gateway remembers of them, whatever the order in which they are listed', () => {
    fc.assert(
      fc.property(turns, (given) => {
        const records = given.map(({ atMs, score }, at) => ({
          id: `req_${at}`,
          time: new Date(atMs).toISOString(),
          turnScore: score,
        }));
        const inOrder = given.toSorted((a, b) => a.atMs - b.atMs);
        let known: SessionScore | undefined;
        const expected = inOrder.map(({ atMs, score }) => {
          known = withTurn(known, score, atMs);
          return known.accumulated;
        });
        const points = toRisk(records as unknown as RequestRecord[]);
        points.forEach((point, at) => expect(point.accumulated).toBeCloseTo(expected[at] as number, 9));
        expect(points.map(({ turn }) => turn)).toEqual(inOrder.map(({ score }) => score));
      }),
    );
  });
});
