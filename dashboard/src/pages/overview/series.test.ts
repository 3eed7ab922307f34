import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Timeseries } from '../../api/types.ts';
import { toOutcomes, topGroups, toThreatMix } from './series.ts';

type Interval = Timeseries['data'][number];

const count = fc.nat(1000);
const types = [
  'jailbreak',
  'prompt_injection',
  'secret',
  'pii',
  'toxicity',
  'obfuscation',
  'code_injection',
  'malicious_url',
];
const interval = fc
  .record({
    blocked: count,
    flagged: count,
    others: count,
    errors: count,
    threats: fc.dictionary(fc.constantFrom(...types), fc.integer({ min: 1, max: 50 })),
  })
  .map(({ others, ...rest }) => ({ ...rest, requests: rest.blocked + rest.flagged + others }) as unknown as Interval);

const sumOf = (point: object) =>
  Object.values(point).reduce((sum, value) => sum + (typeof value === 'number' ? value : 0), 0);

describe('charts', () => {
  it('count each request once, whatever became of it', () => {
    fc.assert(
      fc.property(fc.array(interval), (data) => {
        const points = toOutcomes(data);
        expect(points.map(sumOf)).toEqual(data.map(({ requests }) => requests));
        expect(points.every(({ passed, errors }) => Number(passed) >= 0 && Number(errors) >= 0)).toBe(true);
      }),
    );
  });

  it('count every finding in one of at most six series', () => {
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1 }), (data) => {
        const { points, series } = toThreatMix(data);
        expect(points.map(sumOf)).toEqual(data.map(({ threats }) => sumOf(threats)));
        expect(series.length).toBeLessThanOrEqual(6);
        expect(new Set(series.map(({ color }) => color)).size).toBe(series.length);
      }),
    );
  });

  it('list groups by their requests, without those of no group', () => {
    const groups = [3, 9, 5].map((requests) => ({ requests, group: `g${requests}` }));
    const top = topGroups([...groups, { requests: 100, group: null }] as never[], 2);
    expect(top.map(({ group }) => group)).toEqual(['g9', 'g5']);
  });
});
