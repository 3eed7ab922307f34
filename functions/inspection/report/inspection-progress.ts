import type { InspectionReport } from './inspection-report.ts';

/** Measures what a request waits for. */
export interface InspectionTimes {
  /** Monotonic, milliseconds. */
  readonly now: number;
  /** Counts the time since `startedAt` for this cause. */
  spent(cause: 'inspect' | 'admit' | 'outside', startedAt: number): void;
}

/** What the inspection of a request fills step by step, so that what it has done counts however the request ends. */
export interface InspectionProgress {
  readonly inspection: InspectionReport;
  readonly times: InspectionTimes;
}
