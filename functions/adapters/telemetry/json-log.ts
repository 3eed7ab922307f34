import type { Approval } from '../../control/approvals/index.ts';
import type { AuditEntry } from '../../control/audit/index.ts';
import type { LimitAlarm } from '../../control/limits/index.ts';
import type { Delivery } from '../../control/webhooks/index.ts';
import type { GatewayError } from '../../kernel/errors/index.ts';
import type { FinishedRequest, RequestRef } from '../../kernel/http/index.ts';
import { type DeadReason, METRICS, operationOf } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { RequestLog, RequestOutcome, RequestSummary } from '../../pipeline/index.ts';
import { isEvidenceWritten, isWritten, type LogLevel, writeLine } from './logger.ts';
import {
  countOf,
  embedded,
  exchangeMetrics,
  type MetricSet,
  passToObserver,
  providerErrorOf,
  requestMetrics,
} from './metrics.ts';

/** Frequent health checks, only of interest when they fail. */
const PROBES: readonly (string | null)[] = ['/healthz', '/readyz'];

/** Levels of outcomes that need attention. */
const LEVELS: Partial<Record<RequestOutcome, LogLevel>> = { failed: 'ERROR', expired: 'WARN' };

interface Line {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: object;
  readonly metrics?: readonly MetricSet[];
  /** Written at every level where CloudWatch collects the log: it is evidence. */
  readonly always?: true;
}

/**
 * Writes one line per event to standard output, which Lambda and the local run collect. Lines below the log level are omitted, except
 * their metrics where CloudWatch extracts them.
 */
function write({ level, message, fields, metrics = [], always }: Line): void {
  passToObserver(metrics);
  const isListed = isWritten(level) || (always === true && isEvidenceWritten());
  const measured = isEvidenceWritten() && metrics.length > 0 ? embedded(metrics) : undefined;
  if (isListed) writeLine(level, message, measured === undefined ? fields : { ...fields, ...measured });
  else if (measured !== undefined) writeLine('INFO', 'metrics', measured);
}

/** Logs each request record with its metrics. Contains no end user: log lines cannot be deleted for one. */
export const jsonRequestLog: RequestLog = {
  record: (record) => {
    const { requestId, trace, calls } = record;
    for (const { provider, model, failure, head } of calls) {
      if (failure === null || failure.byCaller) continue;
      const fields = {
        requestId,
        traceId: trace.traceId,
        provider,
        model,
        ...failure,
        ...(head?.requestId != null && { upstreamRequestId: head.requestId }),
      };
      write({ level: 'WARN', message: 'provider failed', fields, metrics: providerErrorOf(provider, failure.type) });
    }
    write({
      level: LEVELS[record.outcome] ?? 'INFO',
      message: 'request',
      fields: fieldsOf(record),
      metrics: exchangeMetrics(record),
    });
  },
  lost: (request, what, error) =>
    write({
      level: 'ERROR',
      message: `${what} lost`,
      fields: { ...request, internal: reasonOf(error) },
      metrics: [countOf(METRICS.storeFailures), ...(what === 'record' ? [countOf(METRICS.recordsLost)] : [])],
    }),
};

/**
 * Each field is listed by name, so that no other can slip in. CloudWatch queries treat null as present, so fields that they test for
 * presence are omitted instead.
 */
function fieldsOf(record: RequestSummary): object {
  const { trace, calls, timeline, limited, costUsd, unknownCharges, judgeCostUsd, route, upstreamRequestId } = record;
  const { authMs, admitMs, inputMs, outputMs, outsideMs, providerMs } = timeline;
  return {
    traceId: trace.traceId,
    spanId: trace.spanId,
    ...(trace.linked !== null && { xrayTraceId: trace.linked.traceId }),
    requestId: record.requestId,
    route,
    keyId: record.keyId,
    keyLast4: record.keyLast4,
    ...record.caller,
    environment: record.environment,
    sessionId: record.sessionId,
    appVersion: record.appVersion,
    model: record.model,
    provider: record.provider,
    modelAtProvider: record.modelAtProvider,
    stream: record.stream,
    status: record.status,
    outcome: record.outcome,
    errorCode: record.errorCode,
    internal: record.internal,
    action: record.action,
    threatScore: record.threatScore,
    threats: record.threats,
    detectorFailures: record.detectorFailures,
    shadow: record.shadow,
    usage: record.usage,
    fallbacks: record.fallbacks,
    durationMs: record.durationMs,
    processingMs: record.processingMs,
    firstPieceMs: record.firstPieceMs,
    ...(upstreamRequestId !== null && { upstreamRequestId }),
    ...(limited !== null && { limited }),
    ...(costUsd !== null && { costUsd }),
    ...(unknownCharges.length > 0 && { unknownCharges }),
    ...(judgeCostUsd !== null && { judgeCostUsd }),
    attempts: calls.filter(({ isPassedBy }) => !isPassedBy).length,
    phasesMs: { authMs, admitMs, inputMs, outputMs, outsideMs, providerMs },
    'gen_ai.operation.name': operationOf(route),
  };
}

