/** The rows in order of `by`; rows without a value are last in both directions, equal ones keep their order. */
export function sortRows<T>(rows: readonly T[], by: (row: T) => string | number | null, isDescending: boolean): T[] {
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [by(a), by(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)));
  });
}
