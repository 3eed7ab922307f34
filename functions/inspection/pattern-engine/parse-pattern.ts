import {
  ANY_CHARS,
  type CharSet,
  charSet,
  complement,
  DIGITS,
  NOT_NEWLINE,
  NOT_WORD_CHARS,
  SPACES,
  unicodeProperty,
  WORD_CHARS,
  withBothCases,
} from './char-set.ts';
import { type Contexts, NO_WORD_BOUNDARY, TEXT_END, TEXT_START, WORD_BOUNDARY } from './context.ts';

/** A parsed pattern; `max` is Infinity for an open repeat, `offset` is that of its quantifier in the source. */
export type PatternNode =
  | { readonly kind: 'chars'; readonly set: CharSet }
  | { readonly kind: 'assertion'; readonly contexts: Contexts }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly offset: number;
    };

const DEEPEST_NESTING = 100;
const LARGEST_COUNT = 1000;

/** One object for each literal, with and without case, so that later steps can compare and cache by identity. */
const LITERALS: CharSet[] = [];
const CASELESS_LITERALS: CharSet[] = [];
const QUANTIFIERS = '?*+{';
/** `:`, a name (as in RE2 and JavaScript; it is ignored), or flags for the group or for the rest of the enclosing group. */
const GROUP_HEAD = /^(?:P?<[A-Za-z_]\w{0,63}>|([is]*(?:-[is]+)?)[:)])/;
const LONGEST_GROUP_HEAD = 80;

/** Parses a pattern of the supported subset. @throws PatternSyntaxError */
export function parsePattern(source: string, ignoreCase: boolean): PatternNode {
  return new PatternParser(source, ignoreCase).parse();
}

class PatternParser {
  private readonly source: string;
  /** Flags apply to the end of the group in which they are set. */
  private ignoreCase: boolean;
  private dotAll = false;
  private at = 0;
  private depth = 0;

  constructor(source: string, ignoreCase: boolean) {
    this.source = source;
    this.ignoreCase = ignoreCase;
  }

  parse(): PatternNode {
    const node = this.choice();
    if (this.at < this.source.length) throw this.error(this.at, 'unmatched )');
    return node;
  }

