import type { RequestRef } from '../telemetry/request-trace.ts';

/** Told of what an operator must know of limits that could not be kept to the letter. Never throws. */
export interface LimitAlarm {
  /** A request was let through without limits: the store was out of reach, and its key asks for that. */
  admittedOpen(request: RequestRef, keyId: string, reason: string): void;
  /** A provider told a usage that is not possible: only so much of it is counted. */
  notBelieved(request: RequestRef, keyId: string, told: string): void;
  /** What requests of a key used is not counted; what they had reserved ends by itself. */
  unsettled(keyId: string, reason: string): void;
}
