import type { PatternNode } from './parse-pattern.ts';

/**
 * The options of a choice with what they begin with alike said once, as in `pre(?:a|b)` for `prea|preb`: the pattern
 * matches the same, and while a text could still be either, one thread follows it instead of one an option.
 */
export function withSharedPrefixes(options: readonly PatternNode[]): PatternNode {
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
    // The parser gives a literal the same set object wherever it occurs; anything else stands for itself.
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
