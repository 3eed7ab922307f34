import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lastSegment } from './last-segment.ts';

it('the name in a path is the one that was put there, whatever a caller called it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(lastSegment(`/sessions/${encodeURIComponent(name)}`)).toBe(name);
    }),
  );
  expect(lastSegment('/sessions/100%')).toBe('100%');
});
