import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { findingsEventSchema } from '../../kernel/model/index.ts';
import { batchesOf, type Clock } from '../../kernel/tasks/index.ts';
import { type OcsfFinding, toOcsf } from './to-ocsf.ts';

/** After it no call starts: the other messages are redelivered, and the function is not stopped during a call. */
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
 * Sends the findings of these messages to the target. If one finding is not accepted, its whole message is redelivered: the accepted ones
 * are sent twice, with the same ids. After a call that accepts nothing, no further call is made.
 * @returns the errors of the messages to redeliver, by id
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
      const findings = toOcsf(findingsEventSchema.parse(JSON.parse(body))).map((finding) => JSON.stringify(finding));
      // The target would refuse the whole call.
      const isTooLong = findings.some((json) => Buffer.byteLength(json) > target.maxFindingBytes);
      if (isTooLong) faults.set(id, new StoreUnavailable('findings: too long for the target'));
      else for (const json of findings) messageOf.set(json, id);
    } catch {
      // The parser's message quotes the text.
      faults.set(id, new StoreUnavailable('the message is not an event with findings'));
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
      if (!faults.has(id)) faults.set(id, fault ?? new StoreUnavailable('findings: not accepted'));
    }
  }
  return faults;
}

/** The target of findings, such as a SIEM. */
export interface FindingTarget {
  /** The limits of one call. */
  readonly maxFindings: number;
  readonly maxBytes: number;
  /** The limit of one finding's JSON. */
  readonly maxFindingBytes: number;
  /**
   * Sends findings within the limits of one call. Throws StoreUnavailable if none was accepted.
   * @returns the indexes of those that were not accepted
   */
  send(findings: readonly OcsfFinding[]): Promise<readonly number[]>;
}
