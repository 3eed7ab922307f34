import { jsonPlace } from '../functions/core/base/json-document.ts';

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
