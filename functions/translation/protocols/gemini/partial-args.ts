import { isObject } from '../../../kernel/json/index.ts';

type Step = string | number;

/** Arguments of a longer path are in no declaration. */
const MAX_STEPS = 64;
const PATH = /^\$(?:\.[^.[\]'"\s]+|\[\d{1,9}\]|\['[^'\\]*'\]|\["[^"\\]*"\])+$/;
const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g;

/**
 * The arguments of a call that arrive in chunks: whole, or in pieces with their path, such as
 * `{jsonPath: "$.items[0].to", stringValue: "ann@"}` (https://ai.google.dev/api/caching#FunctionCall).
 */
export class PartialArgs {
  private readonly wholes: unknown[] = [];
  private root: object | undefined;
  /** Pieces whose path says nothing to us, or contradicts another piece. */
  private readonly unplaced: unknown[] = [];

  add(args: unknown, pieces: unknown): void {
    if (args !== undefined && args !== null && !isEmpty(args)) this.wholes.push(args);
    for (const piece of Array.isArray(pieces) ? pieces : []) {
      this.root ??= {};
      if (!place(this.root, piece)) this.unplaced.push(piece);
    }
  }

  /** An object; a list where clients may read different ones. */
  get value(): unknown {
    const all = [...this.wholes, ...(this.root === undefined ? [] : [this.root]), ...this.unplaced];
    if (this.unplaced.length > 0 || all.length > 1) return all;
    return all[0] ?? {};
  }
}

function isEmpty(args: unknown): boolean {
  return isObject(args) && Object.keys(args).length === 0;
}

/** Puts a piece in its place. @returns whether it has one */
function place(root: object, piece: unknown): boolean {
  const steps = isObject(piece) ? stepsOf(piece.jsonPath) : [];
  let node = root;
  for (const [at, step] of steps.entries()) {
    if (!isPlaceIn(node, step)) return false;
    const known: unknown = Object.hasOwn(node, step) ? (node as Record<Step, unknown>)[step] : undefined;
    if (at === steps.length - 1) return setLeaf(node, step, known, piece as Record<string, unknown>);
    const inner = known ?? (typeof steps[at + 1] === 'number' ? [] : {});
    if (typeof inner !== 'object') return false;
    set(node, step, inner);
    node = inner;
  }
  return false;
}

function stepsOf(path: unknown): readonly Step[] {
  if (typeof path !== 'string' || !PATH.test(path)) return [];
  const steps = [...path.matchAll(STEP)].map(([, name, index, quoted, doubled]) =>
    index === undefined ? ((name ?? quoted ?? doubled) as string) : Number(index),
  );
  return steps.length > MAX_STEPS ? [] : steps;
}

/** Items arrive in order. */
function isPlaceIn(node: object, step: Step): boolean {
  return Array.isArray(node) ? typeof step === 'number' && step <= node.length : typeof step === 'string';
}

function setLeaf(
  node: object,
  step: Step,
  known: unknown,
  { stringValue, numberValue, boolValue }: Record<string, unknown>,
): boolean {
  if (typeof stringValue === 'string') set(node, step, `${known ?? ''}${stringValue}`);
  else set(node, step, numberValue ?? boolValue ?? null);
  return known === undefined || (typeof known === 'string' && typeof stringValue === 'string');
}

function set(node: object, step: Step, value: unknown): void {
  Object.defineProperty(node, step, { value, enumerable: true, configurable: true, writable: true });
}
