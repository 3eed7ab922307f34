import { type CharSet, charSet, intersection } from './char-set.ts';

const FIRST_BEYOND_ASCII = 0x80;
const UNITS = 0x10000;

/** Per code unit beyond ASCII that has other cases, all of them with itself; worked out when a pattern first needs it. */
let variants: ReadonlyMap<number, readonly number[]> | undefined;

/** The set with the other cases of its letters added, as RegExp's flag `i` has them: no letter beyond ASCII equals one in it. */
export function withBothCases(set: CharSet): CharSet {
  const upper = intersection(set, [0x41, 0x5a]).map((unit) => unit + 0x20);
  const lower = intersection(set, [0x61, 0x7a]).map((unit) => unit - 0x20);
  const beyond = beyondAscii(set);
  return upper.length + lower.length + beyond.length === 0 ? set : charSet([...set, ...upper, ...lower, ...beyond]);
}

function beyondAscii(set: CharSet): number[] {
  const ranges: number[] = [];
  for (let i = 0; i < set.length; i += 2) {
    for (let unit = Math.max(set[i] as number, FIRST_BEYOND_ASCII); unit <= (set[i + 1] as number); unit++) {
      if (variants === undefined && canonical(unit) === unit && lowered(unit) === unit) continue;
      variants ??= letterVariants();
      for (const variant of variants.get(unit) ?? []) ranges.push(variant, variant);
    }
  }
  return ranges;
}

function letterVariants(): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (let unit = FIRST_BEYOND_ASCII; unit < UNITS; unit++) {
    const key = canonical(unit);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [unit]);
    else group.push(unit);
  }
  const shared = [...groups.values()].filter((group) => group.length > 1);
  return new Map(shared.flatMap((group) => group.map((unit) => [unit, group] as const)));
}

/** ECMA-262, Canonicalize, for patterns without the flag `u`. */
function canonical(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  const folded = upper.length === 1 ? upper.charCodeAt(0) : unit;
  return folded < FIRST_BEYOND_ASCII ? unit : folded;
}

function lowered(unit: number): number {
  return String.fromCharCode(unit).toLowerCase().charCodeAt(0);
}
