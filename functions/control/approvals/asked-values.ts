import { usualPath } from '../../kernel/model/index.ts';

/** A value of a call that a person may be asked about, with its place; null for all arguments. */
export interface AskedValue {
  readonly argument: string | null;
  readonly value: string;
}

/** More are in no call that a person reads. */
const MAX_VALUES = 500;
const MAX_DEPTH = 50;

/** All values of a call, and the objects and lists that have them, also in JSON within a text. @returns undefined if there are too many */
export function askedValues(written: string): readonly AskedValue[] | undefined {
  const values: AskedValue[] = [];
  let isDeep = false;
  const visit = (node: unknown, path: string, depth: number): void => {
    isDeep ||= depth > MAX_DEPTH;
    if (isDeep || values.length > MAX_VALUES) return;
    values.push({ argument: path || null, value: typeof node === 'string' ? node : JSON.stringify(node) });
    const inner = typeof node === 'string' && /^\s*[{[]/.test(node) ? parsed(node) : node;
    if (typeof inner !== 'object' || inner === null) return;
    for (const [name, member] of Object.entries(inner)) {
      if (Array.isArray(inner)) visit(member, `${path}[${name}]`, depth + 1);
      else visit(member, path === '' ? name : `${path}.${name}`, depth + 1);
    }
  };
  try {
    visit(parsed(written.trim() === '' ? '{}' : written), '', 0);
  } catch (error) {
    // So deep that it cannot be written again.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return isDeep || values.length > MAX_VALUES ? undefined : values;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The place of a value: the same for all items of a list. */
export function placeOf(argument: string | null): string | null {
  return argument === null ? null : usualPath(argument).replace(/\[\d+\]/g, '[*]');
}

/** A value without what a model may write otherwise: case, accents, white space and punctuation. */
export function plainValue(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return plain === '' ? text : plain;
}
