import { type CharSet, charSet, intersection } from './char-set.ts';

const FIRST_BEYOND_ASCII = 0x80;
const UNITS = 0x10000;
const MOST_LOOKED_AT = 64;
const BEYOND_ASCII: CharSet = [FIRST_BEYOND_ASCII, UNITS - 1];

/** The code units beyond ASCII that have other cases, in order, each with all of them; worked out when first needed. */
let variants: readonly (readonly [unit: number, cases: readonly number[]])[] | undefined;

/** The set with the other cases of its letters added, as RegExp's flag `i` has them: no letter beyond ASCII equals one in it. */
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

/** Spares the built-in rules the table: what they have beyond ASCII is white space. */
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
