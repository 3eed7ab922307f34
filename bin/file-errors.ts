import { countMembers, hasDuplicateMembers, jsonPlace } from '../functions/kernel/json/index.ts';

/** Follows `path: ` or `path:line: `. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'a folder, not a file',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'exists already',
  ENOSPC: 'no space left on the disk',
  EMFILE: 'too many open files',
};

/** Why a file cannot be read or written. */
export function reasonOf(error: unknown): string {
  const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? `failed with ${code}`;
}

/** `path:3: not valid JSON (column 7)`, without any of the text. `line` is that of the text, if it is a line of a file. */
export function jsonFault(name: string, error: unknown, line?: number): string {
  const { message } = error as SyntaxError;
  const place = jsonPlace(message);
  const shownLine = line ?? place?.line;
  const detail =
    place !== undefined ? ` (column ${place.column})` : /^Unexpected end /.test(message) ? ' (ends early)' : '';
  return `${name}${shownLine === undefined ? '' : `:${shownLine}`}: not valid JSON${detail}`;
}

const STEERING = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Names of files must not control the terminal. */
export function shown(text: string): string {
  return text.replace(STEERING, '\ufffd');
}

/** Deeper than any setting. */
const MAX_DEPTH = 128;

/**
 * The value of a file's JSON. A member that occurs twice is refused as by the API: a reader and a parser would read different values. `fail`
 * throws a message without any of the text.
 */
export function parseJsonFile(name: string, json: string, fail: (message: string) => never): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return fail(jsonFault(name, error));
  }
  let members = 0;
  try {
    members = countMembers(value, MAX_DEPTH);
  } catch {
    return fail(`${name}: nested too deeply`);
  }
  return hasDuplicateMembers(json, members) ? fail(`${name}: an object has a member twice`) : value;
}
