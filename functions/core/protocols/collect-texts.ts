import type { JsonPath } from '../json/json-splice.ts';

/** `isName`: the text is the name of the member at the path. */
export type TakeText = (path: JsonPath, text: string, isName?: true) => void;

/** Whether a member's string is none that anybody reads as text; `path` leads to its object. */
export type IsFixed = (name: string, path: JsonPath, object: object) => boolean;

/** A longer name of a member is more than a name. */
const MAX_NAME_CHARS = 64;
/** Neither a name nor a switch that a protocol fixes holds a space: what does is text, whatever it is called. */
const SPACE = /\s/;

/** Every string of a JSON value that could carry an instruction, in order, names of members that are more than names too. */
export function collectTexts(value: unknown, path: JsonPath, isFixed: IsFixed, take: TakeText): void {
  if (typeof value === 'string') {
    if (value !== '') take(path, value);
  } else if (Array.isArray(value)) {
    value.forEach((item, at) => collectTexts(item, [...path, at], isFixed, take));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const at = [...path, name];
      if (name.length > MAX_NAME_CHARS || SPACE.test(name)) take(at, name, true);
      if (typeof item !== 'string' || SPACE.test(item) || !isFixed(name, path, value)) {
        collectTexts(item, at, isFixed, take);
      }
    }
  }
}
