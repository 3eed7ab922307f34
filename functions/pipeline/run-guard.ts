import { NO_NEED } from '../control/limits/index.ts';
import { observedPolicy } from '../control/override/index.ts';
import {
  type CallInspector,
  inspectInput,
  type Policy,
  policyOf,
  Redaction,
  underPolicy,
  withExamples,
} from '../inspection/index.ts';
import type { RequestDocument } from '../kernel/json/index.ts';
import { CpuBudget, giveWayFor, runInSlices } from '../kernel/tasks/index.ts';
import { Admission } from './admit.ts';
import type { SessionPast } from './conversation.ts';
import { addFailure, finishRequest } from './finish-request.ts';
import { inspectGivenOutput } from './guard-output.ts';
import { checkGuardRequest, coverageOf, type Redacted, redactedOf, textsOf, toGuardResult } from './guard-request.ts';
import { inspectDefinitions } from './inspect-definitions.ts';
import type { GuardRequest, GuardResult } from './inspection-schemas.ts';
import { depsUnder, type InspectionDeps, type PipelineDeps } from './pipeline-deps.ts';
import { placeholderScope } from './request-context.ts';
import { askingRequest, type RunningRequest, recordingUnder, securityInfo } from './request-outcome.ts';
import { joinSession } from './session-past.ts';
import { captureInput, type Transcript } from './transcript.ts';

/**
 * Inspects a text, a conversation or a response without calling a provider. What a policy would block is reported, not blocked.
 * @throws GatewayError for an invalid body, and for an exceeded limit
 */
export async function runGuard(
  request: RunningRequest,
  document: RequestDocument,
  deps: PipelineDeps,
): Promise<GuardResult> {
  const { context, outcome } = request;
  const admission = new Admission(context, outcome, deps);
  outcome.admission = admission;
  try {
    await giveWayFor(document, deps.scheduler);
    const body = checkGuardRequest(document);
    // The key's policy, not the caller's, decides on capture.
    const own = context.key.policy;
    const given = body.policy === undefined ? own : { ...body.policy, capture: own.capture };
    const policy = policyOf(context.isObserved ? observedPolicy(given) : given);
    const joined = joinSession(context, outcome, deps);
    const past = outcome.joins(joined);
    const memory = joined.then((session) => session.memory);
    const finishInspection = await admission.during(NO_NEED, (refusal, admitted) => {
      const recording = recordingUnder(policy);
      outcome.recording = recording;
      const under = depsUnder(policy, context.key.id, recording.shadow, deps);
      const { transcript, shadow } = recording;
      const stage = { policy, past, memory, transcript, shadow, refusal, admitted };
      return body.output === undefined
        ? inspectInputOf(request, document, body, stage, under)
        : inspectOutputOf(request, document, body, stage, under);
    });
    const { shown, inspected, calls, learn } = await finishInspection();
    // An inspection of output has no use for the score, but still joins its session.
    await past;
    if (learn !== undefined) await outcome.learns(learn);
    outcome.endsAs('completed');
    const svc = securityInfo(context, outcome);
    const inspector = underPolicy(deps.inspector, policy, undefined);
    const threats = inspected.reduce(
      (listed, texts) => withExamples(listed, texts, inspector, policy),
      svc.detected_threats,
    );
    return toGuardResult({ ...svc, detected_threats: threats }, shown, calls);
  } catch (thrown) {
    throw addFailure(request, thrown);
  } finally {
    finishRequest(request, admission, deps);
  }
}

/** How a request is inspected. */
interface GuardStage {
  readonly policy: Policy;
  readonly past: Promise<number>;
  readonly memory: Promise<SessionPast['memory']>;
  readonly transcript: Transcript | undefined;
  readonly shadow: ReturnType<Policy['tallyShadow']>;
  readonly refusal: AbortSignal;
  readonly admitted: Promise<void>;
}

/** What was inspected, and it with redactions. */
interface Guarded {
  readonly shown: Redacted;
  readonly inspected: readonly Parameters<typeof withExamples>[1][];
  readonly calls?: GuardResult['calls'];
  readonly learn?: () => ReturnType<CallInspector['learn']>;
}

/** Inspects the input. @returns a function that waits for the outside detectors and returns the redacted input */
async function inspectInputOf(
  request: RunningRequest,
  document: RequestDocument,
  body: GuardRequest,
  { policy, past, transcript, refusal, admitted }: GuardStage,
  deps: PipelineDeps,
): Promise<() => Promise<Guarded>> {
  const { context, outcome } = request;
  const definitions = inspectDefinitions(outcome, { document, policy, keyId: context.key.id }, deps);
  definitions.catch(() => {});
  await giveWayFor(document, deps.scheduler);
  const redaction = new Redaction(placeholderScope(context));
  const input = { document, own: await runInSlices(textsOf(body), deps.scheduler), past, policy, redaction };
  const inspected = await inspectInput(outcome, input, deps, refusal);
  await definitions;
  captureInput(transcript, document, inspected);
  outcome.inspection.inspectedInput(coverageOf(body));
  const asked = inspected.ask(askingRequest(request, admitted), deps.outside);
  return async () => {
    await inspected.addOutside(outcome, asked);
    return { shown: redactedOf(document, inspected.edits), inspected: [inspected.texts] };
  };
}

/** The same for a response that the caller received elsewhere. */
async function inspectOutputOf(
  request: RunningRequest,
  document: RequestDocument,
  body: GuardRequest,
  { policy, memory, shadow, refusal, admitted }: GuardStage,
  { inspector, outside, scheduler, inspectionCpuMs }: InspectionDeps,
): Promise<() => Promise<Guarded>> {
  const { inspection: report, times } = request.outcome;
  const startedAt = times.now;
  const budget = new CpuBudget(inspectionCpuMs, refusal);
  const given = { policy, inspector, report, scheduler, budget, shadow, memory };
  const { response, ...inspected } = await inspectGivenOutput(body, given);
  times.spent('inspect', startedAt);
  refusal.throwIfAborted();
  if (budget.isSpent) response.addUnfinished(inspectionCpuMs);
  const addOutside = response.ask(askingRequest(request, admitted), outside, request.outcome);
  return async () => {
    await addOutside();
    return {
      shown: redactedOf(document, inspected.edits()),
      inspected: inspected.texts,
      calls: await inspected.calls(),
      learn: inspected.learn,
    };
  };
}
