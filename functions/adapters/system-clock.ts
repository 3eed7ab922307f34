import type { Clock } from '../core/base/clock.ts';

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
