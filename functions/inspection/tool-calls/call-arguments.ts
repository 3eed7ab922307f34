import { boundJson, countMembers, hasDuplicateMembers, PARSE_BOUNDS } from '../../kernel/json/index.ts';

/** Parses a JSON text that all parsers read alike; undefined for broken JSON, one beyond the bounds, and one with a name twice. */
export function readExactJson(text: string): unknown {
  try {
    boundJson(text);
    const value: unknown = JSON.parse(text);
    return hasDuplicateMembers(text, countMembers(value, PARSE_BOUNDS.depth)) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The arguments as an object; their text, without escapes, if it is no JSON, or if parsers differ on what it says: clients repair it. */
export function argumentsOf(written: string): unknown {
  return readExactJson(written) ?? unescaped(written);
}

function unescaped(written: string): string {
  return written.replace(/\\u([\da-f]{4})|\\\//gi, (_, code?: string) =>
    code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
