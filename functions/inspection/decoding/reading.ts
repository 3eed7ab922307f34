/** A half-open range of units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Kinds of readings; a kind is not applied again to its own result. */
export type ReadingKind = 'spelling' | 'cipher' | 'escapes';

/** Another reading of a passage, with the source of each of its units. */
export interface Reading {
  readonly kind: ReadingKind;
  /** How the passage was written, outermost first; public, in a finding's `decodedFrom`. */
  readonly writing: readonly string[];
  /** Whether the writing is a cipher or an escape (`encoded`), or an unusual spelling (`respelled`). */
  readonly signal: 'encoded' | 'respelled';
  readonly text: string;
  /** The range in the passage that each unit was read from. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Entry `at` counts the signs of this writing in the units before it. */
  readonly evidence: Int32Array;
  /** The parts of the passage that this reading replaces, in any order. */
  readonly replaced: readonly Range[];
}

/** Replaced parts are merged if at most this many units separate them. */
const MAX_BETWEEN = 48;

/** Builds a reading unit by unit. */
export class ReadingBuilder {
  private readonly units: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly signsAt: number[] = [];
  private readonly replaced: Range[] = [];

  /** Adds a unit that was read from the range. */
  put(unit: number, start: number, end: number): void {
    this.units.push(unit);
    this.starts.push(start);
    this.ends.push(end);
  }

  /** Copies units of the passage. */
  copy(units: Uint16Array, from: number, to: number): void {
    for (let at = from; at < to; at++) this.put(units[at] as number, at, at + 1);
  }

  /** Adds a space for the range, unless one precedes it. */
  space(start: number, end: number): void {
    if (this.units.length > 0 && this.units.at(-1) !== 0x20) this.put(0x20, start, end);
  }

  /** Marks a part of the passage as replaced. */
  replace(start: number, end: number): void {
    const last = this.replaced.at(-1);
    // Merges neighbouring parts, in any order, with the text between them.
    if (last !== undefined && start - last.end <= MAX_BETWEEN && last.start - end <= MAX_BETWEEN) {
      this.replaced[this.replaced.length - 1] = {
        start: Math.min(last.start, start),
        end: Math.max(last.end, end),
      };
    } else this.replaced.push({ start, end });
  }

  /** Counts the next unit as a sign of this writing. */
  sign(): void {
    this.signsAt.push(this.units.length);
  }

  /** Returns the reading, or the part of it from `margin` units before the first sign to `margin` units after the last. */
  build(
    kind: ReadingKind,
    writing: readonly string[],
    signal: Reading['signal'],
    margin = Number.POSITIVE_INFINITY,
  ): Reading {
    const from = Math.max(0, (this.signsAt[0] ?? 0) - margin);
    const to = Math.min(this.units.length, (this.signsAt.at(-1) ?? 0) + margin);
    const evidence = new Int32Array(to - from + 1);
    for (const at of this.signsAt)
      if (at >= from && at < to) evidence[at - from + 1] = 1 + (evidence[at - from + 1] ?? 0);
    for (let at = 1; at < evidence.length; at++) evidence[at] = (evidence[at] as number) + (evidence[at - 1] as number);
    return {
      kind,
      writing,
      signal,
      text: textOf(this.units.slice(from, to)),
      starts: Int32Array.from(this.starts.slice(from, to)),
      ends: Int32Array.from(this.ends.slice(from, to)),
      evidence,
      replaced: this.replaced,
    };
  }
}

/** Signs of the writing within a range of a reading. */
export function signsWithin({ evidence }: Reading, start: number, end: number): number {
  return (evidence[Math.min(end, evidence.length - 1)] ?? 0) - (evidence[start] ?? 0);
}

/** Replaces the ranges by spaces; they may be in any order and overlap. */
export function blanked(text: string, ranges: readonly Range[]): string {
  let out = '';
  let at = 0;
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    out += text.slice(at, Math.max(at, start)) + ' '.repeat(end - Math.max(at, start));
    at = end;
  }
  return out + text.slice(at);
}

function textOf(units: readonly number[]): string {
  return Buffer.from(Uint16Array.from(units).buffer).toString('utf16le');
}

/** Longest passage, so that time and memory are bounded. */
export const MAX_PASSAGE = 4096;
/** A passage ends at a line end, or else at a space, after this offset if possible. */
const MIN_PASSAGE = 3072;

/** A part of a view's text. */
export interface Passage {
  readonly text: string;
  /** Offset in the view. */
  readonly start: number;
}

/** Splits a text that arrives in pieces into passages; the result depends only on the text. */
export class PassageCutter {
  private held = '';
  private start = 0;

  /** The complete passages; with `last`, all remaining text. */
  push(text: string, last: boolean): Passage[] {
    this.held += text;
    const passages: Passage[] = [];
    let from = 0;
    while (this.held.length - from > MAX_PASSAGE) {
      const length = cutWithin(this.held.slice(from, from + MAX_PASSAGE));
      passages.push({ text: this.held.slice(from, from + length), start: this.start + from });
      from += length;
    }
    if (last && this.held.length > from) {
      passages.push({ text: this.held.slice(from), start: this.start + from });
      from = this.held.length;
    }
    this.held = this.held.slice(from);
    this.start += from;
    return passages;
  }

  /** Whether nothing has been read yet. */
  get isFresh(): boolean {
    return this.start === 0 && this.held === '';
  }

  /** View offset up to which all text was returned. */
  get done(): number {
    return this.start;
  }
}

function cutWithin(text: string): number {
  for (const mark of ['\n', ' ']) {
    const at = text.lastIndexOf(mark);
    if (at >= MIN_PASSAGE) return at + 1;
  }
  return text.length;
}
