/**
 * What an app answers, which an entry sends as its platform does. The web's own `Response` takes many times as long to make
 * and to take apart again.
 */
export interface OutgoingResponse<Body extends OutgoingBody = OutgoingBody> {
  readonly status: number;
  /** By names in lower case. The answer's own: whoever passes it on may add some. */
  readonly headers: Record<string, string>;
  /** Each a `Set-Cookie`; none where absent. */
  readonly cookies?: readonly string[];
  readonly body: Body;
}

/** Text is UTF-8. */
export type OutgoingBody = string | Uint8Array | BodyStream;

/** A body that comes piece by piece. */
export interface BodyStream extends AsyncIterable<string> {
  /** Its reader leaves, be it while he awaits a piece; once it is over, nothing happens. */
  return(): Promise<unknown>;
}

/** Whether a body comes piece by piece. */
export function isStream(body: OutgoingBody): body is BodyStream {
  return typeof body !== 'string' && !(body instanceof Uint8Array);
}
