import type { Automaton } from './automaton.ts';
import type { Side } from './context.ts';

/** A text, or the end of one that grows. */
export interface HeldText {
  readonly units: Uint16Array;
  readonly length: number;
  /** Offset of the first unit in the whole. */
  readonly base: number;
  /** The side of what stands before it. */
  readonly before: Side;
  /** Whether nothing follows. */
  readonly isEnd: boolean;
}

/** The side of what stands before an index. */
export function sideBefore({ units, before }: HeldText, index: number, { alphabet }: Automaton): Side {
  if (index === 0) return before;
  return alphabet.sideOf[alphabet.classOf[units[index - 1] as number] as number] as Side;
}
