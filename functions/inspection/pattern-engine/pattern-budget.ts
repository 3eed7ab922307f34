import { type CharSet, CharSetPool, intersection, NOT_WORD_CHARS, WORD_CHARS } from './char-set.ts';
import { type Contexts, contextBit, EDGE, OTHER, type Side, WORD } from './context.ts';
import type { PatternSource } from './link-patterns.ts';
import { type PatternNode, PatternSyntaxError, parsePattern } from './parse-pattern.ts';
import { addPattern, NO_SET, StateTable } from './thompson-program.ts';

/** Limits for all patterns of one third party together. */
export interface PatternLimits {
  /** States of all automata, which memory grows with. */
  readonly maxStates: number;
  /** Threads that may be live at once for any text, in addition to one for each pattern. Time grows with them. */
  readonly maxThreads: number;
  /** Distinct characters and classes: the other dimension of the tables. */
  readonly maxSets: number;
  /** Characters of a match. */
  readonly maxMatchLength: number;
}

/** Comparisons to compute the threads of all patterns: about 0.3 us each. */
const MAX_WORK = 200_000;

/** Counts the cost of patterns before any is compiled for use. */
export class PatternBudget {
  private readonly limits: PatternLimits;
  private readonly table = new StateTable();
  private readonly pool = new CharSetPool();
  private threads = 0;
  private readonly work: Work = { left: MAX_WORK };

  constructor(limits: PatternLimits) {
    this.limits = limits;
  }

  /** @throws PatternSyntaxError for an invalid pattern, for one with too long matches, and for one that exceeds a limit */
  add({ source, ignoreCase = false }: PatternSource): void {
    const { maxStates, maxSets, maxThreads, maxMatchLength } = this.limits;
    const { shortest, longest } = matchLength(parsePattern(source, ignoreCase));
    if (shortest > maxMatchLength || (longest > maxMatchLength && Number.isFinite(longest))) {
      throw new PatternSyntaxError(source, 0, `its matches may be longer than ${maxMatchLength} characters`);
    }
    const from = this.table.stateCount;
    addPattern(this.table, this.pool, source, ignoreCase);
    if (this.table.stateCount > maxStates) {
      throw new PatternSyntaxError(source, 0, `with it the patterns have more than ${maxStates} states together`);
    }
    if (this.pool.sets.length > maxSets) {
      throw new PatternSyntaxError(
        source,
        0,
        `with it there are more than ${maxSets} different characters and classes`,
      );
    }
    this.threads += threadBound(this.table, this.pool, from, this.work) - 1;
    if (this.threads > maxThreads) {
      throw new PatternSyntaxError(
        source,
        0,
        `with it more than ${maxThreads} matches may be open at once: shorten its repeats`,
      );
    }
  }
}

/** A step over a character on one side, for a thread after a given other side. */
interface Move {
  /** Number of the set of characters. */
  readonly part: number;
  readonly after: Side;
  readonly target: number;
}

const SIDES = 3;
const BEFORE: readonly Side[] = [EDGE, OTHER, WORD];
const AFTER: readonly Side[] = [OTHER, WORD];

/**
 * An upper bound of the threads that the pattern whose states start at `from` can have at once: no character takes more steps than these have.
 * States that can be live in pairs count as if all could be live together, so the true number may be lower, never higher. Infinity if
 * computing it takes more than the remaining work.
 */
export function threadBound(table: StateTable, pool: CharSetPool, from: number, work: Work): number {
  return new PairSearch(table, pool, from, work).widest();
}

/** Remaining comparisons of two moves; decremented in place. */
interface Work {
  left: number;
}

/** Finds every two states that some text can bring threads into at once. */
class PairSearch {
  private readonly table: StateTable;
  private readonly pool: CharSetPool;
  private readonly start: number;
  private readonly work: Work;
  private readonly places: number;
  private readonly parts: CharSet[] = [];
  private readonly partOf = new Map<number, number>();
  private readonly overlaps = new Map<number, boolean>();
  private readonly moves = new Map<number, readonly Move[]>();
  private readonly freshBeside = new Map<number, readonly Move[]>();
  private readonly alone = new Set<number>();
  private readonly pairs = new Set<number>();
  /** For each place, the places that it is paired with. */
  private readonly beside = new Map<number, number[]>();

  constructor(table: StateTable, pool: CharSetPool, from: number, work: Work) {
    this.table = table;
    this.pool = pool;
    this.start = from;
    this.work = work;
    this.places = (table.stateCount - from) * SIDES;
  }

  widest(): number {
    for (const before of BEFORE) this.follow(this.placeOf(this.start, before));
    for (const place of this.alone) {
      this.follow(place);
      if (this.work.left < 0) return Number.POSITIVE_INFINITY;
    }
    for (const pair of this.pairs) {
      this.followPair(Math.floor(pair / this.places), pair % this.places);
      if (this.work.left < 0) return Number.POSITIVE_INFINITY;
    }
    return degeneracy(this.beside) + 1;
  }

  /** Advances a thread by itself, with its other moves, and with a thread that starts now. */
  private follow(place: number): void {
    const moves = this.movesFrom(place);
    for (const [at, move] of moves.entries()) {
      this.alone.add(this.placeOf(move.target, move.after));
      for (const other of moves.slice(at + 1)) this.meet(move, other);
      for (const other of this.freshMoves(move, place % SIDES)) this.meet(move, other);
    }
  }

  private followPair(a: number, b: number): void {
    const others = this.movesFrom(b);
    for (const move of this.movesFrom(a)) for (const other of others) this.meet(move, other);
  }

