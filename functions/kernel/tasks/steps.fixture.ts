import type { Steps } from './steps.ts';

/** The number of times that work can pause. */
export function countSteps(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next(false).done !== true) count += 1;
  return count;
}
