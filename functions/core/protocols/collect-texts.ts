import type { JsonPath } from '../json/json-splice.ts';

/** `isName`: the text is the name of the member at the path. */
export type TakeText = (path: JsonPath, text: string, isName?: true) => void;

/** Whether a member's string is none that anybody reads as text; `path` leads to its object. */
export type IsFixed = (name: string, path: JsonPath, object: object) => boolean;

/** A longer name of a member is more than a name. */
const MAX_NAME_CHARS = 64;
/** Neither a name nor a switch that a protocol fixes holds a space: what does is text, whatever it is called. */
const SPACE = /\s/;

/** The shortest whole number that can stand for a person, an account or a card. */
const MIN_NUMBER = 100_000_000;

/** Whether a name says more than a name can, or is longer than one. */
export function isMoreThanName(name: string): boolean {
  return name.length > MAX_NAME_CHARS || SPACE.test(name);
}

/**
 * Every string of a JSON value that could carry an instruction, in order, names of members that are more than names too.
 * @param isFree whether what stands at a path is somebody's own, such as the input of a tool: long numbers are read there as
 *   they are written, as they are where such an input is JSON text
 */
export function collectTexts(
  value: unknown,
  path: JsonPath,
  isFixed: IsFixed,
  take: TakeText,
  isFree: (path: JsonPath) => boolean = nowhere,
): void {
  if (typeof value === 'string') {
    if (value !== '') take(path, value);
  } else if (typeof value === 'number') {
    if (value >= MIN_NUMBER && Number.isSafeInteger(value) && isFree(path)) take(path, String(value));
  } else if (Array.isArray(value)) {
    value.forEach((item, at) => collectTexts(item, [...path, at], isFixed, take, isFree));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const at = [...path, name];
      if (isMoreThanName(name)) take(at, name, true);
      if (typeof item !== 'string' || SPACE.test(item) || !isFixed(name, path, value)) {
        collectTexts(item, at, isFixed, take, isFree);
      }
    }
  }
}

const nowhere = () => false;
