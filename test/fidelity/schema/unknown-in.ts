import type { Shape } from './shape.ts';

type Place = readonly (string | number)[];

/**
 * The members of a value that its published form does not know, by path. Of a union the member counts that knows most.
 * What the API takes and its types do not name is the caller's to leave out.
 */
export function unknownIn(shape: Shape, value: unknown, path: Place = []): Place[] {
  switch (shape.kind) {
    case 'union':
      return (
        shape.members
          .filter((member) => fits(member, value))
          .map((member) => unknownIn(member, value, path))
          .reduce<Place[] | undefined>(
            (least, one) => (least && least.length <= one.length ? least : one),
            undefined,
          ) ?? [path]
      );
    case 'array':
      return Array.isArray(value) ? value.flatMap((one, at) => unknownIn(shape.items, one, [...path, at])) : [path];
    case 'map':
      return Object.entries(Object(value)).flatMap(([name, one]) => unknownIn(shape.values, one, [...path, name]));
    case 'object':
      return Object.entries(Object(value)).flatMap(([name, one]) => {
        const known = shape.fields.get(name)?.shape ?? shape.others;
        return known ? unknownIn(known, one, [...path, name]) : [[...path, name]];
      });
    default:
      return fits(shape, value) ? [] : [path];
  }
}

/** Whether a value is of this kind; of an object, whether the words that say which it is are its own. */
function fits(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'unknown':
    case 'union':
      return true;
    case 'null':
      return value === null;
    case 'literal':
      return value === shape.value;
    case 'array':
      return Array.isArray(value);
    case 'map':
      return isObject(value);
    case 'object':
      return (
        isObject(value) &&
        [...shape.fields].every(([name, { shape: inner, optional }]) => {
          if (!Object.hasOwn(value, name)) return optional;
          return inner.kind !== 'literal' || fits(inner, (value as Record<string, unknown>)[name]);
        })
      );
    default:
      return typeof value === shape.kind;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
