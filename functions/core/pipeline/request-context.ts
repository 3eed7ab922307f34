import type { Clock } from '../base/clock.ts';
import { GatewayError } from '../base/errors.ts';
import type { RequestHeaders } from '../base/request-headers.ts';
import { arrivalOf } from '../base/request-id.ts';
import { newTrace, type RequestRef, type RequestTrace } from '../base/request-trace.ts';
import type { SealerFor } from '../base/response-sealer.ts';
import { type ErrorShape, openAiError } from '../http/responses.ts';
import type { AskingRequest } from '../inspect/outside/outside-detectors.ts';
import type { TagLimit } from '../limits/tag-budgets.ts';
import type { ApiKey } from '../model/api-key.ts';
import type { SecurityInfo } from '../model/threat.ts';
import { RecordBuilder } from './record-builder.ts';

/** Headers by which a caller tags a request. */
export interface Tracking {
  readonly sessionId: string | null;
  readonly endUserId: string | null;
  readonly environment: string | null;
  readonly appVersion: string | null;
}

const NO_TRACKING: Tracking = { sessionId: null, endUserId: null, environment: null, appVersion: null };

/** Constant data of one request, known once its key is. Only `record` and `lifetime` have state. */
export interface RequestContext {
  readonly requestId: string;
  /** The path of its route. */
  readonly route: string;
  readonly key: ApiKey;
  readonly trace: RequestTrace;
  readonly errorShape: ErrorShape;
  readonly tracking: Tracking;
  /** Encrypts what is stored for the caller, with the API key that they presented; absent without one. */
  readonly sealerFor?: SealerFor | undefined;
  /** Whether a field without an equivalent at the provider is an error, and not dropped with a warning. */
  readonly strictTranslation: boolean;
  /** The budgets that the key shares with others. */
  readonly tagLimits: readonly TagLimit[];
  /** When the request arrived, milliseconds since 1970: the time in its id. */
  readonly receivedAt: number;
  readonly lifetime: RequestLifetime;
  /** Collects what the stages report. */
  readonly record: RecordBuilder;
}

/** @param fields `startedAt`: when the request arrived, monotonic milliseconds; without `trace`, a new trace starts */
export function createRequestContext(fields: {
  readonly requestId: string;
  readonly route: string;
  readonly key: ApiKey;
  readonly clock: Clock;
  readonly startedAt: number;
  readonly errorShape?: ErrorShape | undefined;
  readonly trace?: RequestTrace;
  readonly tracking?: Tracking;
  readonly tagLimits?: readonly TagLimit[];
}): RequestContext {
  const { requestId, route, key, clock, startedAt, tracking = NO_TRACKING, tagLimits = [] } = fields;
  const record = new RecordBuilder(clock, startedAt);
  return {
    requestId,
    route,
    key,
    trace: fields.trace ?? newTrace(),
    errorShape: fields.errorShape ?? openAiError,
    tracking,
    strictTranslation: false,
    tagLimits,
    receivedAt: arrivalOf(requestId) ?? Math.round(clock.now() - record.times.since(startedAt)),
    lifetime: new RequestLifetime(),
    record,
  };
}

/** Why a request was stopped: its caller disconnected or cancelled it, its key is no longer valid, or it reached a time limit. */
export type StopReason = 'cancelled' | 'expired';

/** The request as outside detectors know it; `admitted` rejects if it is refused. */
export function askingRequest({ key, lifetime, record }: RequestContext, admitted: Promise<void>): AskingRequest {
  return { sender: key.id, signal: lifetime.signal, admitted, addCost: (nanoUsd) => record.judged(nanoUsd) };
}

/** The lifetime of a request, with the signal that ends its calls. */
export class RequestLifetime {
  private readonly controller = new AbortController();
  private reason: StopReason | undefined;
  private explanation: string | undefined;
  private hasEnded = false;
  private readonly callbacks: (() => void)[] = [];

  /** Aborted to end the provider's call early: the caller disconnected, a block, a failure. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Undefined for a request that was not stopped. */
  get stopped(): StopReason | undefined {
    return this.reason;
  }

