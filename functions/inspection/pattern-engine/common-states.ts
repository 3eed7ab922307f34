import {
  type CharSet,
  type CharSetPool,
  charSet,
  complement,
  intersection,
  NOT_WORD_CHARS,
  SPACES,
  WORD_CHARS,
} from './char-set.ts';
import { type Contexts, contextBit, OTHER, type Side, WORD } from './context.ts';
import { NO_SET, type StateTable } from './thompson-program.ts';

/** Minimum share of all characters; states with a lower share are ignored. */
const LEAST_SHARE = 1e-10;
/** States with a lower share, which most characters stay in, would be live together with many others. */
const SELDOM_SHARE = 0.001;
const STAYS_SHARE = 0.5;
/** Less than 1, so that shares decrease in loops. */
const MOST_SHARE = 0.98;
/** Limit of visited states, counting repeated visits, so that the computation is bounded. */
const MOST_LOOKS = 20_000;

/** Letter frequencies in ordinary text, per mille; English represents all languages. */
const LETTERS = {
  ...{ a: 57, b: 10, c: 20, d: 29, e: 87, f: 15, g: 14, h: 43, i: 48, j: 2, k: 5, l: 28, m: 17, n: 48, o: 53, p: 14 },
  ...{ q: 2, r: 43, s: 45, t: 64, u: 20, v: 7, w: 16, x: 2, y: 14, z: 2 },
} as const;
const MARKS = { ' ': 170, '\n': 10, '.': 10, ',': 12, '-': 6, ':': 4, '"': 6, "'": 6, '/': 4, '=': 3 } as const;
const CAPITAL = 0.1;
const ANY_DIGIT = 10;
const ANY_MARK = 2;
const ANY_CONTROL = 0.1;
/** Share of a letter of another script, in a text in that script. */
const ANY_FOREIGN = 20;
const AFTER_WORD = 0.8;

const LAST_ASCII = 0x7f;
/** Everything beyond ASCII except spaces: a large set, but rare in text. */
const FOREIGN = complement(charSet([0, LAST_ASCII, ...SPACES]));

/**
 * The states of the table's one pattern that ordinary text reaches and soon leaves again. Other states are rare: text seldom reaches them, or
 * they would stay live for long, or the pattern may have matched in them. The choice changes no match, only the time to find it.
 */
export function commonStates(table: StateTable, pool: CharSetPool): readonly number[] {
  const { accepts, firstStep, stateCount, stepTarget } = table;
  const shares = new StepShares(table, pool);
  const entered = new Float64Array(stateCount);
  /** Shares that were not distributed yet. */
  const pending = new Float64Array(stateCount);
  const common = new Set<number>();
  const queue: number[] = [];
  /** Distributes `share` to the targets of a state's steps, each by its step's share. */
  const passOn = (state: number, share: number, shareOf: (step: number) => number): void => {
    for (let step = firstStep[state] as number; step < (firstStep[state + 1] as number); step++) {
      const target = stepTarget[step] as number;
      const more = share * shareOf(step);
      entered[target] = (entered[target] as number) + more;
      const before = pending[target] as number;
      pending[target] = before + more;
      if (before < LEAST_SHARE && before + more >= LEAST_SHARE) queue.push(target);
    }
  };
  passOn(0, 1, (step) => shares.ofFirst(step));
  for (let at = 0; at < queue.length && at < MOST_LOOKS; at++) {
    const state = queue[at] as number;
    const share = pending[state] as number;
    pending[state] = 0;
    if (accepts[state] !== 0) continue;
    if ((entered[state] as number) < SELDOM_SHARE && shares.largestOf(state) >= STAYS_SHARE) continue;
    common.add(state);
    passOn(state, share, (step) => shares.of(step));
  }
  return [...common].sort((a, b) => a - b);
}

/** The share of characters of ordinary text that take a step. */
class StepShares {
  private readonly table: StateTable;
  private readonly pool: CharSetPool;
  /** By set. */
  private readonly ofSet = new Map<number, { readonly words: number; readonly others: number }>();

  constructor(table: StateTable, pool: CharSetPool) {
    this.table = table;
    this.pool = pool;
  }

  /** The larger of the shares after a word character and after another character. */
  of(step: number): number {
    return Math.min(MOST_SHARE, Math.max(this.behind(OTHER, step), this.behind(WORD, step)));
  }

  /** The share of all characters. */
  ofFirst(step: number): number {
    return (1 - AFTER_WORD) * this.behind(OTHER, step) + AFTER_WORD * this.behind(WORD, step);
  }

  /** The largest share of a state's steps. */
  largestOf(state: number): number {
    const { firstStep } = this.table;
    let largest = 0;
    for (let step = firstStep[state] as number; step < (firstStep[state + 1] as number); step++) {
      largest = Math.max(largest, this.of(step));
    }
    return largest;
  }

  private behind(before: Side, step: number): number {
    const set = this.table.stepSet[step] as number;
    if (set === NO_SET) return 0;
    const contexts = this.table.stepContexts[step] as Contexts;
    const { words, others } = this.sharesOf(set);
    const allows = (after: Side) => (contexts & contextBit(before, after)) !== 0;
    return (allows(WORD) ? words : 0) + (allows(OTHER) ? others : 0);
  }

  private sharesOf(set: number) {
    let shares = this.ofSet.get(set);
    if (shares === undefined) {
      const characters = this.pool.sets[set] as CharSet;
      const words = shareOf(intersection(characters, WORD_CHARS));
      shares = { words, others: shareOf(intersection(characters, NOT_WORD_CHARS)) };
      this.ofSet.set(set, shares);
    }
    return shares;
  }
}

function shareOf(characters: CharSet): number {
  let perMille = 0;
  for (let at = 0; at < characters.length; at += 2) {
    const [from, to] = [characters[at] as number, characters[at + 1] as number];
    for (let unit = from; unit <= Math.min(to, LAST_ASCII); unit++) perMille += shareOfUnit(String.fromCharCode(unit));
  }
  perMille += ANY_FOREIGN * sizeOf(intersection(characters, FOREIGN));
  return Math.min(1, perMille / 1000);
}

function sizeOf(characters: CharSet): number {
  let size = 0;
  for (let at = 0; at < characters.length; at += 2) {
    size += (characters[at + 1] as number) - (characters[at] as number) + 1;
  }
  return size;
}

/** Per mille, of an ASCII character. */
function shareOfUnit(character: string): number {
  const small = character.toLowerCase();
  if (small in LETTERS) return LETTERS[small as keyof typeof LETTERS] * (small === character ? 1 : CAPITAL);
  if (character in MARKS) return MARKS[character as keyof typeof MARKS];
  if (character >= '0' && character <= '9') return ANY_DIGIT;
  return character < ' ' ? ANY_CONTROL : ANY_MARK;
}
