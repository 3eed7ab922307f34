import type { Inspector } from '../../functions/inspection/inspector/index.ts';
import type { Families } from '../../training/read-sets.ts';

/** Input of the sections of bench/detection.md. */
export interface BenchContext {
  /** The data folder (docs/detection.md). */
  readonly data: string;
  readonly families: Families;
  /** The engine as deployed. */
  readonly inspector: Inspector;
  /** Ordinary texts by kind, for times. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A section of bench/detection.md: its name on the command line, and its Markdown from its `## ` heading on. */
export interface Section {
  readonly name: string;
  /** Needs no data folder. */
  readonly isSelfContained?: boolean;
  readonly write: (context: BenchContext) => string | Promise<string>;
}
