/** One side of a position: the edge of the text, or a character that is or is not a word character. */
export type Side = 0 | 1 | 2;
export const EDGE: Side = 0;
export const OTHER: Side = 1;
export const WORD: Side = 2;
export const SIDES: readonly Side[] = [EDGE, OTHER, WORD];

/**
 * A set of contexts is nine bits: bit `before * 3 + after` represents a position between these two sides. An assertion is the set of contexts
 * in which it is true; a path through several assertions is their intersection.
 */
export type Contexts = number;

export function contextBit(before: Side, after: Side): Contexts {
  return 1 << (before * 3 + after);
}

/** The three contexts after one side, for any next side. */
export function contextsBehind(before: Side): Contexts {
  return 7 << (before * 3);
}

function contextsWhere(holds: (before: Side, after: Side) => boolean): Contexts {
  let contexts = 0;
  for (const before of SIDES)
    for (const after of SIDES) if (holds(before, after)) contexts |= contextBit(before, after);
  return contexts;
}

export const ANY_CONTEXT: Contexts = contextsWhere(() => true);
export const TEXT_START: Contexts = contextsWhere((before) => before === EDGE);
export const TEXT_END: Contexts = contextsWhere((_, after) => after === EDGE);
export const WORD_BOUNDARY: Contexts = contextsWhere((before, after) => (before === WORD) !== (after === WORD));
export const NO_WORD_BOUNDARY: Contexts = ANY_CONTEXT & ~WORD_BOUNDARY;
