/** Fields of a request that the gateway's own model has no place for, by their paths: `messages[1].audio`. */
export type Unplaced = Record<string, unknown>;

/** Notes the members of an object that are not `placed` under their paths; what is null says nothing. */
export function noteUnplaced(object: object, placed: ReadonlySet<string>, path: string, unplaced: Unplaced): void {
  for (const [name, value] of Object.entries(object)) {
    if (placed.has(name) || value == null) continue;
    unplaced[path === '' ? name : `${path}.${name}`] = value;
  }
}

/** Sets of names, written as words. */
export function namesByPlace<Place extends string>(
  places: Readonly<Record<Place, string>>,
): Readonly<Record<Place, ReadonlySet<string>>> {
  const sets = Object.entries<string>(places).map(([place, names]) => [place, new Set(names.split(' '))]);
  return Object.fromEntries(sets) as Record<Place, ReadonlySet<string>>;
}
