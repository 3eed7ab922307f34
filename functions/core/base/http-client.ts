export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Longest wait for the response's head, milliseconds. */
  readonly headTimeoutMs: number;
  /** Longest silence between two pieces of the body, milliseconds. */
  readonly idleTimeoutMs: number;
  /**
   * Never sent twice by the client itself. Others go once more where a kept connection turns out to be closed, though the call may
   * have been done on it.
   */
  readonly once?: boolean;
  /** Ends the call from outside. */
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body; throws HttpFailure when the connection breaks or falls silent. Abandoning it closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

export type HttpFailureReason = 'connect' | 'reset' | 'timeout' | 'aborted';

/** The call did not give a (whole) response. `sent` tells whether the request may have reached the other side. */
export class HttpFailure extends Error {
  readonly reason: HttpFailureReason;
  readonly sent: boolean;

  constructor(reason: HttpFailureReason, sent: boolean, options?: ErrorOptions) {
    super(`http call failed: ${reason}`, options);
    this.name = 'HttpFailure';
    this.reason = reason;
    this.sent = sent;
  }
}

/** Outgoing HTTP. Follows no redirects. Throws HttpFailure. */
export interface HttpClient {
  send(request: HttpRequest): Promise<HttpResponse>;
}
