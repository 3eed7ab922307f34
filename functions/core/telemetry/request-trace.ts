import { randomHex } from '../crypto/random-hex.ts';
import type { RequestHeaders } from '../http/request-headers.ts';
import { readTraceParent, readTraceState, writeTraceParent } from './trace-context.ts';
import { readXrayHeader } from './xray-header.ts';

/** How a request is told of in logs, and found by whoever has its answer. */
export interface RequestRef {
  readonly requestId: string;
  readonly traceId: string;
}

/** The trace that a request belongs to, and our span in it. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Our own span: 16 of them. */
  readonly spanId: string;
  /** The span that caused ours: the caller's, or Lambda's; null where the trace begins here. */
  readonly parentId: string | null;
  /** Whether the trace is kept. */
  readonly sampled: boolean;
  readonly random: boolean;
  /** What others in the trace passed on, to be passed on again; null for nothing. */
  readonly state: string | null;
  /** X-Ray's own trace of the same invocation, where the caller brought another; null elsewhere. */
  readonly linked: { readonly traceId: string; readonly spanId: string } | null;
}

export interface TraceOrigin {
  readonly headers: RequestHeaders;
  /** X-Ray's header of the invocation, where Lambda runs us. */
  readonly xrayHeader?: string | undefined;
  /** Whether a trace that begins here is kept. */
  readonly keeps: () => boolean;
}

/** The trace of a request that came in: the caller's, else X-Ray's where it keeps one, else a new one. */
export function beginTrace({ headers, xrayHeader, keeps }: TraceOrigin): RequestTrace {
  const asked = readTraceParent(headers.get('traceparent'));
  const xray = readXrayHeader(xrayHeader);
  const parent = asked ?? xray;
  if (parent === undefined) return newTrace(keeps());
  return {
    ...parent,
    spanId: newSpanId(),
    // Without a traceparent that can be read it belongs to nothing.
    state: asked === undefined ? null : readTraceState(headers.get('tracestate')),
    linked: asked === undefined || xray === undefined ? null : { traceId: xray.traceId, spanId: xray.parentId },
  };
}

/** A trace that begins with the request. */
export function newTrace(sampled = false): RequestTrace {
  const traceId = randomHex(32);
  return { traceId, spanId: newSpanId(), parentId: null, sampled, random: true, state: null, linked: null };
}

/** Its digit 4 keeps it from being all 0, which would be none. */
export function newSpanId(): string {
  return `4${randomHex(16).slice(1)}`;
}

/** The headers by which another service goes on with the trace, as a child of the span. */
export function traceHeaders(
  { traceId, sampled, random, state }: RequestTrace,
  spanId: string,
): Record<string, string> {
  const traceparent = writeTraceParent({ traceId, parentId: spanId, sampled, random });
  // Only a sentence has spaces there: no vendor's state does.
  return state === null || state.includes(' ') ? { traceparent } : { traceparent, tracestate: state };
}
