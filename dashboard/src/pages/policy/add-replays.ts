import type { PolicyReplay } from '../../api/client.ts';

const MAX_EXAMPLES = 50;

/** Merges two pages of a replay: adds numbers, and merges entries of the same change, key, type or rule. */
export function addReplays(a: PolicyReplay, b: PolicyReplay): PolicyReplay {
  return {
    ...b,
    from: a.from,
    to: a.to,
    requests: a.requests + b.requests,
    fromText: a.fromText + b.fromText,
    incomplete: a.incomplete + b.incomplete,
    changed: a.changed + b.changed,
    live: addCounts(a.live, b.live),
    replayed: addCounts(a.replayed, b.replayed),
    changes: merge(a.changes, b.changes, 'requests'),
    keys: merge(a.keys, b.keys, 'requests'),
    types: merge(a.types, b.types, 'findings'),
    rules: merge(a.rules, b.rules, 'findings'),
    examples: [...a.examples, ...b.examples].slice(0, MAX_EXAMPLES),
    callRules: merge(a.callRules ?? [], b.callRules ?? [], 'findings'),
    callExamples: [...(a.callExamples ?? []), ...(b.callExamples ?? [])].slice(0, MAX_EXAMPLES),
    unknown: [...new Set([...a.unknown, ...b.unknown])],
  };
}

type Counts = PolicyReplay['live'];

function addCounts(a: Counts, b: Counts): Counts {
  const sum = (action: keyof Counts) => (a[action] ?? 0) + (b[action] ?? 0);
  return { allow: sum('allow'), flag: sum('flag'), redact: sum('redact'), ask: sum('ask'), block: sum('block') };
}

/** Merges entries that differ only in their count; the most frequent first. */
function merge<T extends { readonly [name in Count]?: number }, Count extends 'requests' | 'findings'>(
  a: readonly T[],
  b: readonly T[],
  count: Count,
): T[] {
  const merged = new Map<string, T>();
  for (const entry of [...a, ...b]) {
    const name = JSON.stringify(Object.entries({ ...entry, [count]: 0 }).sort(([x], [y]) => (x < y ? -1 : 1)));
    const known = merged.get(name);
    merged.set(name, known === undefined ? entry : { ...known, [count]: (known[count] ?? 0) + (entry[count] ?? 0) });
  }
  return [...merged.values()].sort((x, y) => (y[count] ?? 0) - (x[count] ?? 0));
}