/** Logs a request without an exchange: another route, or an unauthenticated caller. */
export function logFinishedRequest(request: FinishedRequest): void {
  const level = PROBES.includes(request.route) && request.status < 500 ? 'DEBUG' : 'INFO';
  write({ level, message: 'request', fields: request, metrics: requestMetrics(request) });
}

/** Logs a request that failed on the gateway's side before it had a record. */
export function logError(request: RequestRef, error: GatewayError): void {
  const { code, status, internal = null } = error;
  write({ level: 'ERROR', message: 'error', fields: { ...request, code, status, internal } });
}

/** Logs that a tool call waits for a person, or was decided. */
export function logApproval({ id, keyId, state }: Pick<Approval, 'id' | 'keyId' | 'state'>): void {
  const metric = state === 'pending' ? METRICS.approvalsRequested : METRICS.approvalsDecided;
  write({ level: 'INFO', message: 'approval', fields: { approvalId: id, keyId, state }, metrics: [countOf(metric)] });
}

/** Logs how many tool calls wait for a person. */
export function logWaitingApprovals(count: number): void {
  const metrics: MetricSet[] = [{ dimensions: {}, metrics: [[METRICS.approvalsWaiting, 'Count', count]] }];
  write({ level: 'INFO', message: 'approvals waiting', fields: { count }, metrics });
}

/** Logs how much a container serves now, by the names of metrics. */
export function logRunning(counts: Readonly<Record<string, number>>): void {
  const metrics = Object.entries(counts).map(([name, count]) => [name, 'Count', count] as const);
  write({ level: 'INFO', message: 'running requests', fields: {}, metrics: [{ dimensions: {}, metrics }] });
}

/** Logs an alert that could not be evaluated, and keeps its state. */
export function logFailedAlert(alertId: string, error: unknown): void {
  const fields = { alertId, internal: reasonOf(error) };
  write({ level: 'WARN', message: 'alert not evaluated', fields, metrics: [countOf(METRICS.alertFailures)] });
}

/** Logs position, hash and kind of an audit record: someone who can rewrite the audit log cannot rewrite these lines. */
export function logAudit({ record: { seq, action, actor, target, from }, hash }: AuditEntry): void {
  const requestId = from?.requestId ?? null;
  // A person's address is only in the audit log.
  const who = actor.type === 'person' ? { type: actor.type, subject: actor.subject } : actor;
  const fields = { requestId, seq, hash, action, actor: who, target };
  write({ level: 'INFO', message: 'audit', fields, always: true });
}

export function logKeyCreationFailure(requestId: string, reason: string): void {
  write({ level: 'ERROR', message: 'first admin key not made', fields: { requestId, internal: reason } });
}

/** Logs a response that was sent but not stored for idempotent repetition. */
export function logLostResponse(request: RequestRef, error: unknown): void {
  const fields = { ...request, internal: reasonOf(error) };
  write({ level: 'ERROR', message: 'response not stored', fields, metrics: [countOf(METRICS.storeFailures)] });
}

/** Logs limits that were not enforced exactly: CloudWatch counts these lines. */
export const jsonLimitAlarm: LimitAlarm = {
  admittedWithoutLimits: (request, keyId, reason) =>
    write({
      level: 'ERROR',
      message: 'admitted without limits',
      fields: { ...request, keyId, internal: reason },
      metrics: [countOf(METRICS.admittedWithoutLimits)],
    }),
  implausibleUsage: (request, keyId, reported) =>
    write({ level: 'WARN', message: 'usage not believed', fields: { ...request, keyId, internal: reported } }),
  unsettled: (keyId, reason) =>
    write({
      level: 'ERROR',
      message: 'use not counted',
      fields: { keyId, internal: reason },
      metrics: [countOf(METRICS.unsettled)],
    }),
};

/** Logs provider settings that could not be read: the last ones stay in use. */
export function logUnreadableSettings({ message }: Error): void {
  write({ level: 'ERROR', message: 'settings not read', fields: { internal: message } });
}

/**
 * Logs, at most once a minute, that documents of the configuration cannot be read: a change is not in force here yet. Returns what to call with
 * a document's age in milliseconds.
 */
export function staleConfigurationLog({ monotonic }: Pick<Clock, 'monotonic'>): (ageMs: number) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (ageMs) => {
    if (monotonic() - loggedAt < 60_000) return;
    loggedAt = monotonic();
    const seconds = Math.round(ageMs / 1_000);
    const metrics: MetricSet[] = [{ dimensions: {}, metrics: [[METRICS.configurationLag, 'Seconds', seconds]] }];
    write({ level: 'ERROR', message: 'configuration not read', fields: { ageSeconds: seconds }, metrics });
  };
}

/** Logs that a provider refuses the new value of a rotated credential: the old one is used until its grace period ends. */
export function logRefusedCredential(credentialId: string, provider: string): void {
  write({ level: 'ERROR', message: 'rotated credential refused', fields: { credentialId, provider } });
}

