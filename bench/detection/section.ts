import type { Inspector } from '../../functions/inspection/inspector/index.ts';
import type { Families } from '../../training/read-sets.ts';
import type { Goal } from '../lib/goals.ts';

/** Input of the sections of bench/detection.md. */
export interface BenchContext {
  /** The data folder (docs/detection.md). */
  readonly data: string;
  readonly families: Families;
  /** The engine as deployed. */
  readonly inspector: Inspector;
  /** Ordinary texts by kind, for times. */
  readonly texts: ReadonlyMap<string, string>;
  /** What a section measures for the goals of bench/results.md. */
  readonly goals: Goal[];
}

/** A section of bench/detection.md: its name on the command line, and its Markdown from its `## ` heading on. */
export interface Section {
  readonly name: string;
  /** Needs no data folder. */
  readonly isSelfContained?: boolean;
  readonly write: (context: BenchContext) => string | Promise<string>;
}
