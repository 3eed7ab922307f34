import { randomHex } from '../crypto/index.ts';
import type { RequestHeaders } from './request-headers.ts';

/** The ids of a request in logs and responses. */
export interface RequestRef {
  readonly requestId: string;
  readonly traceId: string;
}

/** The trace of a request, and our span in it. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Our span: 16 hexadecimal digits. */
  readonly spanId: string;
  /** The parent span, of the caller or Lambda; null if the trace begins here. */
  readonly parentId: string | null;
  /** Whether the trace is sampled. */
  readonly sampled: boolean;
  readonly random: boolean;
  /** The caller's `tracestate`, to forward; null if there is none. */
  readonly state: string | null;
  /** X-Ray's trace of the same invocation if the caller sent another trace; else null. */
  readonly linked: { readonly traceId: string; readonly spanId: string } | null;
}

export interface TraceOrigin {
  readonly headers: RequestHeaders;
  /** X-Ray's header of the invocation, in Lambda. */
  readonly xrayHeader?: string | undefined;
  /** Whether to sample a trace that begins here. */
  readonly keeps: () => boolean;
}

/** The trace of an incoming request: the caller's, else X-Ray's if sampled, else a new one. */
export function beginTrace({ headers, xrayHeader, keeps }: TraceOrigin): RequestTrace {
  const asked = readTraceParent(headers.get('traceparent'));
  const xray = readXrayHeader(xrayHeader);
  const parent = asked ?? xray;
  if (parent === undefined) return newTrace(keeps());
  return {
    ...parent,
    spanId: newSpanId(),
    // `tracestate` is ignored without a valid traceparent.
    state: asked === undefined ? null : readTraceState(headers.get('tracestate')),
    linked: asked === undefined || xray === undefined ? null : { traceId: xray.traceId, spanId: xray.parentId },
  };
}

/** A trace that begins with the request. */
export function newTrace(sampled = false): RequestTrace {
  const traceId = randomHex(32);
  return { traceId, spanId: newSpanId(), parentId: null, sampled, random: true, state: null, linked: null };
}

/** Its digit 4 keeps it from being all 0, which is invalid. */
export function newSpanId(): string {
  return `4${randomHex(16).slice(1)}`;
}

/** The headers with which another service continues the trace as a child of the span. */
export function traceHeaders(
  { traceId, sampled, random, state }: RequestTrace,
  spanId: string,
): Record<string, string> {
  const traceparent = writeTraceParent({ traceId, parentId: spanId, sampled, random });
  // Vendors' states contain no spaces; a sentence does.
  return state === null || state.includes(' ') ? { traceparent } : { traceparent, tracestate: state };
}

/** W3C Trace Context, level 2 (https://www.w3.org/TR/trace-context-2/): the caller's trace. */
export interface TraceParent {
  /** 32 lower-case hexadecimal digits, not all 0. */
  readonly traceId: string;
  /** The caller's span: 16 hexadecimal digits, not all 0. */
  readonly parentId: string;
  /** Whether the caller sampled this trace. */
  readonly sampled: boolean;
  /** Whether the trace id's last seven bytes are random. */
  readonly random: boolean;
}

const TRACE_PARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const LENGTH = 55;
const ZEROS = /^0+$/;
const SAMPLED = 1;
const RANDOM = 2;

/**
 * Parses a `traceparent`; undefined if it is invalid. A higher version is parsed as version 00 if a dash follows that part (section
 * 4.3); `ff` is no version.
 */
export function readTraceParent(value: string | null): TraceParent | undefined {
  if (value === null) return undefined;
  const head = value.slice(0, LENGTH);
  const version = head.slice(0, 2);
  if (!TRACE_PARENT.test(head) || version === 'ff') return undefined;
  if (value.length > LENGTH && (version === '00' || value[LENGTH] !== '-')) return undefined;
  const traceId = head.slice(3, 35);
  const parentId = head.slice(36, 52);
  if (ZEROS.test(traceId) || ZEROS.test(parentId)) return undefined;
  const flags = Number.parseInt(head.slice(53), 16);
  return { traceId, parentId, sampled: (flags & SAMPLED) !== 0, random: (flags & RANDOM) !== 0 };
}

/** A `traceparent` of version 00. */
export function writeTraceParent({ traceId, parentId, sampled, random }: TraceParent): string {
  const flags = (sampled ? SAMPLED : 0) | (random ? RANDOM : 0);
  return `00-${traceId}-${parentId}-0${flags}`;
}

/** The length that everyone must forward; longer ones are dropped. */
const MAX_STATE_CHARS = 512;
const MAX_MEMBERS = 32;
const KEY = /^[a-z0-9][a-z0-9_*/-]{0,255}$/;
const TENANT_KEY = /^[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}$/;
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** A `tracestate` to forward unchanged; null if it is absent, empty, too long or invalid. */
export function readTraceState(value: string | null): string | null {
  if (value === null || value.length > MAX_STATE_CHARS) return null;
  const members = value.split(',').map(trimBlanks);
  const told = members.filter((member) => member !== '');
  if (told.length === 0 || told.length > MAX_MEMBERS) return null;
  const keys = new Set<string>();
  for (const member of told) {
    const equals = member.indexOf('=');
    const key = member.slice(0, Math.max(0, equals));
    if (!(KEY.test(key) || TENANT_KEY.test(key)) || !VALUE.test(member.slice(equals + 1)) || keys.has(key)) return null;
    keys.add(key);
  }
  return told.join(',');
}

/** Only spaces and tabs are whitespace in a header. */
function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text, from)) from += 1;
  while (to > from && isBlank(text, to - 1)) to -= 1;
  return text.slice(from, to);
}

function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}

const ROOT = /^1-([0-9a-f]{8})-([0-9a-f]{24})$/;
const PARENT = /^[0-9a-f]{16}$/;

/**
 * Parses X-Ray's tracing header, `Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1`, which Lambda sets for
 * each invocation; undefined if the trace is not sampled.
 * https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
export function readXrayHeader(value: string | undefined): TraceParent | undefined {
  const fields = new Map<string, string>();
  for (const field of value?.split(';') ?? []) {
    const equals = field.indexOf('=');
    if (equals > 0) fields.set(field.slice(0, equals).trim(), field.slice(equals + 1).trim());
  }
  const [, seconds, rest] = ROOT.exec(fields.get('Root') ?? '') ?? [];
  const parentId = fields.get('Parent') ?? '';
  if (seconds === undefined || !PARENT.test(parentId) || fields.get('Sampled') !== '1') return undefined;
  return { traceId: `${seconds}${rest}`, parentId, sampled: true, random: true };
}
