import type { Automaton } from './automaton.ts';
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
 * 1 for each state that ordinary text seldom leads to or that would stay live for long, and for each in which a pattern may
 * have matched; the others are common. Which states are rare changes no match, only what it costs to find it.
 */
export function rareStates(automaton: Automaton): Uint8Array {
  const { accepts, firstStep, stepRow, stepTarget, stateCount } = automaton;
  const shareOf = rowShares(automaton);
  const shares = new Float64Array(stateCount);
  /** What has not been passed on yet. */
  const pending = new Float64Array(stateCount);
  const rare = new Uint8Array(stateCount).fill(1);
  const queue: number[] = [];
  const enter = (state: number, share: number): void => {
    shares[state] = (shares[state] as number) + share;
    const before = pending[state] as number;
    pending[state] = before + share;
    if (before < LEAST_SHARE && before + share >= LEAST_SHARE) queue.push(state);
  };
  eachFresh(automaton, enter);
  for (let at = 0; at < queue.length && at < MOST_STEPS; at++) {
    const state = queue[at] as number;
    const share = pending[state] as number;
    pending[state] = 0;
    if (accepts[state] !== 0) continue;
    const first = firstStep[state] as number;
    const end = firstStep[state + 1] as number;
    let stays = 0;
    for (let step = first; step < end; step++) stays = Math.max(stays, shareOf(stepRow[step] as number));
    if (stays >= STAYS_SHARE && (shares[state] as number) < SELDOM_SHARE) continue;
    rare[state] = 0;
    for (let step = first; step < end; step++) {
      enter(stepTarget[step] as number, share * shareOf(stepRow[step] as number));
    }
  }
  return rare;
}

/** The share of characters that can take the steps of a row, given where it begins. */
function rowShares({ alphabet, classesOfRow }: Automaton): (row: number) => number {
  const ofClass = classShares(alphabet);
  const known = new Map<number, number>();
  return (row) => {
    let share = known.get(row);
    if (share === undefined) {
      const behind = classesOfRow[row / (3 * alphabet.classCount)] as readonly (readonly number[])[];
      const shares = [OTHER, WORD].map((before) => shareOfAll(behind[before] as readonly number[], ofClass));
      // Less than all, so that what goes round in a loop gets less.
      share = Math.min(0.98, Math.max(...shares));
      known.set(row, share);
    }
    return share;
  };
}

function shareOfAll(classes: readonly number[], ofClass: Float64Array): number {
  let share = 0;
  for (const at of classes) share += ofClass[at] as number;
  return share;
}

function eachFresh({ alphabet, fresh }: Automaton, take: (state: number, share: number) => void): void {
  const { classCount } = alphabet;
  const ofClass = classShares(alphabet);
  for (const before of [OTHER, WORD] as const) {
    const share = before === WORD ? AFTER_WORD : 1 - AFTER_WORD;
    for (let at = 0; at < classCount; at++) {
      for (const state of fresh[before * classCount + at] as Int32Array) take(state, share * (ofClass[at] as number));
    }
  }
}

/** The share of characters that are of each class. */
function classShares({ classOf, classCount }: Automaton['alphabet']): Float64Array {
  const ofAscii = new Float64Array(classCount);
  const hasAscii = new Uint8Array(classCount);
  for (let unit = 0; unit < 0x80; unit++) {
    const at = classOf[unit] as number;
    ofAscii[at] = (ofAscii[at] as number) + shareOfUnit(String.fromCharCode(unit));
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