/** Logs that there is no new access token of a credential; `secondsLeft` is how long its last one is valid. */
export function logFailedExchange(
  { id: credentialId, provider }: { readonly id: string; readonly provider: string },
  { message: internal }: Error,
  secondsLeft: number,
): void {
  const metrics: MetricSet[] = [
    { dimensions: {}, metrics: [[METRICS.credentialExpirySeconds, 'Seconds', secondsLeft]] },
  ];
  const fields = { credentialId, provider, secondsLeft, internal };
  write({ level: 'ERROR', message: 'no access token', fields, metrics });
}

/** Logs that the public keys of an issuer of tokens cannot be read: the last ones stay in use, and without any its tokens are refused. */
export function logUnreadableIssuer(issuer: string, reason: string): void {
  const metrics = [countOf(METRICS.issuerKeysUnreadable)];
  write({ level: 'ERROR', message: 'keys of an issuer not read', fields: { issuer, internal: reason }, metrics });
}

/** Logs spans that were not delivered, and why. */
export function logLostSpans(count: number, reason: string): void {
  const metrics: MetricSet[] = [{ dimensions: {}, metrics: [[METRICS.spansLost, 'Count', count]] }];
  write({ level: 'WARN', message: 'spans lost', fields: { count, internal: reason }, metrics });
}

/** Logs a webhook delivery that is given up: CloudWatch counts these lines. */
export function logDeadDelivery({ id, webhookId, eventId }: Delivery, reason: DeadReason): void {
  const fields = { deliveryId: id, webhookId, eventId, reason };
  write({ level: 'ERROR', message: 'delivery given up', fields, metrics: [countOf(METRICS.deadDeliveries)] });
}

/** Logs a run of the synthetic check; a failed one with its reasons. */
export function logSyntheticCheck({
  failures,
  durationMs,
}: {
  readonly failures: readonly string[];
  readonly durationMs: number;
}): void {
  const metrics: MetricSet = {
    dimensions: {},
    metrics: [
      [METRICS.syntheticCheckSucceeded, 'Count', failures.length === 0 ? 1 : 0],
      [METRICS.syntheticCheckDuration, 'Milliseconds', durationMs],
    ],
  };
  const level = failures.length === 0 ? 'INFO' : 'ERROR';
  write({ level, message: 'synthetic check', fields: { durationMs, failures }, metrics: [metrics] });
}

/** Logs a queue message that will be redelivered. */
export function logFailedMessage(messageId: string, error: unknown): void {
  write({ level: 'ERROR', message: 'message failed', fields: { messageId, internal: reasonOf(error) } });
}

/** Logs a stream record, or an event of it, that can never be processed: the others of its shard must not wait for it. */
export function logSkippedRecord(position: string, error: unknown): void {
  const fields = { position, internal: reasonOf(error) };
  write({ level: 'ERROR', message: 'record skipped', fields, metrics: [countOf(METRICS.skippedRecords)] });
}

/** Logs that requests of a batch have a tag with a new value, or name, that totals do not distinguish on that day. */
export function logUncountedTags(tag: string, requests: number): void {
  const metrics = [countOf(METRICS.uncountedTags, requests)];
  write({ level: 'WARN', message: 'tag not counted by value', fields: { tag, requests }, metrics });
}

/** Logs a stream record that will be redelivered. */
export function logFailedRecord(position: string, error: unknown): void {
  write({ level: 'ERROR', message: 'record failed', fields: { position, internal: reasonOf(error) } });
}

export function logFailedInvocation(error: unknown): void {
  write({ level: 'ERROR', message: 'invocation failed', fields: { internal: reasonOf(error) } });
}

/** Logs an error that no code caught, before the process ends. Its message is not logged: it may quote a request or a response. */
export function logProcessFault(error: unknown): void {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  const fields = { error: wordOf(name) ?? typeof error, code: wordOf(code), stack: framesOf(error) };
  write({ level: 'ERROR', message: 'process failed', fields });
}

/** The name or code of an error; null for other text. */
function wordOf(text: unknown): string | null {
  return typeof text === 'string' && /^\w{1,64}$/.test(text) ? text : null;
}

/** The lines of an error's stack that name places in code, without its message. */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return [];
  const { stack, message } = error;
  const start = /^[\w$.]*(?: \[\w+\])?(?:: )?/.exec(stack)?.[0].length ?? 0;
  const frames = stack.slice(start + message.length);
  // The message was changed since: where it ends in the stack is unknown.
  if (!stack.startsWith(message, start) || !/^(?:\n|$)/.test(frames)) return [];
  const lines = frames.split('\n');
  return lines.filter((line) => /^ {4}at \S/.test(line)).map((line) => line.trim());
}

function reasonOf(error: unknown): string {
  // The message of a JSON.parse error quotes the input.
  if (error instanceof SyntaxError) return error.name;
  return error instanceof Error ? error.message : typeof error;
}
