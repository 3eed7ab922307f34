import { type CharSet, charSet } from './char-set.ts';

const PROPERTY_NAME = /^[A-Za-z_]{1,40}(?:=[A-Za-z_]{1,40})?$/;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const LAST_UNIT = 0xffff;

const known = new Map<string, CharSet>();

/**
 * The characters of a general category (`Lu`), a script (`Greek`, `Script=Greek`) or a property that RegExp knows, as far
 * as they are one code unit long; undefined where there is none of that name.
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
  for (const said of [name, `Script=${name}`]) {
    try {
      return new RegExp(`\\p{${said}}`, 'u');
    } catch {
      // No property of that name; it may be a script.
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