  /** Why it was stopped, for its caller; undefined for the general message. */
  get stopMessage(): string | undefined {
    return this.explanation;
  }

  /** Stops the request; the first reason counts. */
  stop(reason: StopReason, message?: string): void {
    if (this.reason === undefined) this.explanation = message;
    this.reason ??= reason;
    this.controller.abort();
  }

  /** Ends the provider's call. */
  abort(): void {
    this.controller.abort();
  }

  /** Calls `run` once the request has ended; at once if it already has. */
  onEnd(run: () => void): void {
    if (this.hasEnded) run();
    else this.callbacks.push(run);
  }

  end(): void {
    this.hasEnded = true;
    for (const run of this.callbacks.splice(0)) run();
  }
}

/** The error of a stopped request; undefined for others. */
export function stopFailure({ lifetime: { stopped, stopMessage } }: RequestContext): GatewayError | undefined {
  if (stopped === undefined) return undefined;
  if (stopped === 'cancelled')
    return new GatewayError('request_cancelled', stopMessage ?? 'The request was cancelled.');
  const message = stopMessage ?? 'The response took longer than the gateway allows and was ended.';
  return new GatewayError('provider_timeout', message, {
    headers: { 'x-should-retry': 'false' },
  });
}

export function refOf({ requestId, trace }: RequestContext): RequestRef {
  return { requestId, traceId: trace.traceId };
}

/** The session that the caller names, or the one that was joined for the end user; null without one. */
export function sessionIdOf({ record: { session }, tracking }: RequestContext): string | null {
  return session !== undefined && 'sessionId' in session ? session.sessionId : tracking.sessionId;
}

/** The scope of placeholders: a session, or one end user's requests by this key. Secret like the key's hash. */
export function placeholderScope({ key, tracking: { sessionId, endUserId } }: RequestContext): string {
  return JSON.stringify([key.secretHash, sessionId, sessionId === null ? endUserId : null]);
}

/** The current object `svc` of the response. */
export function securityInfo(context: RequestContext): SecurityInfo {
  const { requestId, record } = context;
  return {
    threat_score: record.report.threatScore,
    detected_threats: record.report.shownThreats,
    processing_time_ms: record.times.ownMs,
    action: record.report.action,
    request_id: requestId,
    session_id: sessionIdOf(context),
    coverage: record.coverage,
    ...(record.known.warnings.length > 0 && { warnings: record.known.warnings }),
  };
}

/** At most 256 visible ASCII characters, spaces between them. */
const VISIBLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/;

/** The tags of a request. @throws GatewayError `invalid_value` with the name of the header */
export function readTracking(headers: RequestHeaders): Tracking {
  return {
    sessionId: readNameHeader(headers, 'X-Session-ID'),
    endUserId: readNameHeader(headers, 'X-End-User-ID') ?? readNameHeader(headers, 'X-User-ID'),
    environment: readNameHeader(headers, 'X-Environment'),
    appVersion: readNameHeader(headers, 'X-App-Version'),
  };
}

/** Whether `X-Svc-Translation` is `strict`; `lenient` is the default. @throws GatewayError `invalid_value` for anything else */
export function readStrictTranslation(headers: RequestHeaders): boolean {
  const name = 'X-Svc-Translation';
  const value = headers.get(name)?.toLowerCase() || 'lenient';
  if (value === 'strict' || value === 'lenient') return value === 'strict';
  throw new GatewayError('invalid_value', `The header ${name} must be lenient or strict.`, { param: name });
}

/** A name in a header; null if it is absent or empty. @throws GatewayError `invalid_value` with the name of the header */
export function readNameHeader(headers: RequestHeaders, name: string): string | null {
  const value = headers.get(name);
  return value === null || value === '' ? null : checkName(`The header ${name}`, value, name);
}

/** Checks a name that a caller chose. @throws GatewayError `invalid_value` if it is too long or not visible ASCII */
export function checkName(what: string, value: string, param = what): string {
  if (VISIBLE.test(value)) return value;
  throw new GatewayError('invalid_value', `${what} must be at most 256 visible ASCII characters.`, { param });
}
