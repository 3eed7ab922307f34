type Combination = Readonly<Record<string, unknown>>;

/**
 * Combinations of values, few of them, in which every two values of two factors meet that `isRight` lets meet at all: most faults
 * of settings are of two that do not get along.
 */
export function pairwise(
  factors: Readonly<Record<string, readonly unknown[]>>,
  isRight: (combination: Combination) => boolean,
): Combination[] {
  const names = Object.keys(factors);
  const all = names.reduce<Combination[]>(
    (combinations, name) =>
      combinations.flatMap((one) => (factors[name] as readonly unknown[]).map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
  const right = all.filter(isRight).map((combination) => ({ combination, pairs: pairsOf(combination, names) }));
  const open = new Set(right.flatMap(({ pairs }) => pairs));
  const chosen: Combination[] = [];
  while (open.size > 0) {
    const gains = right.map(({ pairs }) => pairs.filter((pair) => open.has(pair)).length);
    const best = right[gains.indexOf(Math.max(...gains))];
    for (const pair of best?.pairs ?? []) open.delete(pair);
    chosen.push(best?.combination ?? {});
  }
  return chosen;
}

function pairsOf(combination: Combination, names: readonly string[]): string[] {
  const marks = names.map((name) => JSON.stringify([name, combination[name]]));
  return marks.flatMap((mark, at) => marks.slice(at + 1).map((other) => `${mark}${other}`));
}
