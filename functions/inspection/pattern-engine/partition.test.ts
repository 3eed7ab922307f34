import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Partition } from './alphabet.ts';

const SIZE = 12;
const members = fc.uniqueArray(fc.nat(SIZE - 1));

describe('a partition', () => {
  it('has two members in one part exactly if no split separated them', () => {
    fc.assert(
      fc.property(fc.array(members, { maxLength: 6 }), (splits) => {
        const partition = new Partition(SIZE);
        for (const split of splits) partition.split(split);
        const signs = Array.from({ length: SIZE }, (_, member) => splits.map((split) => split.includes(member)).join());
        for (let a = 0; a < SIZE; a++) {
          for (let b = 0; b < SIZE; b++) expect(partition.of[a] === partition.of[b]).toBe(signs[a] === signs[b]);
        }
        expect(new Set(partition.of)).toEqual(new Set(Array.from({ length: partition.count }, (_, part) => part)));
      }),
    );
  });

  it('returns the parts of some members, each once', () => {
    fc.assert(
      fc.property(members, members, (split, asked) => {
        const partition = new Partition(SIZE);
        partition.split(split);
        expect(partition.partsOf(asked).sort()).toEqual([...new Set(asked.map((at) => partition.of[at]))].sort());
      }),
    );
  });
});
