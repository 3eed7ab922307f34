import type { Reasons } from './reasons.ts';

/**
 * Fields that the gateway refuses by their names though the provider takes them, each with its reason, by route. A reason that
 * excuses nothing fails the test.
 */
export const REFUSED: Readonly<Record<string, Reasons>> = {};
