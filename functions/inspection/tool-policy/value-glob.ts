import { matchesGlob } from '../../kernel/model/index.ts';
import { normalise } from './compared-value.ts';

/** A glob, or a value that globs are compared with. */
export interface GlobText {
  readonly text: string;
  /** A host with its scheme, or the first folder of a path; and what follows. */
  readonly head: string;
  readonly rest: string;
  /** How often it has what `*` must not match. */
  readonly joining: number;
  readonly borders: number;
  readonly spaces: number;
  readonly parents: number;
  readonly operators: number;
}

/** A longer value matches no glob: many globs may look at it. */
const MAX_CHARS = 4096;
/** What joins several values or addresses into one. */
const JOINING = /[@,;<>"]/g;
/** The same, and what is in no host and no name of a file or folder. */
const BORDERS = /[@,;<>":%\s]/g;
/** Some tools end a text at such a character. */
const CONTROL = /[^\P{Cc}\s]/u;
const SPACES = /\s/g;
/** What starts another command. */
const OPERATORS = /[;&|<>`\n\r]|\$\(/g;
const PARENT = /(?:^|[\\/])(?:\.|%2e){2}(?=[\\/]|$)/g;
const HEAD = /^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#\\]*)(.*)$/s;

/** Prepares a glob or a value; undefined for a value that no glob matches. */
export function readGlobText(written: string): GlobText | undefined {
  if (written.length > MAX_CHARS || CONTROL.test(written)) return undefined;
  const text = normalise(written);
  const [, head = '', rest = ''] = HEAD.exec(text) ?? [];
  return {
    text,
    head,
    rest,
    joining: count(JOINING, text),
    borders: count(BORDERS, head),
    spaces: count(SPACES, text),
    parents: count(PARENT, text),
    operators: count(OPERATORS, written),
  };
}

function count(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

/**
 * Whether a glob matches a whole value. `*` does not lead to another value: in a glob without spaces it matches no spaces, and before the
 * first `/` nothing that ends a host, an address or a name. `..` and the operators of a shell match only where the glob has them.
 */
export function matchesValue(glob: GlobText, value: GlobText, isCommand: boolean): boolean {
  if (isCommand && glob.operators !== value.operators) return false;
  if (glob.parents !== value.parents) return false;
  if (glob.spaces > 0) {
    return (!glob.text.includes('@') || glob.joining === value.joining) && matchesGlob(glob.text, value.text);
  }
  const isOne = value.spaces === 0 && glob.borders === value.borders;
  return isOne && matchesGlob(glob.head, value.head) && matchesGlob(glob.rest, value.rest);
}
