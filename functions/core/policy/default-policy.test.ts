import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../base/errors.ts';
import { DefaultPolicy, type PolicyVersion } from './default-policy.ts';

let time = 0;
let reads = 0;
let current: PolicyVersion;
let failure: Error | undefined;
let policy: DefaultPolicy;
const clock = { now: () => 0, monotonic: () => time };
const version = (number: number): PolicyVersion => ({
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
  policy = new DefaultPolicy(
    {
      current: async () => {
        reads += 1;
        await settled();
        if (failure) throw failure;
        return current;
      },
    },
    clock,
  );
});

describe("the deployment's policy", () => {
  it('is read once by many who ask at once, and then serves for 10 s', async () => {
    expect(await Promise.all([policy.settings(), policy.settings()])).toEqual([{}, {}]);
    time += 9_999;
    await policy.settings();
    expect(reads).toBe(1);
  });

  it('is read anew in the background from then on, with nobody waiting', async () => {
    await policy.settings();
    current = version(1);
    time += 10_000;
    expect(await policy.settings()).toEqual({});
    await settled();
    expect(await policy.settings()).toEqual({ preset: 'strict' });
    expect(reads).toBe(2);
  });

  it('is never served unread after 30 s, though the function slept', async () => {
    await policy.settings();
    current = version(1);
    time += 30_000;
    expect(await policy.settings()).toEqual({ preset: 'strict' });
  });

  it('is the same object while its version is the same, so that it is compiled once', async () => {
    const first = await policy.settings();
    current = version(0);
    time += 30_000;
    expect(await policy.settings()).toBe(first);
  });

  it('stays the last known one while the store is away, and is tried again', async () => {
    current = version(1);
    await policy.settings();
    failure = new StoreUnavailable('away');
    for (const wait of [15_000, 15_000, 3_600_000]) {
      time += wait;
      expect(await policy.settings()).toEqual({ preset: 'strict' });
      await settled();
    }
    failure = undefined;
    current = version(2);
    time += 30_000;
    expect(await policy.settings()).toEqual({ preset: 'strict' });
    expect(reads).toBe(5);
  });

  it('serves nobody where it was never read', async () => {
    failure = new StoreUnavailable('away');
    await expect(policy.settings()).rejects.toBe(failure);
    failure = undefined;
    expect(await policy.settings()).toEqual({});
  });
});
