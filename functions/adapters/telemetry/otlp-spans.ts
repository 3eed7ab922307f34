import { newSpanId } from '../../core/base/request-trace.ts';
import { operationOf, providerNameOf } from '../../core/model/metric-names.ts';
import type { RequestSummary } from '../../core/pipeline/request-log.ts';
import type { ProviderCall } from '../../core/pipeline/request-times.ts';

/** An attribute as OTLP's JSON has it: 64-bit integers are texts. */
export interface Attribute {
  readonly key: string;
  readonly value:
    | { readonly stringValue: string }
    | { readonly intValue: string }
    | { readonly doubleValue: number }
    | { readonly boolValue: boolean };
}

/**
 * A span as OTLP's JSON has it: https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto.
 * Ids are hexadecimal there, not base64; enumerations are numbers.
 */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  /** The trace's own flags, and whether the parent is known to be elsewhere. */
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code: number };
}

const KIND = { internal: 1, server: 2, client: 3 } as const;
const FAILED = { code: 2 };
const FLAG = { sampled: 1, random: 2, parentKnown: 0x100, parentElsewhere: 0x200 } as const;
const PHASES = { auth: 'authenticate', admit: 'admit', inspect: 'inspect input', outside: 'ask outside detectors' };

type Value = string | number | boolean | null | undefined;

/** The spans of an exchange: its own, one for each phase and each call of a provider. No text, no name of an end user. */
export function toSpans(record: RequestSummary): OtlpSpan[] {
  const { trace, timeline } = record;
  const phases = Object.entries(timeline.spans).map(([phase, { fromMs, toMs }]) =>
    child(record, newSpanId(), KIND.internal, PHASES[phase as keyof typeof PHASES], fromMs, toMs, {}),
  );
  const calls = record.calls
    .filter(({ failure }) => failure?.type !== 'circuit_open')
    .map((call) => callSpan(record, call));
  const { parentId, state, linked } = trace;
  const own: OtlpSpan = {
    ...base(record, trace.spanId, KIND.server, `POST ${record.route}`, 0, record.durationMs),
    ...(parentId !== null && { parentSpanId: parentId }),
    ...(state !== null && { traceState: state }),
    flags: flagsOf(record) | (parentId === null ? 0 : FLAG.parentElsewhere),
    ...(linked !== null && { links: [linked] }),
    attributes: attributes({
      'http.request.method': 'POST',
      'http.route': record.route,
      'http.response.status_code': record.status,
      'error.type': record.outcome === 'failed' ? record.errorCode : null,
      'svc.request.id': record.requestId,
      'svc.key.id': record.keyId,
      'svc.environment': record.environment,
      'svc.outcome': record.outcome,
      'svc.action': record.action,
      'svc.threat_score': { double: record.threatScore },
      'svc.threats': Object.keys(record.threats).join(',') || null,
      'svc.limited': record.limited,
      'svc.processing_ms': { double: record.processingMs },
      'svc.output_inspection_ms': { double: timeline.outputMs },
    }),
    ...(record.outcome === 'failed' || record.outcome === 'expired' ? { status: FAILED } : {}),
  };
  return [own, ...phases, ...calls];
}

/** https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-spans.md */
function callSpan(record: RequestSummary, call: ProviderCall): OtlpSpan {
  const { failure } = call;
  const operation = operationOf(record.route);
  const answered = failure === null;
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteInputTokens } = record.usage ?? {};
  const span = child(record, call.spanId, KIND.client, `${operation} ${call.model}`, call.fromMs, call.toMs, {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': providerNameOf(call.provider),
    'gen_ai.request.model': call.model,
    'gen_ai.request.stream': record.stream ? true : null,
    'error.type': failure?.type,
    ...(answered && {
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
      'gen_ai.usage.cache_read.input_tokens': cachedInputTokens,
      'gen_ai.usage.cache_creation.input_tokens': cacheWriteInputTokens,
      'svc.cost_usd': record.costUsd === null ? null : { double: record.costUsd },
    }),
  });
  return answered ? span : { ...span, status: FAILED };
}

function child(
  record: RequestSummary,
  spanId: string,
  kind: number,
  name: string,
  fromMs: number,
  toMs: number | null,
  fields: Readonly<Record<string, Value | { readonly double: number }>>,
): OtlpSpan {
  return {
    ...base(record, spanId, kind, name, fromMs, toMs ?? record.durationMs),
    parentSpanId: record.trace.spanId,
    attributes: attributes(fields),
  };
}

function base(record: RequestSummary, spanId: string, kind: number, name: string, fromMs: number, toMs: number) {
  return {
    traceId: record.trace.traceId,
    spanId,
    flags: flagsOf(record),
    name,
    kind,
    startTimeUnixNano: toNanos(record.receivedAtMs, fromMs),
    endTimeUnixNano: toNanos(record.receivedAtMs, Math.max(fromMs, toMs)),
  };
}

function flagsOf({ trace }: RequestSummary): number {
  return (trace.sampled ? FLAG.sampled : 0) | (trace.random ? FLAG.random : 0) | FLAG.parentKnown;
}

/** Exact: a time since 1970 in nanoseconds is no safe number. */
function toNanos(receivedAtMs: number, afterMs: number): string {
  return String(BigInt(receivedAtMs) * 1_000_000n + BigInt(Math.round(afterMs * 1_000_000)));
}

/** What is not known is left out. */
function attributes(fields: Readonly<Record<string, Value | { readonly double: number }>>): Attribute[] {
  return Object.entries(fields).flatMap(([key, value]): Attribute[] => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    if (typeof value === 'object') return [{ key, value: { doubleValue: value.double } }];
    return [{ key, value: { intValue: String(value) } }];
  });
}
