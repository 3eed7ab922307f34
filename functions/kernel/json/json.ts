import { boundJson } from './json-structure.ts';

/** Whether a JSON value is an object: no array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text parsed as a JSON object; undefined if it is something else, or takes too long to parse. Empty text is an empty object. */
export function readObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    boundJson(text);
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The arguments of a tool call as an object; text that is not an object is wrapped in one. */
export function readArguments(text: string): Record<string, unknown> {
  const object = readObject(text);
  if (object !== undefined) return object;
  try {
    boundJson(text);
    return { arguments: JSON.parse(text) as unknown };
  } catch {
    return { arguments: text };
  }
}
