import { isObject } from '../../kernel/json/index.ts';
import { readExactJson } from '../tool-calls/index.ts';

/** A name of a member, each item of a list, or, at the end, all values at any depth. */
export type PathStep = { readonly name: string } | '*' | '**';

/** A value at a path, or why it cannot be compared. */
export type FoundValue =
  | { readonly path: string; readonly value: string | number | boolean }
  | { readonly path: string; readonly fault: string };

/** What a call has at a path. */
interface FoundValues {
  readonly values: readonly FoundValue[];
  /** The first place without a value: absent, null, blank, or a list without items. */
  readonly missing: string | undefined;
}

/** Items of a list, and values of one argument, that are compared; more violate the rule. */
const MAX_VALUES = 200;
/** Members and items that are looked at for one argument. */
const MAX_VISITS = 2_000;
const TOO_MANY = `has more than ${MAX_VALUES} values`;
/** No address and no account in a form that is known is a number. */
export const TOO_LARGE = 'is too large a number';

/** The steps of `items[*].price`, `payment.**`. */
export function readPath(path: string): PathStep[] {
  return [...path.matchAll(/\[\*\]|[^.[\]]+/g)].map(([step]) => {
    if (step === '[*]') return '*';
    return step === '**' ? step : { name: step };
  });
}

/** The arguments of a call as the model wrote them. */
export class CallArguments {
  /** Undefined if they are no JSON object, or repeat a name: tools read such arguments in different ways. */
  readonly root: Readonly<Record<string, unknown>> | undefined;
  private readonly known = new Map<readonly PathStep[], FoundValues>();
  private readonly spellings = new Map<object, Spellings>();

  constructor(text: string) {
    const root = text.trim() === '' ? {} : readExactJson(text);
    this.root = isObject(root) ? root : undefined;
  }

  /** The values at a path. An argument that is absent or null has none. */
  at(steps: readonly PathStep[]): FoundValues {
    let found = this.known.get(steps);
    if (found === undefined) {
      found = new PathWalk(steps, (node) => this.spellingsOf(node)).from(this.root);
      this.known.set(steps, found);
    }
    return found;
  }

  private spellingsOf(node: object): Spellings {
    let spellings = this.spellings.get(node);
    if (spellings === undefined) {
      spellings = readSpellings(node);
      this.spellings.set(node, spellings);
    }
    return spellings;
  }
}

/** Finds the values at one path. */
class PathWalk {
  private readonly steps: readonly PathStep[];
  private readonly spellingsOf: (node: object) => Spellings;
  private readonly found: FoundValue[] = [];
  private missing: string | undefined;
  private visits = 0;

  constructor(steps: readonly PathStep[], spellingsOf: (node: object) => Spellings) {
    this.steps = steps;
    this.spellingsOf = spellingsOf;
  }

  from(root: unknown): FoundValues {
    if (root !== undefined) this.walk(root, 0, '');
    const isOfAll = this.steps.at(-1) === '**';
    const isTooMuch = (this.found.length > MAX_VALUES && !isOfAll) || this.visits > MAX_VISITS;
    return { values: isTooMuch ? [{ path: '', fault: TOO_MANY }] : this.found, missing: this.missing };
  }

  private walk(node: unknown, depth: number, path: string): void {
    this.visits += 1;
    if (this.visits > MAX_VISITS) return;
    if (node === undefined || node === null) {
      this.missing ??= path;
      return;
    }
    const step = this.steps[depth];
    if (typeof node === 'string' && node.trim() === '') this.missing ??= path;
    if (step === undefined) this.found.push(toFound(node, path));
    else if (step === '**') this.walkAll(node, depth, path);
    else if (step !== '*' && isObject(node)) this.walkMember(node, step.name, depth, path);
    else if (step !== '*') this.found.push({ path, fault: 'is no object' });
    else if (Array.isArray(node)) this.walkItems(node, depth, path);
    else if (isObject(node)) this.found.push({ path, fault: 'is no list' });
    // Tools that take a list often take a single text too.
    else this.walk(node, depth + 1, path);
  }

  private walkAll(node: NonNullable<unknown>, depth: number, path: string): void {
    if (typeof node !== 'object') {
      this.walk(node, depth + 1, path);
      return;
    }
    for (const [name, inner] of Object.entries(node)) {
      const at = Array.isArray(node) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
      if (inner !== null) this.walk(inner, depth, at);
    }
  }

  private walkItems(items: readonly unknown[], depth: number, path: string): void {
    if (items.length === 0) this.missing ??= path;
    if (items.length > MAX_VALUES) this.found.push({ path, fault: TOO_MANY });
    else for (const [at, item] of items.entries()) this.walk(item, depth + 1, `${path}[${at}]`);
  }

  private walkMember(node: Readonly<Record<string, unknown>>, name: string, depth: number, path: string): void {
    const inner = path === '' ? name : `${path}.${name}`;
    const spellings = this.spellingsOf(node).get(loose(name)) ?? [];
    if (spellings.length === 0) this.missing ??= inner;
    for (const written of spellings) {
      // A tool that ignores case would take another spelling.
      if (written === name) this.walk(node[name], depth + 1, inner);
      else this.found.push({ path: inner, fault: 'is written in another spelling' });
    }
  }
}

/** The names of an object by what is left without case, spaces and punctuation. */
type Spellings = ReadonlyMap<string, readonly string[]>;

function readSpellings(node: object): Spellings {
  const spellings = new Map<string, string[]>();
  for (const name of Object.keys(node)) {
    const key = loose(name);
    const others = spellings.get(key);
    if (others === undefined) spellings.set(key, [name]);
    else others.push(name);
  }
  return spellings;
}

function loose(name: string): string {
  const key = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
  // A name of punctuation alone has no other spelling.
  return key === '' ? name : key;
}

function toFound(node: NonNullable<unknown>, path: string): FoundValue {
  if (typeof node === 'string' || typeof node === 'boolean') return { path, value: node };
  if (typeof node !== 'number') return { path, fault: 'is no single value' };
  // Of two account numbers that differ in the 17th digit, JSON.parse makes one.
  const isExact = Number.isSafeInteger(node) || (Number.isFinite(node) && !Number.isInteger(node));
  return isExact ? { path, value: node } : { path, fault: TOO_LARGE };
}
