/** Choices by their axis: `{stage: ['Production', 'Development'], tracing: [true, false]}`. */
export type Axes = Readonly<Record<string, readonly unknown[]>>;

/**
 * Rows in which any two choices of different axes meet at least once, most of them in as few rows as a greedy search finds.
 * The same axes give the same rows.
 */
export function pairwiseRows(axes: Axes): Record<string, unknown>[] {
  const names = Object.keys(axes);
  const open = new Set(pairsOf(names, (name) => (axes[name] ?? []).map((_, index) => index)));
  const rows: Record<string, number>[] = [];
  while (open.size > 0) {
    const [first = ''] = open;
    const row: Record<string, number> = Object.fromEntries(
      first.split('&').map((choice) => [choice.split('=')[0], Number(choice.split('=')[1])]),
    );
    for (const name of names.filter((one) => !(one in row))) {
      const gains = (axes[name] ?? []).map(
        (_, index) =>
          Object.entries(row).filter(([other, at]) => open.has(pairOf(names, name, index, other, at))).length,
      );
      row[name] = gains.indexOf(Math.max(...gains));
    }
    for (const pair of pairsOf(names, (name) => [row[name] as number])) open.delete(pair);
    rows.push(row);
  }
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, axes[name]?.[row[name] as number]])));
}

function pairsOf(names: readonly string[], choices: (name: string) => readonly number[]): string[] {
  return names.flatMap((one, at) =>
    names
      .slice(at + 1)
      .flatMap((other) => choices(one).flatMap((a) => choices(other).map((b) => pairOf(names, one, a, other, b)))),
  );
}

/** The pair's name, in the order of the axes. */
function pairOf(names: readonly string[], one: string, a: number, other: string, b: number): string {
  const inOrder = names.indexOf(one) < names.indexOf(other);
  return inOrder ? `${one}=${a}&${other}=${b}` : `${other}=${b}&${one}=${a}`;
}
