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

/** How many bytes a text has in UTF-8; a lone surrogate counts as the three bytes of what replaces it, or as two. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // A surrogate is one half of a character of four bytes.
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
