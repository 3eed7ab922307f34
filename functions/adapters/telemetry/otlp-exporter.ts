import { setTimeout } from 'node:timers/promises';
import { type HttpClient, HttpFailure, newSpanId } from '../../kernel/http/index.ts';
import { operationOf, providerNameOf } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { ProviderCall, RequestSummary } from '../../pipeline/index.ts';
import { readText } from '../http/incoming-body.ts';

/** Time limit of an export; an invocation lasts at most this much longer. */
const DEADLINE_MS = 2_000;
const MAX_BATCH = 512;
/** Maximum number of waiting spans; further spans are lost. */
export const MAX_WAITING = 2_048;
/** Attempts for a batch that the receiver may accept later. */
const ATTEMPTS = 3;
const FIRST_QUIET_MS = 1_000;
const LONGEST_QUIET_MS = 60_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
/** https://opentelemetry.io/docs/specs/otlp/#failures-1 */
const PASSING: readonly number[] = [429, 502, 503, 504];

interface OtlpExporterOptions {
  /** The receiver's base URL, or its URL for traces. */
  readonly endpoint: string;
  /** Authentication headers; called for each batch. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** How long spans wait for a batch, in milliseconds. */
  readonly lingerMs: number;
  /** The sender: `service.name` and similar. */
  readonly resource: Readonly<Record<string, string>>;
  /** Called for spans that were not delivered. */
  readonly onLost: (spans: number, reason: string) => void;
}

/**
 * Sends spans of exchanges to an OpenTelemetry receiver, as JSON over HTTP, in batches and one at a time. Failures never reach the request:
 * spans wait in a bounded queue, and lost ones are counted. A failing receiver is paused for up to a minute, so that functions do not wait
 * for it in every request.
 */
export class OtlpExporter {
  private readonly options: OtlpExporterOptions;
  private readonly url: string;
  private waiting: OtlpSpan[] = [];
  private sending: Promise<void> | undefined;
  private failures = 0;
  private quietUntil = 0;

  constructor(options: OtlpExporterOptions) {
    this.options = options;
    this.url = tracesUrl(options.endpoint);
  }

  /** Resolves once the spans are sent, lost, or wait for a later batch; never rejects. Unsampled traces have no spans. */
  add(record: RequestSummary): Promise<void> {
    if (!record.trace.sampled) return Promise.resolve();
    const spans = toSpans(record);
    if (this.waiting.length + spans.length > MAX_WAITING) {
      this.options.onLost(spans.length, 'too many waiting');
      return Promise.resolve();
    }
    this.waiting.push(...spans);
    this.sending ??= this.send();
    return this.sending;
  }

