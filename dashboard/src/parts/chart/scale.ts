/** Steps between lines of a scale that read well: 1, 2 or 5 of a power of ten. */
const STEPS = [1, 2, 5, 10];

/** Values for the lines of a scale, from 0 to at least `max`, `count` parts at most; whole numbers where asked. */
export function niceTicks(max: number, count: number, isWhole: boolean): number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((factor) => factor * power >= rough) ?? 10) * power;
  const shown = isWhole ? Math.max(1, step) : step;
  // What floating point adds is taken off: 0.1 + 0.2 is no label.
  return Array.from({ length: Math.ceil(max / shown) + 1 }, (_, at) => Number((at * shown).toPrecision(12)));
}

export interface Segment {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** The values of a column one on the other, in the order of `ids`; what is unknown or 0 is left out. */
export function stack(point: Readonly<Record<string, unknown>>, ids: readonly string[]): Segment[] {
  let top = 0;
  return ids.flatMap((id) => {
    const value = point[id];
    if (typeof value !== 'number' || value <= 0) return [];
    const from = top;
    top += value;
    return [{ id, from, to: top }];
  });
}

/** Every how many columns one may have a label, so that each has `minPx` of room. */
export function labelEvery(columns: number, widthPx: number, minPx: number): number {
  return Math.max(1, Math.ceil((columns * minPx) / Math.max(1, widthPx)));
}
