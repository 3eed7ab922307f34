import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DeployedDocument, type Parts, planDocument } from './config-documents.ts';

const parts: fc.Arbitrary<Parts> = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat(2));
const deployed = (now: Parts, base?: Parts): DeployedDocument => ({
  ...{ version: 4, parts: now, createdAt: '2026-11-21T09:00:00.000Z', createdBy: 'key_1' },
  ...(base && { base }),
});
const names = ['a', 'b', 'c'];

describe('a document of the file', () => {
  it('replaces the deployed one if the file names no version', () => {
    fc.assert(
      fc.property(parts, parts, (wanted, now) => {
        const { steps, since } = planDocument('prices', wanted, deployed(now));
        expect(since).toEqual([]);
        expect(steps.length).toBe(names.some((name) => wanted[name] !== now[name]) ? 1 : 0);
        for (const { after } of steps) expect(after).toEqual(wanted);
      }),
    );
  });

  it('undoes no change of others without showing it: the file wins only where it changes the same', () => {
    fc.assert(
      fc.property(parts, parts, parts, (base, wanted, now) => {
        const { steps, since } = planDocument('prices', wanted, deployed(now, base));
        const after = steps[0]?.after ?? now;
        for (const name of names) {
          const one = since.find(({ part }) => part === name);
          const byFile = wanted[name] !== base[name];
          const byOthers = now[name] !== base[name];
          expect(after[name]).toBe(byOthers && !byFile ? now[name] : wanted[name]);
          expect(one?.isKept).toBe(byOthers && wanted[name] !== now[name] ? !byFile : undefined);
        }
        expect(planDocument('prices', wanted, deployed(after, base)).steps).toEqual([]);
      }),
    );
  });

  it('names the part, its values and the version', () => {
    const { steps, since } = planDocument('policy', { a: 1, b: 2 }, deployed({ a: 2, b: 3 }, { a: 1, b: 1 }));
    expect(since).toEqual([
      {
        ...{ document: 'policy', part: 'a', isKept: true, inFile: 1, deployed: 2 },
        ...{ version: 4, createdAt: '2026-11-21T09:00:00.000Z', createdBy: 'key_1' },
      },
      {
        ...{ document: 'policy', part: 'b', isKept: false, inFile: 2, deployed: 3 },
        ...{ version: 4, createdAt: '2026-11-21T09:00:00.000Z', createdBy: 'key_1' },
      },
    ]);
    expect(steps).toEqual([
      { do: 'put policy', document: 'policy', before: { a: 2, b: 3 }, after: { a: 2, b: 2 }, version: 4 },
    ]);
  });
});
