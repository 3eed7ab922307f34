/** What is known of the earlier requests of a session. */
export interface CallMemory {
  /** Whether third parties' prose had a value before the user. */
  has(value: string): boolean;
  /** Whether a condition `after` of a rule has occurred; undefined if the session could not be read. */
  hasOccurred(condition: string): boolean | undefined;
}

/** What a request adds to that. */
export interface SessionNews {
  readonly seen: readonly string[];
  readonly typed: readonly string[];
  readonly occurred: readonly string[];
}
