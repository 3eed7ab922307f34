import type { Ledger } from '../ledger.ts';

/** What one check found. */
export interface Finding {
  /** How many cases it looked at. */
  readonly checked: number;
  /** Cases that it could say nothing exact of, since something that excuses them came between; of those that were checked. */
  readonly excused: number;
  /** Each in a sentence. */
  readonly violations: readonly string[];
}

/** Something that has to hold after the soak, however it went. */
export interface Invariant {
  /** A sentence. */
  readonly name: string;
  /** Fewer cases than this in a minute of soaking prove nothing. */
  readonly least: number;
  check(ledger: Ledger): Finding;
}
