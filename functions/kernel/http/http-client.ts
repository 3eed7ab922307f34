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
   * Never sent twice by the client. Other calls are sent again if a kept connection turns out to be closed, although the call may have
   * taken effect.
   */
  readonly once?: boolean;
  /** Called when the request is written to an open connection, before other work can run; at once if a new connection must be opened. */
  readonly onSent?: (() => void) | undefined;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body; throws HttpFailure if the connection breaks or is silent for too long. Abandoning it closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

export type HttpFailureReason = 'connect' | 'reset' | 'timeout' | 'aborted';

/** The call returned no complete response. `sent`: whether the request may have reached the server. */
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
