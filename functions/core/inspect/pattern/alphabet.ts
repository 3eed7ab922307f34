import { type CharSet, WORD_CHARS } from './char-set.ts';
import { EDGE, OTHER, type Side, WORD } from './context.ts';

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
  const spans = all.map((set) => intervalsOf(set, starts));
  const classes = classesOfIntervals(spans, starts.length);
  const classCount = Math.max(...classes) + 1;
  const classOf = classCount <= 0x100 ? new Uint8Array(UNITS) : new Uint16Array(UNITS);
  for (let i = 0; i < starts.length; i++) classOf.fill(classes[i] as number, starts[i], starts[i + 1] ?? UNITS);
  const classesOf = spans.map((intervals) => [...new Set(intervals.map((interval) => classes[interval] as number))]);
  const wordClasses = classesOf.pop() as number[];
  return { classOf, classCount, classesOf, sideOf: sidesOf(classCount, wordClasses) };
}

function sidesOf(classCount: number, wordClasses: readonly number[]): Uint8Array {
  const sides: Side[] = new Array<Side>(classCount).fill(OTHER);
  for (const wordClass of wordClasses) sides[wordClass] = WORD;
  return Uint8Array.from([...sides, EDGE]);
}

/** Where the membership of any set changes, in order, from 0. */
function intervalStarts(sets: readonly CharSet[]): number[] {
  const starts = new Set([0]);
  for (const set of sets) {
    for (let i = 0; i < set.length; i += 2) {
      starts.add(set[i] as number);
      starts.add((set[i + 1] as number) + 1);
    }
  }
  starts.delete(UNITS);
  return [...starts].sort((a, b) => a - b);
}

function intervalsOf(set: CharSet, starts: readonly number[]): number[] {
  const intervals: number[] = [];
  let interval = 0;
  for (let i = 0; i < set.length; i += 2) {
    while ((starts[interval] as number) < (set[i] as number)) interval += 1;
    for (; interval < starts.length && (starts[interval] as number) <= (set[i + 1] as number); interval++) {
      intervals.push(interval);
    }
  }
  return intervals;
}

/** The class of each interval, from 0 without gaps: each set in turn splits the classes that it cuts through. */
function classesOfIntervals(spans: readonly (readonly number[])[], intervalCount: number): number[] {
  const classes = new Array<number>(intervalCount).fill(0);
  let next = 1;
  for (const intervals of spans) {
    const inside = new Map<number, number>();
    for (const interval of intervals) {
      const outside = classes[interval] as number;
      if (!inside.has(outside)) inside.set(outside, next++);
      classes[interval] = inside.get(outside) as number;
    }
  }
  const compact = new Map<number, number>();
  return classes.map((name) => {
    if (!compact.has(name)) compact.set(name, compact.size);
    return compact.get(name) as number;
  });
}
