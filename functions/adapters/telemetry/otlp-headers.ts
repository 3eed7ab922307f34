const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** The headers of a receiver of spans, of a JSON object. @throws Error without their text if they are no headers */
export function readOtlpHeaders(text: string): Record<string, string> {
  const headers = text.trim() === '' ? {} : parse(text);
  const isRecord = typeof headers === 'object' && headers !== null && !Array.isArray(headers);
  const isHeader = ([name, value]: [string, unknown]) =>
    NAME.test(name) && typeof value === 'string' && VALUE.test(value);
  if (!isRecord || !Object.entries(headers).every(isHeader))
    throw new Error('must be a JSON object of headers: names, and values of visible ASCII characters');
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value as string]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    return undefined;
  }
}
