import { TokenScan } from '../decoding/token-scan.ts';
import { WordLattice } from '../decoding/word-lattice.ts';
import { LazyDfa } from '../pattern-engine/lazy-dfa.ts';
import { LeadReader } from '../pattern-engine/lead-reader.ts';
import { ThreadReader } from '../pattern-engine/thread-reader.ts';
import { ThreadTracker } from '../pattern-engine/thread-tracker.ts';
import { TextView } from '../views/index.ts';

/** Methods that read text, and the units or steps of one call, computed from its arguments. */
const READERS = [
  reader(TextView.prototype, 'push', ([text]) => text.length),
  reader(LeadReader.prototype, 'push', ([text]) => text.length),
  reader(LeadReader.prototype, 'end', ([text = '']) => text.length),
  reader(ThreadReader.prototype, 'push', ([text]) => text.length),
  reader(ThreadReader.prototype, 'end', ([text = '']) => text.length),
  reader(ThreadTracker.prototype, 'read', ([, from, to]) => to - from),
  reader(LazyDfa.prototype, 'advance', () => 1),
  reader(LazyDfa.prototype, 'lastDead', ([, from, to]) => to - from),
  reader(TokenScan.prototype, 'read', ([, length]) => length),
  reader(WordLattice.prototype, 'read', ([, length], { steps }) => length + steps),
];

/**
 * Counts the units that inspection reads while `run` runs, and the steps and states that it creates. Unlike time, this does not depend on
 * the machine.
 */
export function countWork(run: () => unknown): number {
  let work = 0;
  const restore = READERS.map((watch) => watch((units) => (work += units)));
  try {
    run();
  } finally {
    for (const undo of restore) undo();
  }
  return work;
}

type Method = (...args: never[]) => unknown;
type MethodName<T> = { [K in keyof T]: T[K] extends Method ? K : never }[keyof T];

/** Counts each call of a method; returns a function that restores the method. */
function reader<T extends object, K extends MethodName<T>>(
  prototype: T,
  name: K,
  workOf: (args: Parameters<Extract<T[K], Method>>, self: T) => number,
): (count: (units: number) => void) => () => void {
  return (count) => {
    const method = prototype[name] as Method;
    const counted = function (this: T, ...args: never[]): unknown {
      const result = method.apply(this, args);
      count(workOf(args as Parameters<Extract<T[K], Method>>, this));
      return result;
    };
    prototype[name] = counted as T[K];
    return () => {
      prototype[name] = method as T[K];
    };
  };
}