  private async send(): Promise<void> {
    const { lingerMs, clock, onLost } = this.options;
    await setTimeout(lingerMs);
    while (this.waiting.length > 0 && clock.monotonic() >= this.quietUntil) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      const failure = await this.post(batch);
      if (failure === undefined) {
        this.failures = 0;
        continue;
      }
      this.failures += 1;
      this.quietUntil = clock.monotonic() + Math.min(LONGEST_QUIET_MS, FIRST_QUIET_MS * 2 ** (this.failures - 1));
      if (failure.passes && this.failures < ATTEMPTS) this.waiting.unshift(...batch);
      else onLost(batch.length, failure.reason);
    }
    this.sending = undefined;
  }

  /** How the export failed, and whether a retry may succeed; undefined on success. */
  private async post(spans: readonly OtlpSpan[]): Promise<{ reason: string; passes: boolean } | undefined> {
    const { headers, http } = this.options;
    try {
      const { status, body } = await http.send({
        method: 'POST',
        url: this.url,
        headers: { ...(await headers()), 'content-type': 'application/json' },
        body: JSON.stringify(toExport(spans, this.options.resource)),
        headTimeoutMs: DEADLINE_MS,
        idleTimeoutMs: DEADLINE_MS,
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const response = await readText(body, MAX_RESPONSE_BYTES);
      if (status < 200 || status > 299) return { reason: `status ${status}`, passes: PASSING.includes(status) };
      this.countRejected(response);
      return undefined;
    } catch (error) {
      // A possible duplicate is up to the receiver: spans have ids.
      const reason = error instanceof HttpFailure ? error.message : error instanceof Error ? error.name : typeof error;
      return { reason, passes: true };
    }
  }

  /** A receiver may accept a batch partially. */
  private countRejected(response: string): void {
    const rejected = rejectedIn(response);
    if (rejected > 0) this.options.onLost(rejected, 'rejected by the receiver');
  }
}

/** The body of an export: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export function toExport(spans: readonly OtlpSpan[], resource: Readonly<Record<string, string>>): object {
  const attributes = Object.entries(resource).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'svc' }, spans }] }] };
}

function rejectedIn(response: string): number {
  try {
    return Number(JSON.parse(response).partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}

/** Same rule as in OpenTelemetry's own exporters. */
function tracesUrl(endpoint: string): string {
  const base = endpoint.replace(/\/$/, '');
  return base.endsWith('/v1/traces') ? base : `${base}/v1/traces`;
}

/** An attribute in OTLP JSON: 64-bit integers are strings. */
interface Attribute {
  readonly key: string;
  readonly value:
    | { readonly stringValue: string }
    | { readonly intValue: string }
    | { readonly doubleValue: number }
    | { readonly boolValue: boolean };
}

/**
 * A span in OTLP JSON: https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto. Ids are
 * hexadecimal, not base64; enumerations are numbers.
 */
interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  /** The trace flags, and whether the parent is known to be remote. */
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

/** The spans of an exchange: the request, each phase, and each provider call. They contain no text and no end user. */
export function toSpans(record: RequestSummary): OtlpSpan[] {
  const { trace, timeline } = record;
  const phases = Object.entries(timeline.spans).map(([phase, { fromMs, toMs }]) =>
    child(record, newSpanId(), KIND.internal, PHASES[phase as keyof typeof PHASES], fromMs, toMs, {}),
  );
  const calls = record.calls.filter(({ isPassedBy }) => !isPassedBy).map((call) => callSpan(record, call));
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
      ...callerAttributes(record.caller),
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

function callerAttributes({ teamId, identity, tags, requestTags }: RequestSummary['caller']): Record<string, Value> {
  const named = Object.entries({ ...tags, ...requestTags }).map(([name, value]) => [`svc.tag.${name}`, value]);
  return {
    'svc.team.id': teamId,
    'svc.identity.issuer': identity?.issuer,
    'svc.identity.subject': identity?.subject,
    ...Object.fromEntries(named),
  };
}

/** https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-spans.md */
function callSpan(record: RequestSummary, call: ProviderCall): OtlpSpan {
  const { failure } = call;
  const operation = operationOf(record.route);
  const succeeded = failure === null;
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteInputTokens } = record.usage ?? {};
  const span = child(record, call.spanId, KIND.client, `${operation} ${call.model}`, call.fromMs, call.toMs, {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': providerNameOf(call.provider),
    'gen_ai.request.model': call.model,
    'gen_ai.request.stream': record.stream ? true : null,
    'error.type': failure?.type,
    ...(succeeded && {
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
      'gen_ai.usage.cache_read.input_tokens': cachedInputTokens,
      'gen_ai.usage.cache_creation.input_tokens': cacheWriteInputTokens,
      'svc.cost_usd': record.costUsd === null ? null : { double: record.costUsd },
      'svc.unknown_charges': record.unknownCharges.length === 0 ? null : record.unknownCharges.join(' '),
    }),
  });
  return succeeded ? span : { ...span, status: FAILED };
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

/** Exact: nanoseconds since 1970 exceed safe integers. */
function toNanos(receivedAtMs: number, afterMs: number): string {
  return String(BigInt(receivedAtMs) * 1_000_000n + BigInt(Math.round(afterMs * 1_000_000)));
}

/** Unknown values are omitted. */
function attributes(fields: Readonly<Record<string, Value | { readonly double: number }>>): Attribute[] {
  return Object.entries(fields).flatMap(([key, value]): Attribute[] => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    if (typeof value === 'object') return [{ key, value: { doubleValue: value.double } }];
    return [{ key, value: { intValue: String(value) } }];
  });
}
