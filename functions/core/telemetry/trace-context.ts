/** W3C Trace Context, level 2 (https://www.w3.org/TR/trace-context-2/): what a caller says of the trace that a request belongs to. */
export interface TraceParent {
  /** 32 lower-case hexadecimal digits, not all 0. */
  readonly traceId: string;
  /** The caller's span: 16 of them, not all 0. */
  readonly parentId: string;
  /** Whether the caller keeps this trace. */
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
 * Reads a `traceparent`; undefined where it is none, and a new trace begins. A version above ours is read as ours where it begins so and
 * goes on with a dash (section 4.3); `ff` is no version.
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

/** What everybody must pass on at least; what is longer is dropped. */
const MAX_STATE_CHARS = 512;
const MAX_MEMBERS = 32;
const KEY = /^[a-z0-9][a-z0-9_*/-]{0,255}$/;
const TENANT_KEY = /^[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}$/;
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Reads a `tracestate`, to be passed on as it is; null where it is absent, empty, too long or none: then all of it is dropped. */
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

/** Spaces and tabs alone are blanks in a header. */
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
