import { type GatewayError, isProviderFailure, toGatewayError } from '../base/errors.ts';
import type { Admission } from './admit.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { type RequestContext, refOf, stopFailure } from './request-context.ts';
import { eventOf } from './request-events.ts';
import { toRequestSummary } from './request-log.ts';
import { toRequestRecord } from './request-record.ts';
import { rememberConversation, rememberTurn } from './session-past.ts';
import { costInNanoUsd } from './usage-meter.ts';

/** Records a failed request. @returns the error for its caller; for a stopped request, the error of the stop */
export function recordFailure(context: RequestContext, thrown: unknown): GatewayError {
  const { record, lifetime } = context;
  const stopped = stopFailure(context);
  const failure = stopped ?? toGatewayError(thrown);
  const { code, status, internal, passedOn } = failure;
  if (stopped === undefined && (isProviderFailure(code) || passedOn !== undefined)) record.calls.brokenOff(failure);
  // A caller who disconnected gets no status, and no explanation.
  if (lifetime.stopped !== 'cancelled' || lifetime.stopMessage !== undefined) record.sentStatus(status);
  if (internal !== undefined) record.note(internal);
  // A response that had begun was served in part, whatever its provider's error.
  const isRefused = status < 500 && stopped === undefined && record.times.firstPieceMs === null;
  if (code === 'content_filter') record.failed('blocked', code);
  else record.failed(isRefused ? 'refused' : 'failed', code);
  return failure;
}

/** Ends and records a request that failed before its pipeline started, such as one with an invalid body. */
export function failRequest(context: RequestContext, thrown: unknown, deps: PipelineDeps): GatewayError {
  const failure = recordFailure(context, thrown);
  storeRecord(context, deps);
  return failure;
}

/** Ends every request: ends its calls, settles its reservation, stores its record. */
export function finishRequest(context: RequestContext, admission: Admission, deps: PipelineDeps): void {
  const { record, lifetime } = context;
  // A stream without a reader ends without an error.
  if (lifetime.stopped !== undefined && record.known.outcome === 'failed' && record.known.errorCode === null) {
    recordFailure(context, undefined);
  }
  const isCompleted = record.known.outcome === 'completed';
  if (!isCompleted) lifetime.abort();
  const { used, disbelieved } = record.usage.close(isCompleted);
  if (disbelieved !== undefined) deps.alarm.implausibleUsage(refOf(context), context.key.id, disbelieved);
  admission.settle({
    tokens: (used.inputTokens ?? 0) + (used.outputTokens ?? 0),
    nanoUsd: costInNanoUsd(record.known, used, deps.models) ?? 0,
  });
  storeRecord(context, deps);
}

/**
 * Stores the results of a request as a background task: its turn in its session, and one record with its event. Failures are logged; the
 * response stays valid.
 */
export function storeRecord(context: RequestContext, deps: PipelineDeps): void {
  context.record.times.end();
  context.lifetime.end();
  deps.backgroundTasks.add(store(context, deps));
}

async function store(context: RequestContext, deps: PipelineDeps): Promise<void> {
  const stored = Promise.all([writeRecord(context, deps), writeCapture(context, deps)]);
  await Promise.all([rememberTurn(context, deps), rememberConversation(context, deps)]);
  deps.log.record(toRequestSummary(context, deps.models));
  await stored;
}

async function writeRecord(context: RequestContext, deps: PipelineDeps): Promise<void> {
  const { records, models, log, refusals, clock } = deps;
  try {
    await records.write(toRequestRecord(context, models), eventOf(context, refusals, clock.now()));
  } catch (error) {
    log.lost(refOf(context), 'record', error);
  }
}

async function writeCapture(context: RequestContext, { captures, log }: PipelineDeps): Promise<void> {
  const { transcript } = context.record.known;
  if (transcript === undefined || transcript.kept === 'none') return;
  try {
    await captures.write(context.requestId, transcript.toCapture());
  } catch (error) {
    log.lost(refOf(context), 'capture', error);
  }
}