  private meet(a: Move, b: Move): void {
    this.work.left -= 1;
    if (a.target === b.target || a.after !== b.after || !this.overlap(a.part, b.part)) return;
    const [low, high] = a.target < b.target ? [a, b] : [b, a];
    const first = this.placeOf(low.target, low.after);
    const second = this.placeOf(high.target, high.after);
    const pair = first * this.places + second;
    if (this.pairs.has(pair)) return;
    this.pairs.add(pair);
    this.putBeside(first, second);
    this.putBeside(second, first);
  }

  private putBeside(place: number, other: number): void {
    const others = this.beside.get(place);
    if (others === undefined) this.beside.set(place, [other]);
    else others.push(other);
  }

  /** The moves of a thread that starts after a side and can read a character that `move` reads. */
  private freshMoves({ part }: Move, before: number): readonly Move[] {
    const key = part * SIDES + before;
    let fresh = this.freshBeside.get(key);
    if (fresh === undefined) {
      const all = this.movesFrom(this.placeOf(this.start, before as Side));
      fresh = all.filter((other) => this.overlap(part, other.part));
      this.freshBeside.set(key, fresh);
    }
    return fresh;
  }

  private movesFrom(place: number): readonly Move[] {
    let moves = this.moves.get(place);
    if (moves === undefined) {
      const state = this.start + Math.floor(place / SIDES);
      moves = this.stepsOf(state).flatMap((step) => this.movesOver(step, (place % SIDES) as Side));
      this.moves.set(place, moves);
    }
    return moves;
  }

  private stepsOf(state: number): number[] {
    const first = this.table.firstStep[state] as number;
    const end = this.table.firstStep[state + 1] as number;
    const steps = Array.from({ length: end - first }, (_, index) => first + index);
    return steps.filter((step) => this.table.stepSet[step] !== NO_SET);
  }

  private movesOver(step: number, before: Side): Move[] {
    const { stepSet, stepContexts, stepTarget } = this.table;
    const target = stepTarget[step] as number;
    return AFTER.flatMap((after) => {
      const allowed = ((stepContexts[step] as Contexts) & contextBit(before, after)) !== 0;
      const part = allowed ? this.part(stepSet[step] as number, after) : -1;
      return part < 0 ? [] : [{ part, after, target }];
    });
  }

  /** The number of the part of a set that is on a side; -1 if it is empty. */
  private part(set: number, side: Side): number {
    const key = set * SIDES + side;
    let number = this.partOf.get(key);
    if (number === undefined) {
      const part = intersection(this.pool.sets[set] as CharSet, side === WORD ? WORD_CHARS : NOT_WORD_CHARS);
      number = part.length === 0 ? -1 : this.parts.push(part) - 1;
      this.partOf.set(key, number);
    }
    return number;
  }

  private overlap(a: number, b: number): boolean {
    if (a === b) return true;
    const key = Math.min(a, b) * 0x10000 + Math.max(a, b);
    let known = this.overlaps.get(key);
    if (known === undefined) {
      known = overlap(this.parts[a] as CharSet, this.parts[b] as CharSet);
      this.overlaps.set(key, known);
    }
    return known;
  }

  private placeOf(state: number, side: Side): number {
    return (state - this.start) * SIDES + side;
  }
}

function overlap(a: CharSet, b: CharSet): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if ((a[i + 1] as number) < (b[j] as number)) i += 2;
    else if ((b[j + 1] as number) < (a[i] as number)) j += 2;
    else return true;
  }
  return false;
}

/**
 * The lowest k for which every subgraph has a node with at most k neighbours in it, so that at most k + 1 nodes are all neighbours of each
 * other. Linear in nodes and edges (Matula and Beck's smallest-last order).
 */
export function degeneracy(neighbours: ReadonlyMap<number, readonly number[]>): number {
  const degrees = new Map<number, number>();
  const byDegree: number[][] = [];
  for (const [node, { length }] of neighbours) place(node, length, degrees, byDegree);
  let highest = 0;
  for (let degree = 0; degree < byDegree.length; ) {
    const node = byDegree[degree]?.pop();
    if (node === undefined) degree += 1;
    else if (degrees.get(node) === degree) {
      highest = Math.max(highest, degree);
      degrees.delete(node);
      for (const other of neighbours.get(node) ?? []) {
        const known = degrees.get(other);
        if (known === undefined) continue;
        place(other, known - 1, degrees, byDegree);
        degree = Math.min(degree, known - 1);
      }
    }
  }
  return highest;
}

function place(node: number, degree: number, degrees: Map<number, number>, byDegree: number[][]): void {
  degrees.set(node, degree);
  while (byDegree.length <= degree) byDegree.push([]);
  byDegree[degree]?.push(node);
}

/** The number of characters of a match: `longest` is Infinity for an open repeat. */
interface MatchLength {
  readonly shortest: number;
  readonly longest: number;
}

function matchLength(node: PatternNode): MatchLength {
  switch (node.kind) {
    case 'chars':
      return { shortest: 1, longest: 1 };
    case 'assertion':
      return { shortest: 0, longest: 0 };
    case 'sequence': {
      const parts = node.parts.map(matchLength);
      return { shortest: sum(parts.map((part) => part.shortest)), longest: sum(parts.map((part) => part.longest)) };
    }
    case 'choice': {
      const options = node.options.map(matchLength);
      return {
        shortest: Math.min(...options.map((option) => option.shortest)),
        longest: Math.max(...options.map((option) => option.longest)),
      };
    }
    case 'repeat': {
      const body = matchLength(node.body);
      // 0 for any repeat of nothing: 0 * Infinity is NaN.
      const longest = body.longest === 0 || node.max === 0 ? 0 : body.longest * node.max;
      return { shortest: body.shortest * node.min, longest };
    }
  }
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}
