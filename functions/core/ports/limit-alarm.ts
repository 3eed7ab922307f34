/** Told of what an operator must know of limits that could not be kept to the letter. Never throws. */
export interface LimitAlarm {
  /** A request was let through without limits: the store was out of reach, and its key asks for that. */
  admittedOpen(requestId: string, keyId: string, reason: string): void;
  /** What a request used is not counted; what it had reserved ends by itself. */
  unsettled(keyId: string, reason: string): void;
}
