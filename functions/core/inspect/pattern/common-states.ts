import type { Alphabet } from './alphabet.ts';
import type { LinkedPatterns } from './automaton.ts';
import { OTHER, WORD } from './context.ts';

/** Share of all characters: what is entered less often counts for nothing. */
const LEAST_SHARE = 1e-6;
/** A state that is entered less often, and that most characters stay in, would be live together with many others. */
const SELDOM_SHARE = 0.01;
const STAYS_SHARE = 0.5;
/** Steps that are looked at, so that the answer never takes long. */
const MOST_STEPS = 100_000;

/** How often each letter follows in ordinary text, per mille: English stands for all languages. */
const LETTERS = {
  ...{ a: 57, b: 10, c: 20, d: 29, e: 87, f: 15, g: 14, h: 43, i: 48, j: 2, k: 5, l: 28, m: 17, n: 48, o: 53, p: 14 },
  ...{ q: 2, r: 43, s: 45, t: 64, u: 20, v: 7, w: 16, x: 2, y: 14, z: 2 },
} as const;
const MARKS = { ' ': 170, '\n': 10, '.': 10, ',': 12, '-': 6, ':': 4, '"': 6, "'": 6, '/': 4, '=': 3 } as const;
const CAPITAL = 0.1;
const ANY_DIGIT = 10;
const ANY_MARK = 2;
const ANY_CONTROL = 0.1;
/** A letter of another script, in a text that is written in it. */
const ANY_FOREIGN = 20;
const AFTER_WORD = 0.8;

/**
 * Rare is each state that ordinary text seldom leads to or that would stay live for long, and each in which a pattern may
 * have matched; the others are common. Which states are rare changes no match, only what it costs to find it.
 */
export interface CommonStates {
  readonly common: readonly number[];
  /** 1 for each state that is rare. */
  readonly isRare: Uint8Array;
}

export function commonStates(linked: LinkedPatterns): CommonStates {
  const { accepts, firstState, firstStep, patternCount, rowLength, stateCount, stepRow, stepTarget } = linked;
  const { ofRow, ofFirstRow } = rowShares(linked);
  const shares = new Float64Array(stateCount);
  /** What has not been passed on yet. */
  const pending = new Float64Array(stateCount);
  const isRare = new Uint8Array(stateCount).fill(1);
  const common: number[] = [];
  const queue: number[] = [];
  /** The states that the steps of a state lead to are entered, each so often as its row says, `share` times. */
  const passOn = (state: number, share: number, ofRows: Float64Array): void => {
    const end = firstStep[state + 1] as number;
    for (let step = firstStep[state] as number; step < end; step++) {
      const target = stepTarget[step] as number;
      const entered = share * (ofRows[(stepRow[step] as number) / rowLength] as number);
      shares[target] = (shares[target] as number) + entered;
      const before = pending[target] as number;
      pending[target] = before + entered;
      if (before < LEAST_SHARE && before + entered >= LEAST_SHARE) queue.push(target);
    }
  };
  for (let pattern = 0; pattern < patternCount; pattern++) passOn(firstState[pattern] as number, 1, ofFirstRow);
  for (let at = 0; at < queue.length && at < MOST_STEPS; at++) {
    const state = queue[at] as number;
    const share = pending[state] as number;
    pending[state] = 0;
    if (accepts[state] !== 0) continue;
    if ((shares[state] as number) < SELDOM_SHARE && largestShare(linked, state, ofRow) >= STAYS_SHARE) continue;
    if (isRare[state] === 1) common.push(state);
    isRare[state] = 0;
    passOn(state, share, ofRow);
  }
  return { common, isRare };
}

/** Of the characters behind a state, the share that can take one of its steps. */
function largestShare({ firstStep, rowLength, stepRow }: LinkedPatterns, state: number, ofRow: Float64Array): number {
  const end = firstStep[state + 1] as number;
  let largest = 0;
  for (let step = firstStep[state] as number; step < end; step++) {
    largest = Math.max(largest, ofRow[(stepRow[step] as number) / rowLength] as number);
  }
  return largest;
}

/** By row, how many characters of ordinary text take its steps: of those behind a character of either kind, and of all. */
function rowShares({ alphabet, classesOfRow }: LinkedPatterns): { ofRow: Float64Array; ofFirstRow: Float64Array } {
  const ofClass = classShares(alphabet);
  const ofRow = new Float64Array(classesOfRow.length);
  const ofFirstRow = new Float64Array(classesOfRow.length);
  for (const [row, classes] of classesOfRow.entries()) {
    const behindOther = shareOfAll(classes[OTHER] as readonly number[], ofClass);
    const behindWord = shareOfAll(classes[WORD] as readonly number[], ofClass);
    // Less than all, so that what goes round in a loop gets less.
    ofRow[row] = Math.min(0.98, Math.max(behindOther, behindWord));
    ofFirstRow[row] = (1 - AFTER_WORD) * behindOther + AFTER_WORD * behindWord;
  }
  return { ofRow, ofFirstRow };
}

function shareOfAll(classes: readonly number[], ofClass: Float64Array): number {
  let share = 0;
  for (const at of classes) share += ofClass[at] as number;
  return share;
}

let sharesOfAscii: Float64Array | undefined;

/** The share of characters that are of each class. */
function classShares({ classOf, classCount }: Alphabet): Float64Array {
  sharesOfAscii ??= Float64Array.from({ length: 0x80 }, (_, unit) => shareOfUnit(String.fromCharCode(unit)));
  const ofAscii = new Float64Array(classCount);
  const hasAscii = new Uint8Array(classCount);
  for (let unit = 0; unit < 0x80; unit++) {
    const at = classOf[unit] as number;
    ofAscii[at] = (ofAscii[at] as number) + (sharesOfAscii[unit] as number);
    hasAscii[at] = 1;
  }
  return ofAscii.map((share, at) => (hasAscii[at] === 1 ? share : ANY_FOREIGN) / 1000);
}

/** Per mille, of an ASCII character. */
function shareOfUnit(character: string): number {
  const small = character.toLowerCase();
  if (small in LETTERS) return LETTERS[small as keyof typeof LETTERS] * (small === character ? 1 : CAPITAL);
  if (character in MARKS) return MARKS[character as keyof typeof MARKS];
  if (character >= '0' && character <= '9') return ANY_DIGIT;
  return character < ' ' ? ANY_CONTROL : ANY_MARK;
}
