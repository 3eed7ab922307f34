import type { OcsfFinding } from '../findings/to-ocsf.ts';

/** Where findings go: a system that gathers them of many products. */
export interface FindingTarget {
  /** What one call takes. */
  readonly maxFindings: number;
  readonly maxBytes: number;
  /**
   * Hands over findings that one call takes. Throws StoreUnavailable where none was taken.
   * @returns which of them, by their place, were not taken
   */
  send(findings: readonly OcsfFinding[]): Promise<readonly number[]>;
}
