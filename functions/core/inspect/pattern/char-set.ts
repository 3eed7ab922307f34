/** A set of UTF-16 code units: sorted, disjoint, inclusive ranges laid flat as [from, to, from, to, ...]. */
export type CharSet = readonly number[];

const LAST_UNIT = 0xffff;

/** The union of any ranges, in any order, as a CharSet. */
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

/** Every code unit that the set lacks. */
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

/** The code units that both sets have. */
export function intersection(a: CharSet, b: CharSet): CharSet {
  return complement(charSet([...complement(a), ...complement(b)]));
}

export const DIGITS: CharSet = [0x30, 0x39];
export const WORD_CHARS: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
/** What `\s` means in JavaScript (ECMA-262, WhiteSpace and LineTerminator). */
export const SPACES: CharSet = charSet([
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f,
  0x3000, 0x3000, 0xfeff, 0xfeff,
]);
export const ANY_CHARS: CharSet = [0, LAST_UNIT];
export const NOT_NEWLINE: CharSet = complement([0x0a, 0x0a]);
export const NOT_WORD_CHARS: CharSet = complement(WORD_CHARS);
