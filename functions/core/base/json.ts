/** Whether a JSON value is an object: no array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object that a text is; undefined where it is anything else. A text without a character counts as an empty one. */
export function readObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The arguments of a tool's call as an object; where a model wrote none, what it wrote stands under one name. */
export function readArguments(text: string): Record<string, unknown> {
  const object = readObject(text);
  if (object !== undefined) return object;
  try {
    return { arguments: JSON.parse(text) as unknown };
  } catch {
    return { arguments: text };
  }
}
