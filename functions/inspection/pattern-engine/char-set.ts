import { OTHER, type Side, WORD } from './context.ts';

const LAST_UNIT = 0xffff;

/** A set of UTF-16 code units: sorted, disjoint, inclusive ranges as a flat list [from, to, from, to, ...]. */
export type CharSet = readonly number[];

/** The union of ranges in any order, as a CharSet. */
export function charSet(ranges: readonly number[]): CharSet {
  const pairs: [number, number][] = [];
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i] as number, ranges[i + 1] as number]);
  pairs.sort((a, b) => a[0] - b[0]);
  const flat: number[] = [];
  for (const [from, to] of pairs) {
    const last = flat.length - 1;
    if (last > 0 && from <= (flat[last] as number) + 1) flat[last] = Math.max(flat[last] as number, to);
    else flat.push(from, to);
  }
  return flat;
}

export function complement(set: CharSet): CharSet {
  const flat: number[] = [];
  let from = 0;
  for (let i = 0; i < set.length; i += 2) {
    if ((set[i] as number) > from) flat.push(from, (set[i] as number) - 1);
    from = (set[i + 1] as number) + 1;
  }
  if (from <= LAST_UNIT) flat.push(from, LAST_UNIT);
  return flat;
}

export function intersection(a: CharSet, b: CharSet): CharSet {
  return complement(charSet([...complement(a), ...complement(b)]));
}

export const DIGITS: CharSet = [0x30, 0x39];
export const WORD_CHARS: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
/** `\s` in JavaScript (ECMA-262, WhiteSpace and LineTerminator). */
export const SPACES: CharSet = charSet([
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f,
  0x3000, 0x3000, 0xfeff, 0xfeff,
]);
export const ANY_CHARS: CharSet = [0, LAST_UNIT];
export const NOT_NEWLINE: CharSet = complement([0x0a, 0x0a]);
export const NOT_WORD_CHARS: CharSet = complement(WORD_CHARS);

/** A set of sides that a character can be on: bit `1 << side`. */
export type Sides = number;
export const OTHERS: Sides = 1 << OTHER;
export const WORDS: Sides = 1 << WORD;

/** The distinct sets of some patterns, numbered. */
export class CharSetPool {
  readonly sets: CharSet[] = [];
  /** For each set, the sides of its characters. */
  readonly sides: Sides[] = [];
  private readonly idOfObject = new Map<CharSet, number>();
  private readonly idOfContent = new Map<string, number>();

  idOf(set: CharSet): number {
    // By identity first: literals share their objects, and comparing contents costs more than all other work.
    let id = this.idOfObject.get(set);
    if (id === undefined) {
      const content = set.join();
      id = this.idOfContent.get(content) ?? this.add(set);
      this.idOfContent.set(content, id);
      this.idOfObject.set(set, id);
    }
    return id;
  }

  /** The part of a set that is on one side. */
  partOf(id: number, side: Side): number {
    return this.idOf(intersection(this.sets[id] as CharSet, side === WORD ? WORD_CHARS : NOT_WORD_CHARS));
  }

  private add(set: CharSet): number {
    const words = intersection(set, WORD_CHARS).length > 0 ? WORDS : 0;
    const others = intersection(set, NOT_WORD_CHARS).length > 0 ? OTHERS : 0;
    this.sides.push(words | others);
    return this.sets.push(set) - 1;
  }
}

const FIRST_BEYOND_ASCII = 0x80;
const UNITS = 0x10000;
const MOST_LOOKED_AT = 64;
const BEYOND_ASCII: CharSet = [FIRST_BEYOND_ASCII, UNITS - 1];

/** Code units beyond ASCII with other cases, in order, each with all its cases; computed on first use. */
let variants: readonly (readonly [unit: number, cases: readonly number[]])[] | undefined;

/** The set with the other cases of its letters, like RegExp's flag `i`: no letter beyond ASCII equals one in it. */
export function withBothCases(set: CharSet): CharSet {
  const upper = intersection(set, [0x41, 0x5a]).map((unit) => unit + 0x20);
  const lower = intersection(set, [0x61, 0x7a]).map((unit) => unit - 0x20);
  const beyond = otherCasesIn(set);
  return upper.length + lower.length + beyond.length === 0 ? set : charSet([...set, ...upper, ...lower, ...beyond]);
}

function otherCasesIn(set: CharSet): number[] {
  const beyond = intersection(set, BEYOND_ASCII);
  if (beyond.length === 0 || (variants === undefined && isSmallWithoutCases(beyond))) return [];
  variants ??= letterVariants();
  const ranges: number[] = [];
  let range = 0;
  for (const [unit, cases] of variants) {
    while (range < beyond.length && (beyond[range + 1] as number) < unit) range += 2;
    if (range >= beyond.length) break;
    if ((beyond[range] as number) <= unit) for (const other of cases) ranges.push(other, other);
  }
  return ranges;
}

/** Avoids computing `variants` for the built-in rules, whose only characters beyond ASCII are white space. */
function isSmallWithoutCases(set: CharSet): boolean {
  let looked = 0;
  for (let i = 0; i < set.length; i += 2) {
    for (let unit = set[i] as number; unit <= (set[i + 1] as number); unit++) {
      looked += 1;
      const character = String.fromCharCode(unit);
      if (looked > MOST_LOOKED_AT || character.toLowerCase() !== character.toUpperCase()) return false;
    }
  }
  return true;
}

function letterVariants(): [number, number[]][] {
  const groups = new Map<number, number[]>();
  for (let unit = FIRST_BEYOND_ASCII; unit < UNITS; unit++) {
    const key = canonical(unit);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [unit]);
    else group.push(unit);
  }
  const shared = [...groups.values()].filter((group) => group.length > 1);
  return shared.flatMap((group) => group.map((unit): [number, number[]] => [unit, group])).sort(([a], [b]) => a - b);
}

/** ECMA-262, Canonicalize, for patterns without the flag `u`. */
function canonical(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  const folded = upper.length === 1 ? upper.charCodeAt(0) : unit;
  return folded < FIRST_BEYOND_ASCII ? unit : folded;
}

const PROPERTY_NAME = /^[A-Za-z_]{1,40}(?:=[A-Za-z_]{1,40})?$/;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

const known = new Map<string, CharSet>();

/**
 * The characters of a general category (`Lu`), a script (`Greek`, `Script=Greek`) or a property that RegExp supports, if they are one code unit
 * long; undefined for an unknown name.
 */
export function unicodeProperty(name: string): CharSet | undefined {
  let set = known.get(name);
  if (set === undefined) {
    const pattern = propertyPattern(name);
    if (pattern === undefined) return undefined;
    set = unitsMatching(pattern);
    known.set(name, set);
  }
  return set;
}

function propertyPattern(name: string): RegExp | undefined {
  if (!PROPERTY_NAME.test(name)) return undefined;
  for (const property of [name, `Script=${name}`]) {
    try {
      return new RegExp(`\\p{${property}}`, 'u');
    } catch {
      // Not a property; it may be a script.
    }
  }
  return undefined;
}

function unitsMatching(pattern: RegExp): CharSet {
  const ranges: number[] = [];
  for (let unit = 0; unit <= LAST_UNIT; unit++) {
    const half = unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE;
    if (!half && pattern.test(String.fromCharCode(unit))) ranges.push(unit, unit);
  }
  return charSet(ranges);
}
