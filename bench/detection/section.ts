import type { Inspector } from '../../functions/core/inspect/inspector.ts';
import type { Families } from '../../training/read-sets.ts';

/** What a section of bench/detection.md is made from. */
export interface BenchContext {
  /** The data folder (docs/detection.md). */
  readonly data: string;
  readonly families: Families;
  /** The engine as it is deployed. */
  readonly inspector: Inspector;
}

/** A section of bench/detection.md: what it is called on the command line, and its Markdown, heading included. */
export interface Section {
  readonly name: string;
  readonly write: (context: BenchContext) => string | Promise<string>;
}
