import type fc from 'fast-check';

/** A kind of cases, and what must hold for each of them. */
export interface FuzzTarget {
  readonly name: string;
  /** Its part of all cases. */
  readonly share: number;
  readonly property: fc.IAsyncProperty<unknown>;
}
