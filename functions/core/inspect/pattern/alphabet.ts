import { type CharSet, WORD_CHARS } from './char-set.ts';
import { EDGE, OTHER, WORD } from './context.ts';

const UNITS = 0x10000;

/** Code units cut in classes that no given set tells apart, so that tables need a column a class, not one a unit. */
export interface Alphabet {
  /** Class of each of the 65,536 code units. */
  readonly classOf: Uint8Array | Uint16Array;
  readonly classCount: number;
  /** Side of each class; one entry more, for the end of the text as the class `classCount`. */
  readonly sideOf: Uint8Array;
  /** Per set, in the order given, the classes that it consists of. */
  readonly classesOf: readonly (readonly number[])[];
}

/** The coarsest classes that make up each of the sets and the word characters. */
export function alphabetFor(sets: readonly CharSet[]): Alphabet {
  const all = [...sets, WORD_CHARS];
  const starts = intervalStarts(all);
  const spans = all.map(spansFrom(starts));
  const classes = new IntervalClasses(starts.length);
  for (const span of spans) classes.split(span);
  const classCount = classes.count;
  const classOf = classCount <= 0x100 ? new Uint8Array(UNITS) : new Uint16Array(UNITS);
  for (let i = 0; i < starts.length; i++) classOf.fill(classes.of[i] as number, starts[i], starts[i + 1] ?? UNITS);
  const classesOf = spans.map((span) => classes.within(span));
  const wordClasses = classesOf.pop() as readonly number[];
  return { classOf, classCount, classesOf, sideOf: sidesOf(classCount, wordClasses) };
}

function sidesOf(classCount: number, wordClasses: readonly number[]): Uint8Array {
  const sides = new Uint8Array(classCount + 1).fill(OTHER);
  for (const wordClass of wordClasses) sides[wordClass] = WORD;
  sides[classCount] = EDGE;
  return sides;
}

/** Where the membership of any set changes, in order, from 0. */
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

/** A set in intervals: from the number of each range's first one up to that of the one behind its last. */
type Span = readonly number[];

function spansFrom(starts: Int32Array): (set: CharSet) => Span {
  const numbers = new Map([[UNITS, starts.length]]);
  for (let i = 0; i < starts.length; i++) numbers.set(starts[i] as number, i);
  return (set) => set.map((unit, at) => numbers.get(at % 2 === 0 ? unit : unit + 1) as number);
}

/** Intervals in classes, which are numbered from 0 without gaps; at first all are in one. */
class IntervalClasses {
  count = 1;
  /** The class of each interval. */
  readonly of: Int32Array;
  /** Intervals of each class. */
  readonly #sizes: Int32Array;
  /** Of the span being looked at: how many of its intervals are in each class, and the class that these go to. */
  readonly #inside: Int32Array;
  readonly #becomes: Int32Array;

  constructor(intervals: number) {
    this.of = new Int32Array(intervals);
    this.#sizes = new Int32Array(intervals);
    this.#sizes[0] = intervals;
    this.#inside = new Int32Array(intervals);
    this.#becomes = new Int32Array(intervals);
  }

  /** Makes two of each class that is partly in the span. */
  split(span: Span): void {
    for (const touched of this.within(span)) {
      const inside = this.#inside[touched] as number;
      const isWhole = inside === this.#sizes[touched];
      this.#becomes[touched] = isWhole ? touched : this.count;
      if (isWhole) continue;
      this.#sizes[touched] = (this.#sizes[touched] as number) - inside;
      this.#sizes[this.count++] = inside;
    }
    for (let at = 0; at < span.length; at += 2) {
      const end = span[at + 1] as number;
      for (let i = span[at] as number; i < end; i++) this.of[i] = this.#becomes[this.of[i] as number] as number;
    }
  }

  /** The classes that have intervals in the span. */
  within(span: Span): number[] {
    this.#inside.fill(0);
    const touched: number[] = [];
    for (let at = 0; at < span.length; at += 2) {
      const end = span[at + 1] as number;
      for (let i = span[at] as number; i < end; i++) {
        const name = this.of[i] as number;
        const known = this.#inside[name] as number;
        if (known === 0) touched.push(name);
        this.#inside[name] = known + 1;
      }
    }
    return touched;
  }
}
