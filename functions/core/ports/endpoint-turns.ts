/** What is remembered of an endpoint from one turn to the next. */
export interface TurnState {
  /** Attempts that failed since the last one that did not. */
  readonly failures: number;
  /** Nothing is sent before, milliseconds since 1970. */
  readonly pausedUntilMs: number;
  /** When somebody looks again at the latest; in the past where nobody is told to. */
  readonly wakeAtMs: number;
}

/** The right to deliver to an endpoint, for one at a time. It ends by itself when its holder dies. */
export interface Turn {
  readonly state: TurnState;
  /** @returns whether somebody else wanted it meanwhile */
  end(state: TurnState): Promise<boolean>;
}

/** All throw StoreUnavailable when the store is out of reach. */
export interface EndpointTurns {
  /** @returns undefined where somebody has it, who is then told that it was wanted */
  take(webhookId: string): Promise<Turn | undefined>;
}

/** Has somebody look whether deliveries of an endpoint are due. At most 15 minutes from now. */
export interface EndpointWaker {
  wake(webhookId: string, delayMs: number): Promise<void>;
}
