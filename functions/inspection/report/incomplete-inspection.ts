import type { OutsideFailure, OutsideResult } from '../outside/index.ts';
import type { Policy } from '../policy/index.ts';
import type { InspectionTimes } from './inspection-progress.ts';
import type { InspectionReport } from './inspection-report.ts';

/** Maximum places named in `coverage`; the number of others is added. */
const MAX_NAMED = 20;

/**
 * Records that texts of a request were not inspected completely because the CPU budget was used up: in `coverage`, in the record and as a
 * flag.
 * @returns whether the policy blocks the request
 */
export function withholdsUnfinished(
  inspection: InspectionReport,
  places: readonly string[],
  policy: Policy,
  limitMs: number,
): boolean {
  if (places.length === 0) return false;
  const reason = `not inspected in full within ${limitMs} ms of CPU time`;
  for (const place of places.slice(0, MAX_NAMED)) inspection.skipped(`${place}: ${reason}`);
  if (places.length > MAX_NAMED) inspection.skipped(`${places.length - MAX_NAMED} more texts: ${reason}`);
  inspection.detectorFailed(`inspection: ${reason}`);
  return blocksOrFlags(inspection, policy);
}

/** Records that the inspection of a response used up its CPU budget. @returns whether the policy ends the response there */
export function withholdsCostlyOutput(inspection: InspectionReport, policy: Policy, limitMs: number): boolean {
  const reason = `inspection took more than ${limitMs} ms of CPU time`;
  inspection.skipped(`output: ${reason}`);
  inspection.detectorFailed(`output: ${reason}`);
  return blocksOrFlags(inspection, policy);
}

function blocksOrFlags({ findings }: InspectionReport, { onUnfinishedInspection }: Policy): boolean {
  const blocks = onUnfinishedInspection === 'block';
  if (blocks) findings.block();
  else findings.flag();
  return blocks;
}

/** Waits for outside detectors; the wait counts as our own time. */
export async function awaitOutside(times: InspectionTimes, asked: Promise<OutsideResult>): Promise<OutsideResult> {
  const since = times.now;
  const result = await asked;
  times.spent('outside', since);
  return result;
}

/** Records failures of outside detectors. @returns whether the policy blocks for them */
export function withholdsUninspected(
  inspection: InspectionReport,
  failures: readonly OutsideFailure[],
  { onDetectorFailure }: Policy,
): boolean {
  recordOutsideFailures(inspection, failures);
  if (failures.every(({ isOptional }) => isOptional) || onDetectorFailure === 'pass') return false;
  inspection.findings.block();
  return true;
}

/** Records failures of outside detectors in `coverage` and in the record. */
export function recordOutsideFailures(inspection: InspectionReport, failures: readonly OutsideFailure[]): void {
  for (const { detector, reason, detail } of failures) {
    const what = `${detector}: ${reason}`;
    inspection.skipped(what);
    inspection.detectorFailed(what, detail);
  }
}
