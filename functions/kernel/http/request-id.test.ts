import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { arrivalOf, isRequestId, newRequestIdText } from './request-id.ts';

it('contains the arrival, up to the year 10889', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (arrivedAtMs) => {
      const id = newRequestIdText(arrivedAtMs);
      expect(isRequestId(id)).toBe(true);
      expect(arrivalOf(id)).toBe(arrivedAtMs);
    }),
  );
});

it('differs for requests of the same millisecond', () => {
  const ids = new Set(Array.from({ length: 1_000 }, () => newRequestIdText(1_764_230_000_000)));
  expect(ids.size).toBe(1_000);
});

it.each(['', 'req_1', `req_${'g'.repeat(32)}`, `req_${'0'.repeat(33)}`, `REQ_${'0'.repeat(32)}`, '0'.repeat(32)])(
  'is not read from %j',
  (text) => {
    expect(isRequestId(text)).toBe(false);
    expect(arrivalOf(text)).toBeUndefined();
  },
);
