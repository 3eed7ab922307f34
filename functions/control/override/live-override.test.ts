import { beforeEach, describe, expect, it } from '@jest/globals';
import { LiveOverride, type Override } from './live-override.ts';

const FROM = Date.parse('2026-11-30T03:00:00Z');
const OBSERVE: Override = { mode: 'observe', from: '2026-11-30T03:00:00Z', until: '2026-11-30T03:30:00Z' };
const MINUTE_MS = 60_000;

let override: Override;
let wall: number;
let monotonic: number;
let live: LiveOverride;
beforeEach(() => {
  override = OBSERVE;
  wall = FROM;
  monotonic = 5_000;
  live = new LiveOverride({ settings: async () => override }, { now: () => wall, monotonic: () => monotonic });
});

describe('an override', () => {
  it('is in force until its time, and then off by itself', async () => {
    expect(await live.current()).toBe(OBSERVE);
    wall = FROM + 30 * MINUTE_MS - 1;
    expect(await live.current()).toBe(OBSERVE);
    wall += 1;
    expect(await live.current()).toBeUndefined();
  });

  it('ends after its duration in a process whose clock is behind or does not move', async () => {
    wall = FROM - 3_600_000;
    expect(await live.current()).toBe(OBSERVE);
    monotonic += 30 * MINUTE_MS;
    expect(await live.current()).toBeUndefined();
  });

  it('has its whole time again when it is set again', async () => {
    await live.current();
    monotonic += 30 * MINUTE_MS;
    wall += 30 * MINUTE_MS;
    expect(await live.current()).toBeUndefined();
    override = { mode: 'refuse', from: '2026-11-30T03:30:00Z', until: '2026-11-30T03:40:00Z' };
    expect(await live.current()).toBe(override);
  });

  it('is none when it is ended', async () => {
    override = { mode: 'none' };
    expect(await live.current()).toBeUndefined();
  });
});
