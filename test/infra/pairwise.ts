/** Choices by their axis, the usual one first: `{stage: ['Development', 'Production'], tracing: [false, true]}`. */
export type Axes = Readonly<Record<string, readonly unknown[]>>;
export type Row = Readonly<Record<string, unknown>>;

/** Which choice of each axis, by its place. */
type Places = Readonly<Record<string, number>>;

/**
 * Rows in which any two choices of different axes meet at least once, as few as a greedy search finds: most faults of settings
 * are of two that do not get along. No row is among them that is not right. Left out are two choices that make no right row with
 * the usual choices of the other axes, nor with one of those changed. The same axes give the same rows.
 */
export function pairwise(axes: Axes, isRight: (row: Row) => boolean = () => true): Row[] {
  const names = Object.keys(axes);
  const choicesOf = (name: string) => [...(axes[name] ?? []).keys()];
  const rowOf = (places: Places): Row =>
    Object.fromEntries(names.map((name) => [name, axes[name]?.[places[name] ?? 0]]));
  const canBeRight = (places: Places): boolean => {
    const free = names.filter((name) => !(name in places));
    const changes: Places[] = [{}, ...free.flatMap((name) => choicesOf(name).map((at) => ({ [name]: at })))];
    return changes.some((change) => isRight(rowOf({ ...places, ...change })));
  };

  const open = new Map(pairsOf(names, choicesOf).map((pair) => [nameOf(pair), pair]));
  const rows: Row[] = [];
  for (const [name, pair] of open) {
    open.delete(name);
    if (!canBeRight(pair)) continue;
    let places: Places = pair;
    for (const axis of names.filter((one) => !(one in pair))) {
      const chosen = places;
      const gainOf = (at: number) =>
        Object.entries(chosen).filter(([other, place]) => open.has(nameOf({ [other]: place, [axis]: at }))).length;
      const possible = choicesOf(axis).filter((at) => canBeRight({ ...chosen, [axis]: at }));
      const best = possible.reduce((one, other) => (gainOf(other) > gainOf(one) ? other : one));
      places = { ...chosen, [axis]: best };
    }
    for (const met of pairsOf(names, (axis) => [places[axis] ?? 0])) open.delete(nameOf(met));
    rows.push(rowOf(places));
  }
  return rows;
}

function pairsOf(names: readonly string[], choicesOf: (name: string) => readonly number[]): Places[] {
  return names.flatMap((one, at) =>
    names
      .slice(at + 1)
      .flatMap((other) => choicesOf(one).flatMap((a) => choicesOf(other).map((b) => ({ [one]: a, [other]: b })))),
  );
}

/** The same in whichever order. */
function nameOf(pair: Places): string {
  return Object.entries(pair)
    .map(([axis, at]) => `${axis}=${at}`)
    .sort()
    .join('&');
}
