import type { RoutedRequest } from '../../core/http/router.ts';
import type { StreamFraming } from '../../core/protocols/answer-format.ts';
import type { Protocol } from '../../core/protocols/protocol.ts';

/** How requests of a route are read, and answers to them written. */
export interface Speech<Body> {
  readonly framing: StreamFraming;
  /** What a request speaks. @throws GatewayError for an address that is none */
  spoken(routed: RoutedRequest): Spoken<Body>;
}

export interface Spoken<Body> {
  readonly protocol: Protocol<Body>;
  wantsStream(body: unknown): boolean;
  /** Whether a whole answer is text, where the protocol has such: what `svc` would say of it goes into headers. */
  isPlain?(body: unknown): boolean;
}

/** Asked for by the body's field `stream`. */
export function streamsByField(body: unknown): boolean {
  return (body as { stream?: unknown } | null)?.stream === true;
}
