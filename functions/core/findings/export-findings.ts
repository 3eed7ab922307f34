import { batchesOf } from '../base/batches.ts';
import type { Clock } from '../base/clock.ts';
import { StoreUnavailable } from '../base/errors.ts';
import { findingsEventSchema } from '../model/events.ts';
import { type OcsfFinding, toOcsf } from './to-ocsf.ts';

/** Behind it no call is begun: the rest comes again, and the function is not cut off in the middle. */
const WORK_MS = 30_000;

/** A queue's message: an event's JSON. */
export interface FindingsMessage {
  readonly id: string;
  readonly body: string;
}

export interface ExportDeps {
  readonly target: FindingTarget;
  readonly clock: Clock;
}

/**
 * Hands the findings of these messages to the target. A message comes again as a whole where one of its findings was not taken:
 * those that were are told twice, by the same ids. Where the target takes nothing it is not asked again.
 * @returns the errors of the messages that have to come again, by id
 */
export async function exportFindings(
  messages: readonly FindingsMessage[],
  deps: ExportDeps,
): Promise<ReadonlyMap<string, unknown>> {
  const { target, clock } = deps;
  const faults = new Map<string, unknown>();
  const messageOf = new Map<string, string>();
  for (const { id, body } of messages) {
    try {
      for (const finding of toOcsf(findingsEventSchema.parse(JSON.parse(body)))) {
        messageOf.set(JSON.stringify(finding), id);
      }
    } catch {
      // It quotes what it could not read.
      faults.set(id, new StoreUnavailable('the message is no event with findings'));
    }
  }
  const until = clock.monotonic() + WORK_MS;
  let fault: unknown;
  for (const batch of batchesOf([...messageOf.keys()], target.maxFindings, target.maxBytes)) {
    if (clock.monotonic() >= until) fault ??= new StoreUnavailable('findings: no time left');
    let left: readonly number[] = [];
    if (fault === undefined) {
      left = await target.send(batch.map((json) => JSON.parse(json) as OcsfFinding)).catch((error: unknown) => {
        fault = error;
        return [];
      });
    }
    const missing = fault === undefined ? left : batch.keys();
    for (const at of missing) {
      const id = messageOf.get(batch[at] as string) as string;
      if (!faults.has(id)) faults.set(id, fault ?? new StoreUnavailable('findings: not taken'));
    }
  }
  return faults;
}

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
