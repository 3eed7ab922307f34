import { type CharSet, WORD_CHARS } from './char-set.ts';
import { EDGE, OTHER, WORD } from './context.ts';

const UNITS = 0x10000;
/** Frequent characters get the lowest numbers, so that their part of a table row fits into a few cache lines. */
const FREQUENT = ' etaonisrhldcumfpgwybvkxjqz.,\n0123456789-TASICMEPRBDNOLFHWGUVKJYXQZ';

/** Code units grouped into classes that no set distinguishes, so that tables need a column for each class, not for each unit. */
export interface Alphabet {
  /** Class of each of the 65,536 code units. */
  readonly classOf: Uint8Array | Uint16Array;
  /** Starts of the runs of code units of one class, in order, from 0. */
  readonly starts: Int32Array;
  readonly classCount: number;
  /** Side of each class, and of the end of the text as an additional class `classCount`. */
  readonly sideOf: Uint8Array;
  /** For each set, in the order of the argument, its classes. */
  readonly classesOf: readonly (readonly number[])[];
  /** Classes of word characters. */
  readonly wordClasses: readonly number[] | Int32Array;
}

/** The coarsest classes that make up each of the sets and the word characters. */
export function alphabetFor(sets: readonly CharSet[]): Alphabet {
  const all = [...sets, WORD_CHARS];
  const starts = intervalStarts(all);
  const spans = all.map(intervalsFrom(starts));
  const classes = new Partition(starts.length);
  for (const { intervals } of spans) classes.split(intervals);
  classes.renumber(Array.from(FREQUENT, (character) => intervalAt(starts, character.charCodeAt(0))));
  const classCount = classes.count;
  const classOf = classCount <= 0x100 ? new Uint8Array(UNITS) : new Uint16Array(UNITS);
  fillRuns(classOf, starts, (run) => classes.of[run] as number);
  const classesOf = spans.map(({ intervals, isRest }) => {
    const parts = classes.partsOf(intervals);
    return isRest ? othersThan(parts, classCount) : parts;
  });
  const wordClasses = classesOf.pop() as readonly number[];
  return { classOf, starts, classCount, classesOf, wordClasses, sideOf: sidesOf(classCount, wordClasses) };
}

/** Sets each code unit to the value of its run; `starts` are the starts of the runs. */
function fillRuns(table: Uint8Array | Uint16Array, starts: Int32Array, valueIn: (run: number) => number): void {
  for (let run = 0; run < starts.length; run++) table.fill(valueIn(run), starts[run], starts[run + 1]);
}

function sidesOf(classCount: number, wordClasses: readonly number[]): Uint8Array {
  const sides = new Uint8Array(classCount + 1).fill(OTHER);
  for (const wordClass of wordClasses) sides[wordClass] = WORD;
  sides[classCount] = EDGE;
  return sides;
}

/** Code units at which the membership of any set changes, in order, from 0. */
function intervalStarts(sets: readonly CharSet[]): Int32Array {
  const starts = new Set([0]);
  for (const set of sets) {
    for (let i = 0; i < set.length; i += 2) {
      starts.add(set[i] as number);
      starts.add((set[i + 1] as number) + 1);
    }
  }
  starts.delete(UNITS);
  return Int32Array.from(starts).sort();
}

/** The number of the interval that contains a unit. */
function intervalAt(starts: Int32Array, unit: number): number {
  let interval = 0;
  while (interval + 1 < starts.length && (starts[interval + 1] as number) <= unit) interval += 1;
  return interval;
}

interface Span {
  /** Numbers of the intervals of a set, or of all others: a class such as [^,] has nearly all of them. */
  readonly intervals: readonly number[];
  readonly isRest: boolean;
}

/** Returns a function that returns the span of a set. */
function intervalsFrom(starts: Int32Array): (set: CharSet) => Span {
  const numbers = new Map([[UNITS, starts.length]]);
  for (let i = 0; i < starts.length; i++) numbers.set(starts[i] as number, i);
  return (set) => {
    const bounds = set.map((unit, i) => numbers.get(unit + (i & 1)) as number);
    const size = bounds.reduce((sum, bound, i) => sum + (i & 1 ? bound : -bound), 0);
    const isRest = size > starts.length / 2;
    return { intervals: numbersIn(isRest ? [0, ...bounds, starts.length] : bounds), isRest };
  };
}

/** The numbers of ranges: each from an even item up to the next. */
function numbersIn(bounds: readonly number[]): number[] {
  const numbers: number[] = [];
  for (let i = 0; i < bounds.length; i += 2) {
    for (let number = bounds[i] as number; number < (bounds[i + 1] as number); number++) numbers.push(number);
  }
  return numbers;
}

function othersThan(parts: readonly number[], count: number): number[] {
  const isOther = new Uint8Array(count).fill(1);
  for (const part of parts) isOther[part] = 0;
  return numbersIn([0, count]).filter((part) => isOther[part] === 1);
}

/** A partition of the numbers below a size into parts, which are numbered from 0 without gaps; initially there is one part. */
export class Partition {
  count = 1;
  /** The part of each member. */
  readonly of: Int32Array;
  /** Number of members of each part. */
  private readonly sizes: Int32Array;
  /** For the current members: their number in each part, else 0, and the part that they move to. */
  private readonly inside: Int32Array;
  private readonly becomes: Int32Array;

  constructor(size: number) {
    this.of = new Int32Array(size);
    this.sizes = new Int32Array(size);
    this.sizes[0] = size;
    this.inside = new Int32Array(size);
    this.becomes = new Int32Array(size);
  }

  /** Splits each part that contains some of these members, each passed once, and others. */
  split(members: readonly number[] | Int32Array): void {
    for (const part of this.look(members)) {
      const inside = this.inside[part] as number;
      this.inside[part] = 0;
      const isWhole = inside === this.sizes[part];
      this.becomes[part] = isWhole ? part : this.count;
      if (isWhole) continue;
      this.sizes[part] = (this.sizes[part] as number) - inside;
      this.sizes[this.count++] = inside;
    }
    for (const member of members) this.of[member] = this.becomes[this.of[member] as number] as number;
  }

  /** Renumbers the parts in the order of these members, then of all members. */
  renumber(first: readonly number[]): void {
    const numbers = new Map<number, number>();
    const number = (member: number): number => {
      const part = this.of[member] as number;
      const known = numbers.get(part) ?? numbers.size;
      numbers.set(part, known);
      return known;
    };
    for (const member of first) number(member);
    const sizes = this.sizes.slice();
    this.of.forEach((part, member) => {
      this.of[member] = number(member);
      this.sizes[this.of[member]] = sizes[part] as number;
    });
  }

  /** The parts that contain any of these members. */
  partsOf(members: readonly number[]): number[] {
    const parts = this.look(members);
    for (const part of parts) this.inside[part] = 0;
    return parts;
  }

  /** Like `partsOf`, but keeps the number of the members in each part in `inside`. */
  private look(members: readonly number[] | Int32Array): number[] {
    const parts: number[] = [];
    for (const member of members) {
      const part = this.of[member] as number;
      const known = this.inside[part] as number;
      if (known === 0) parts.push(part);
      this.inside[part] = known + 1;
    }
    return parts;
  }
}
