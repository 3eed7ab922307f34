import { decideRecorded, ruleOf } from '../inspection/index.ts';
import { type GatewayError, isProviderFailure, toGatewayError } from '../kernel/errors/index.ts';
import type { Admission } from './admit.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { rememberConversation, rememberTurn } from './remember.ts';
import { refOf } from './request-context.ts';
import { eventOf } from './request-events.ts';
import { stopFailure } from './request-lifetime.ts';
import { toRequestSummary } from './request-log.ts';
import type { Outcome, RunningRequest } from './request-outcome.ts';
import { callerOf, toRequestRecord } from './request-record.ts';
import { costInNanoUsd } from './usage-meter.ts';

type RecordDeps = Pick<
  PipelineDeps,
  'records' | 'captures' | 'sessions' | 'issuedIds' | 'log' | 'refusals' | 'clock' | 'backgroundTasks'
>;
type FinishDeps = RecordDeps & Pick<PipelineDeps, 'alarm' | 'router'>;

/** Adds a failure to the outcome. @returns the error for its caller; for a stopped request, the error of the stop */
export function addFailure({ lifetime, outcome }: RunningRequest, thrown: unknown): GatewayError {
  const stopped = stopFailure(lifetime);
  const failure = stopped ?? toGatewayError(thrown);
  const { code, status, internal, passedOn } = failure;
  if (stopped === undefined && (isProviderFailure(code) || passedOn !== undefined)) outcome.calls.brokenOff(failure);
  // A caller who disconnected gets no status, and no explanation.
  if (lifetime.stopped !== 'cancelled' || lifetime.stopMessage !== undefined) outcome.sentStatus(status);
  if (internal !== undefined) outcome.note(internal);
  // A response that had begun was served in part, whatever its provider's error.
  const isRefused = status < 500 && stopped === undefined && outcome.times.firstPieceMs === null;
  if (code === 'content_filter') outcome.endsAs('blocked', code);
  else outcome.endsAs(isRefused ? 'refused' : 'failed', code);
  return failure;
}

/** Ends and records a request that failed before its pipeline started, such as one with an invalid body. */
export function failRequest(request: RunningRequest, thrown: unknown, deps: RecordDeps): GatewayError {
  const failure = addFailure(request, thrown);
  storeRecord(request, deps);
  return failure;
}

/** Ends every request: ends its calls, settles its reservation, stores its record. */
export function finishRequest(request: RunningRequest, admission: Admission, deps: FinishDeps): void {
  const { context, lifetime, outcome } = request;
  // A stream without a reader ends without an error.
  if (lifetime.stopped !== undefined && outcome.ending === 'failed' && outcome.errorCode === null) {
    addFailure(request, undefined);
  }
  const isCompleted = outcome.ending === 'completed';
  if (!isCompleted) lifetime.abort();
  const { used, disbelieved } = outcome.usage.close(isCompleted);
  if (disbelieved !== undefined) deps.alarm.implausibleUsage(refOf(context), context.key.id, disbelieved);
  admission.settle({
    tokens: (used.inputTokens ?? 0) + (used.outputTokens ?? 0),
    nanoUsd: costInNanoUsd(outcome, used, context.models) ?? 0,
  });
  outcome.sums?.settle();
  if (isCompleted) countSpeed(outcome, deps);
  storeRecord(request, deps);
}

/** Counts how fast the target was that served the request. */
function countSpeed(
  { calls, times, usage }: RunningRequest['outcome'],
  { router }: Pick<PipelineDeps, 'router'>,
): void {
  const served = calls.list.at(-1);
  if (served === undefined || served.failure !== null) return;
  router.served(served, times.durationMs - served.fromMs, usage.reported?.outputTokens ?? 0);
}

/**
 * Stores the outcome of a request as a background task: its turn in its session, and one record with its event. Failures are logged; the
 * response stays valid.
 */
export function storeRecord(request: RunningRequest, deps: RecordDeps): void {
  request.outcome.times.end();
  request.lifetime.end();
  deps.backgroundTasks.add(store(request, deps));
}

async function store(request: RunningRequest, deps: RecordDeps): Promise<void> {
  if ((request.outcome.toolCalls?.calls.length ?? 0) > 0) await recordCalls(request, deps);
  addReported(request.outcome);
  const stored = Promise.all([writeRecord(request, deps), writeCapture(request, deps)]);
  await Promise.all([rememberTurn(request, deps), rememberConversation(request, deps)]);
  deps.log.record(toRequestSummary(request));
  await stored;
}

/** Of custom rules and topics, which each policy looks for itself. */
const OF_A_POLICY = /^(?:custom|topic)\//;

/** Adds what the shadow policy would have done with findings of outside detectors, unreadable files and changed definitions. */
function addReported({ inspection, recording: { shadow, shadowPolicy } }: Outcome): void {
  if (shadowPolicy === undefined) return;
  // Built-in rules read texts and calls, which are counted with these.
  const others = inspection.findings.threats.filter(
    ({ rule }) => !OF_A_POLICY.test(rule) && ruleOf(rule) === undefined,
  );
  shadow?.addReported(others, (threat) => decideRecorded(threat, shadowPolicy, ruleOf));
}

/** Adds the tool calls of the response to the capture, and to what the shadow policy would have done. */
async function recordCalls({ context, outcome }: RunningRequest, { log }: RecordDeps): Promise<void> {
  const { recording, toolCalls } = outcome;
  recording.transcript?.takeCalls(toolCalls?.calls ?? []);
  try {
    await toolCalls?.tallyShadow(recording.shadow);
  } catch (error) {
    log.lost(refOf(context), 'shadow', error);
  }
}

async function writeRecord(request: RunningRequest, deps: RecordDeps): Promise<void> {
  const { records, log, refusals, clock } = deps;
  try {
    await records.write(toRequestRecord(request), eventOf(request, refusals, clock.now()));
  } catch (error) {
    log.lost(refOf(request.context), 'record', error);
  }
}

async function writeCapture({ context, outcome }: RunningRequest, { captures, log }: RecordDeps): Promise<void> {
  const { transcript } = outcome.recording;
  if (transcript === undefined || transcript.kept === 'none') return;
  try {
    await captures.write(context.requestId, { ...transcript.toCapture(), ...callerOf(context) });
  } catch (error) {
    log.lost(refOf(context), 'capture', error);
  }
}