  private choice(): PatternNode {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    return options.length === 1 ? (options[0] as PatternNode) : withSharedPrefixes(options);
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.source.length) {
      const next = this.source[this.at] as string;
      if (next === '|' || next === ')') break;
      const atom = this.atom();
      parts.push(QUANTIFIERS.includes(this.source[this.at] ?? ' ') ? this.quantified(atom) : atom);
    }
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'sequence', parts };
  }

  /** The atom with the quantifier after it. */
  private quantified(body: PatternNode): PatternNode {
    const offset = this.at;
    const [min, max] = this.counts();
    if (body.kind === 'assertion') throw this.error(offset, 'a quantifier cannot follow an assertion');
    if (this.sees('?')) throw this.error(this.at, 'lazy quantifiers are not supported: a match is always the longest');
    if (this.sees('+')) throw this.error(this.at, 'possessive quantifiers are not supported');
    if (this.sees('*') || this.sees('{')) throw this.error(this.at, 'a quantifier cannot follow a quantifier');
    return { kind: 'repeat', body, min, max, offset };
  }

  private counts(): readonly [min: number, max: number] {
    const offset = this.at;
    if (this.take('?')) return [0, 1];
    if (this.take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.take('+')) return [1, Number.POSITIVE_INFINITY];
    this.at += 1;
    const counts = /^(\d+)(?:(,)(\d*))?\}/.exec(this.source.slice(this.at));
    if (counts === null) throw this.error(offset, 'expected {n}, {n,} or {n,m}; write \\{ for a brace');
    this.at += counts[0].length;
    const min = Number(counts[1]);
    const max = counts[2] === undefined ? min : counts[3] === '' ? Number.POSITIVE_INFINITY : Number(counts[3]);
    if (min > max) throw this.error(offset, `the counts of ${counts[0]} are out of order`);
    if (Math.max(min, Number.isFinite(max) ? max : 0) > LARGEST_COUNT) {
      throw this.error(offset, `a repeat count is at most ${LARGEST_COUNT}`);
    }
    return [min, max];
  }

  private atom(): PatternNode {
    const offset = this.at;
    const char = this.source[this.at++] as string;
    switch (char) {
      case '(':
        return this.group(offset);
      case '[':
        return { kind: 'chars', set: this.class(offset) };
      case '.':
        return { kind: 'chars', set: this.dotAll ? ANY_CHARS : NOT_NEWLINE };
      case '^':
        return { kind: 'assertion', contexts: TEXT_START };
      case '$':
        return { kind: 'assertion', contexts: TEXT_END };
      case '\\':
        return this.escapedAtom(offset);
      case '*':
      case '+':
      case '?':
        throw this.error(offset, `nothing for ${char} to repeat`);
      case '{':
      case '}':
      case ']':
        throw this.error(offset, `a literal ${char} is written \\${char}`);
      default:
        return { kind: 'chars', set: this.literal(char.charCodeAt(0)) };
    }
  }

  private group(offset: number): PatternNode {
    const outside = [this.ignoreCase, this.dotAll] as const;
    if (this.take('?') && this.groupHead(offset) === 'flags only') return { kind: 'sequence', parts: [] };
    this.depth += 1;
    if (this.depth > DEEPEST_NESTING) throw this.error(offset, `groups nest at most ${DEEPEST_NESTING} deep`);
    const node = this.choice();
    if (!this.take(')')) throw this.error(offset, 'unclosed (');
    this.depth -= 1;
    [this.ignoreCase, this.dotAll] = outside;
    // A sequence of one, so that a quantifier may follow a group around an assertion.
    return { kind: 'sequence', parts: [node] };
  }

  /** The text between `(?` and a group's body: `:`, a name, flags. */
  private groupHead(offset: number): 'body' | 'flags only' {
    const rest = this.source.slice(this.at, this.at + LONGEST_GROUP_HEAD);
    const head = GROUP_HEAD.exec(rest);
    if (head === null) throw this.error(offset, groupProblem(rest));
    this.at += head[0].length;
    const [set = '', unset = ''] = (head[1] ?? '').split('-');
    for (const [flags, value] of [[set, true] as const, [unset, false] as const]) {
      if (flags.includes('i')) this.ignoreCase = value;
      if (flags.includes('s')) this.dotAll = value;
    }
    if (!head[0].endsWith(')')) return 'body';
    if (QUANTIFIERS.includes(this.source[this.at] ?? ' ')) throw this.error(this.at, 'nothing to repeat');
    return 'flags only';
  }

  private escapedAtom(offset: number): PatternNode {
    if (this.take('b')) return { kind: 'assertion', contexts: WORD_BOUNDARY };
    if (this.take('B')) return { kind: 'assertion', contexts: NO_WORD_BOUNDARY };
    if (this.take('A')) return { kind: 'assertion', contexts: TEXT_START };
    if (this.take('z')) return { kind: 'assertion', contexts: TEXT_END };
    const set = this.escapedSet(offset);
    return { kind: 'chars', set: isSingle(set) ? this.literal(set[0] as number) : set };
  }

  /** The rest of an escape whose backslash, at `offset`, has been read. */
  private escapedSet(offset: number): CharSet {
    const char = this.source[this.at++];
    if (char === undefined) throw this.error(offset, 'nothing after the backslash');
    const set = SET_ESCAPES.get(char);
    if (set !== undefined) return set;
    const control = CONTROL_ESCAPES.get(char);
    if (control !== undefined) return single(control);
    if (char === 'p' || char === 'P') return this.property(offset, char === 'P');
    const hexLength = HEX_ESCAPE_LENGTHS.get(char);
    if (hexLength !== undefined) return single(this.hexUnit(offset, hexLength));
    if (ESCAPABLE.test(char)) return single(char.charCodeAt(0));
    throw this.error(offset, escapeProblem(char));
  }

  /** The rest of \p{Name} or \pN. */
  private property(offset: number, negated: boolean): CharSet {
    const name = /^(?:\{([^}]{1,80})\}|([A-Z]))/.exec(this.source.slice(this.at, this.at + 90));
    const set = name && unicodeProperty((name[1] ?? name[2]) as string);
    if (!name || !set) throw this.error(offset, 'no Unicode property, category or script of this name');
    this.at += name[0].length;
    const cased = this.cased(set);
    return negated ? complement(cased) : cased;
  }

  private hexUnit(offset: number, length: number): number {
    const digits = this.source.slice(this.at, this.at + length);
    if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) {
      throw this.error(offset, `expected ${length} hexadecimal digits`);
    }
    this.at += length;
    return Number.parseInt(digits, 16);
  }

  /** The rest of a character class whose bracket, at `offset`, has been read. */
  private class(offset: number): CharSet {
    const negated = this.take('^');
    if (this.sees(']')) throw this.error(offset, 'an empty class');
    const ranges: number[] = [];
    while (!this.take(']')) {
      if (this.at >= this.source.length) throw this.error(offset, 'unclosed [');
      ranges.push(...this.classItem());
    }
    // Case first, as in RegExp: [^a] without case excludes A too.
    const set = this.cased(charSet(ranges));
    return negated ? complement(set) : set;
  }

  private classItem(): CharSet {
    const offset = this.at;
    const from = this.classAtom();
    if (!this.sees('-') || this.source[this.at + 1] === ']') return from;
    this.at += 1;
    const to = this.classAtom();
    if (!isSingle(from) || !isSingle(to)) throw this.error(offset, 'a range runs between two single characters');
    if ((from[0] as number) > (to[0] as number)) throw this.error(offset, 'the ends of the range are out of order');
    return [from[0] as number, to[0] as number];
  }

  private classAtom(): CharSet {
    const offset = this.at;
    const char = this.source[this.at++];
    if (char === undefined) throw this.error(offset, 'unclosed [');
    return char === '\\' ? this.escapedSet(offset) : single(char.charCodeAt(0));
  }

  private literal(unit: number): CharSet {
    const cached = this.ignoreCase ? CASELESS_LITERALS : LITERALS;
    cached[unit] ??= this.cased(single(unit));
    return cached[unit];
  }

  private cased(set: CharSet): CharSet {
    return this.ignoreCase ? withBothCases(set) : set;
  }

  private sees(char: string): boolean {
    return this.source[this.at] === char;
  }

  private take(char: string): boolean {
    if (!this.sees(char)) return false;
    this.at += 1;
    return true;
  }

  private error(offset: number, problem: string): PatternSyntaxError {
    return new PatternSyntaxError(this.source, offset, problem);
  }
}

