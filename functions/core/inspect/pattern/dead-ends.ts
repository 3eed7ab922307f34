import { type CharSetPool, OTHERS, type Sides, WORDS } from './char-set-pool.ts';
import { ANY_CONTEXT, type Contexts, contextsBehind, OTHER, type Side, WORD } from './context.ts';
import { NO_SET, type StateTable } from './state-table.ts';

const BOTH: Sides = OTHERS | WORDS;

/** Cuts every step of the states from `from` on down to the characters after which a match is still possible. */
export function cutDeadEnds(table: StateTable, pool: CharSetPool, from: number): void {
  const { stepSet, stepContexts, stepTarget, firstStep } = table;
  const viable = viableSides(table, pool, from);
  for (let step = firstStep[from] as number; step < table.stepCount; step++) {
    const set = stepSet[step] as number;
    const sides = pool.sides[set] as Sides;
    const led = sides & (viable[(stepTarget[step] as number) - from] as Sides);
    const useful = led & enterableSides(stepContexts[step] as Contexts);
    if (useful === sides && useful !== 0) continue;
    stepSet[step] = useful === 0 ? NO_SET : pool.partOf(set, useful === WORDS ? WORD : OTHER);
  }
}

/** Per state from `from` on, the sides of the character just read after which some continuation still matches. */
function viableSides(table: StateTable, pool: CharSetPool, from: number): Uint8Array {
  const viable = new Uint8Array(table.stateCount - from);
  for (let changed = true; changed; ) {
    changed = false;
    // Backwards, since states are numbered from the start of the pattern and what is viable spreads from its end.
    for (let index = viable.length - 1; index >= 0; index--) {
      const known = viable[index] as Sides;
      if (known === BOTH) continue;
      const now = known | matchableSides(table, pool, from, index, viable);
      changed ||= now !== known;
      viable[index] = now;
    }
  }
  return viable;
}

function matchableSides(table: StateTable, pool: CharSetPool, from: number, index: number, viable: Uint8Array): Sides {
  const { accepts, firstStep, stepSet, stepContexts, stepTarget } = table;
  const accepted = accepts[from + index] as Contexts;
  let sides = 0;
  if ((accepted & contextsBehind(OTHER)) !== 0) sides |= OTHERS;
  if ((accepted & contextsBehind(WORD)) !== 0) sides |= WORDS;
  const end = firstStep[from + index + 1] as number;
  for (let step = firstStep[from + index] as number; step < end; step++) {
    const target = viable[(stepTarget[step] as number) - from] as Sides;
    const after = (pool.sides[stepSet[step] as number] as Sides) & target;
    const contexts = stepContexts[step] as Contexts;
    if (contexts === ANY_CONTEXT && after !== 0) return BOTH;
    if (after & OTHERS) sides |= sidesBefore(contexts, OTHER);
    if (after & WORDS) sides |= sidesBefore(contexts, WORD);
  }
  return sides & BOTH;
}

/** The sides of characters that the contexts let come next, whatever is before. */
function enterableSides(contexts: Contexts): Sides {
  if (contexts === ANY_CONTEXT) return BOTH;
  return (sidesBefore(contexts, OTHER) && OTHERS) | (sidesBefore(contexts, WORD) && WORDS);
}

/** The sides that the contexts let be before a character on side `after`. */
function sidesBefore(contexts: Contexts, after: Side): Sides {
  const column = contexts >> after;
  return (column & 1) | ((column >> 2) & 2) | ((column >> 4) & 4);
}
