/** A column of a chart: its time, the value of each series under its id, and an `id` where two may have one time. */
export interface Point {
  readonly time: string;
  readonly [series: string]: number | string | null;
}

export interface Series {
  readonly id: string;
  readonly name: string;
  /** A CSS colour. */
  readonly color: string;
}

export function keyOfPoint(point: Point): string {
  return String(point.id ?? point.time);
}
