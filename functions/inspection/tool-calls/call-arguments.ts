import { countMembers, hasDuplicateMembers, PARSE_BOUNDS } from '../../kernel/json/index.ts';

/** The arguments as an object; the text as written if it is no JSON, or if parsers differ on what it says. */
export function argumentsOf(written: string): unknown {
  try {
    const value: unknown = JSON.parse(written);
    return hasDuplicateMembers(written, countMembers(value, PARSE_BOUNDS.depth)) ? written : value;
  } catch {
    return written;
  }
}