function single(unit: number): CharSet {
  return [unit, unit];
}

function isSingle(set: CharSet): boolean {
  return set.length === 2 && set[0] === set[1];
}

function groupProblem(rest: string): string {
  if (/^[=!]/.test(rest)) return 'lookahead is not supported';
  if (/^<[=!]/.test(rest)) return 'lookbehind is not supported';
  if (/^[a-zA-Z-]+[:)]/.test(rest)) return 'of the flags only i and s are supported';
  return 'this kind of (? group is not supported';
}

/** Escapes for a class of characters. */
const SET_ESCAPES: ReadonlyMap<string, CharSet> = new Map([
  ['d', DIGITS],
  ['D', complement(DIGITS)],
  ['w', WORD_CHARS],
  ['W', NOT_WORD_CHARS],
  ['s', SPACES],
  ['S', complement(SPACES)],
]);
const CONTROL_ESCAPES: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['r', 0x0d],
  ['f', 0x0c],
  ['v', 0x0b],
]);
/** Escapes with a code unit, and its number of hexadecimal digits. */
const HEX_ESCAPE_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
]);
/** Characters that a backslash makes literal: ASCII punctuation. */
const ESCAPABLE = /^[!-/:-@[-`{-~]$/;

/** Why an escape with this letter is rejected. */
function escapeProblem(char: string): string {
  if (/[1-9]/.test(char)) return `backreferences (\\${char}) are not supported`;
  if (char === 'k') return 'named backreferences (\\k) are not supported';
  if (char === 'b' || char === 'B') return `\\${char} has no meaning in a class`;
  return `the escape \\${char} is not supported`;
}

/** A pattern outside the supported syntax; the message contains the offset in the source and the construct. */
export class PatternSyntaxError extends Error {
  override readonly name = 'PatternSyntaxError';
  readonly offset: number;
  /** The problem, without the pattern. */
  readonly problem: string;

  constructor(source: string, offset: number, problem: string) {
    super(`Pattern ${JSON.stringify(source)}, offset ${offset}: ${problem}`);
    this.offset = offset;
    this.problem = problem;
  }
}

/**
 * Merges common prefixes of a choice, such as `pre(?:a|b)` for `prea|preb`: the matches are equal, and one thread instead of one for each
 * option follows the prefix.
 */
function withSharedPrefixes(options: readonly PatternNode[]): PatternNode {
  return sharesFirst(options) ? choiceOf(options.map(partsOf)) : { kind: 'choice', options };
}

function sharesFirst(options: readonly PatternNode[]): boolean {
  const firsts = new Set<unknown>();
  for (const option of options) {
    let first: PatternNode | undefined = option;
    while (first?.kind === 'sequence') first = first.parts[0];
    if (first?.kind !== 'chars') continue;
    if (firsts.has(first.set)) return true;
    firsts.add(first.set);
  }
  return false;
}

type Parts = readonly PatternNode[];

function choiceOf(options: readonly Parts[]): PatternNode {
  const groups = new Map<unknown, Parts[]>();
  for (const option of options) {
    const first = option[0];
    // The parser uses the same set object for equal literals; anything else is distinct.
    const key = first?.kind === 'chars' ? first.set : option;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [option]);
    else group.push(option);
  }
  const merged = [...groups.values()].map(mergedGroup);
  return merged.length === 1 ? (merged[0] as PatternNode) : { kind: 'choice', options: merged };
}

function mergedGroup(options: readonly Parts[]): PatternNode {
  const first = options[0] as Parts;
  if (options.length === 1) return sequenceOf(first);
  let shared = 1;
  while (options.every((option) => sameChars(option[shared], first[shared]))) shared += 1;
  return sequenceOf([...first.slice(0, shared), choiceOf(options.map((option) => option.slice(shared)))]);
}

function sameChars(a: PatternNode | undefined, b: PatternNode | undefined): boolean {
  return a?.kind === 'chars' && b?.kind === 'chars' && a.set === b.set;
}

function partsOf(node: PatternNode): Parts {
  if (node.kind !== 'sequence') return [node];
  return node.parts.some((part) => part.kind === 'sequence') ? node.parts.flatMap(partsOf) : node.parts;
}

function sequenceOf(parts: Parts): PatternNode {
  return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'sequence', parts };
}
