import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { type DocumentVersion, LiveDocument } from './documents.ts';

interface Content {
  readonly preset?: string;
}

let time = 0;
let reads = 0;
let current: DocumentVersion<Content>;
let failure: Error | undefined;
let document: LiveDocument<Content>;
let stale: number[];
const clock = { now: () => 0, monotonic: () => time };
const version = (number: number): DocumentVersion<Content> => ({
  version: number,
  settings: number === 0 ? {} : { preset: 'strict' },
  createdAt: null,
  createdBy: null,
});
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  time = 1_000;
  reads = 0;
  current = version(0);
  failure = undefined;
  stale = [];
  document = new LiveDocument(
    {
      current: async () => {
        reads += 1;
        await settled();
        if (failure) throw failure;
        return current;
      },
    },
    clock,
    (ageMs) => stale.push(ageMs),
  );
});

describe('a document', () => {
  it('is read once by many who ask at once, and then serves for 5 s', async () => {
    expect(await Promise.all([document.settings(), document.settings()])).toEqual([{}, {}]);
    time += 4_999;
    await document.settings();
    expect(reads).toBe(1);
  });

  it('is read anew in the background from then on, and no request waits', async () => {
    await document.settings();
    current = version(1);
    time += 5_000;
    expect(await document.settings()).toEqual({});
    await settled();
    expect(await document.settings()).toEqual({ preset: 'strict' });
    expect(reads).toBe(2);
  });

  it('is never served unread after 10 s, though the function slept', async () => {
    await document.settings();
    current = version(1);
    time += 10_000;
    expect(await document.settings()).toEqual({ preset: 'strict' });
  });

  it('is the same object while its version is the same, so that it is compiled once', async () => {
    const first = await document.settings();
    current = version(0);
    time += 10_000;
    expect(await document.settings()).toBe(first);
  });

  it('stays the last known one while the store is away, and is tried again', async () => {
    current = version(1);
    await document.settings();
    failure = new StoreUnavailable('away');
    for (const wait of [5_000, 5_000, 3_600_000]) {
      time += wait;
      expect(await document.settings()).toEqual({ preset: 'strict' });
      await settled();
    }
    failure = undefined;
    current = version(2);
    time += 10_000;
    expect(await document.settings()).toEqual({ preset: 'strict' });
    expect(reads).toBe(5);
  });

  it('reports its age from 10 s on while it cannot be read', async () => {
    await document.settings();
    failure = new StoreUnavailable('away');
    for (const wait of [5_000, 5_000, 50_000]) {
      time += wait;
      await document.settings();
      await settled();
    }
    expect(stale).toEqual([10_000, 60_000]);
  });

  it('serves no request if it was never read', async () => {
    failure = new StoreUnavailable('away');
    await expect(document.settings()).rejects.toBe(failure);
    failure = undefined;
    expect(await document.settings()).toEqual({});
  });
});
