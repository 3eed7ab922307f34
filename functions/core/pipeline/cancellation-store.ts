/** A stream by its request, and by the key that made it: nobody else's asking is ever seen. */
export interface StreamRef {
  readonly keyId: string;
  readonly requestId: string;
}

/** Where a process asks whichever other answers a stream to end it. Throws StoreUnavailable when the store cannot be reached in time. */
export interface CancellationStore {
  /** Asks for a stream to be ended; forgotten after that time. @returns whether that had been confirmed before */
  ask(stream: StreamRef, expiresAtMs: number): Promise<boolean>;
  /** Those of these streams that somebody asked for; what was asked in the last moments may be missing. */
  asked(streams: readonly StreamRef[], signal: AbortSignal): Promise<readonly StreamRef[]>;
  /** Tells whoever asked that the stream was ended. */
  confirm(stream: StreamRef): Promise<void>;
  /** Whether the stream was ended, as it stands now. */
  isConfirmed(stream: StreamRef): Promise<boolean>;
}
