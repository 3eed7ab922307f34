import { NO_NEED } from '../control/limits/index.ts';
import {
  inspectInput,
  inspectResponse,
  type Policy,
  policyOf,
  Redaction,
  underPolicy,
  withExamples,
} from '../inspection/index.ts';
import type { RequestDocument } from '../kernel/json/index.ts';
import { CpuBudget, giveWayFor, runInSlices } from '../kernel/tasks/index.ts';
import { Admission } from './admit.ts';
import { addFailure, finishRequest } from './finish-request.ts';
import { checkGuardRequest, coverageOf, inputOf, type Redacted, textsOf, toGuardResult } from './guard-request.ts';
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
    const policy = policyOf(body.policy === undefined ? own : { ...body.policy, capture: own.capture });
    const past = outcome.joins(joinSession(context, outcome, deps));
    const finishInspection = await admission.during(NO_NEED, (refusal, admitted) => {
      const recording = recordingUnder(policy);
      outcome.recording = recording;
      const under = depsUnder(policy, context.key.id, recording.shadow, deps);
      const stage = { policy, past, transcript: recording.transcript, refusal, admitted };
      return body.output === undefined
        ? inspectGivenInput(request, document, body, stage, under)
        : inspectGivenOutput(request, body.output, body.system, stage, under);
    });
    const { shown, inspected } = await finishInspection();
    // An inspection of output has no use for the score, but still joins its session.
    await past;
    outcome.endsAs('completed');
    const svc = securityInfo(context, outcome);
    const inspector = underPolicy(deps.inspector, policy, undefined);
    const threats = withExamples(svc.detected_threats, inspected, inspector, policy);
    return toGuardResult({ ...svc, detected_threats: threats }, shown);
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
  readonly transcript: Transcript | undefined;
  readonly refusal: AbortSignal;
  readonly admitted: Promise<void>;
}

/** What was inspected, and it with redactions. */
interface Guarded {
  readonly shown: Redacted;
  readonly inspected: Parameters<typeof withExamples>[1];
}

/** Inspects the input. @returns a function that waits for the outside detectors and returns the redacted input */
async function inspectGivenInput(
  request: RunningRequest,
  document: RequestDocument,
  body: GuardRequest,
  { policy, past, transcript, refusal, admitted }: GuardStage,
  deps: InspectionDeps,
): Promise<() => Promise<Guarded>> {
  const { context, outcome } = request;
  await giveWayFor(document, deps.scheduler);
  const redaction = new Redaction(placeholderScope(context));
  const input = { document, own: await runInSlices(textsOf(body), deps.scheduler), past, policy, redaction };
  const inspected = await inspectInput(outcome, input, deps, refusal);
  captureInput(transcript, document, inspected);
  outcome.inspection.inspectedInput(coverageOf(body));
  const asked = inspected.ask(askingRequest(request, admitted), deps.outside);
  return async () => {
    await inspected.addOutside(outcome, asked);
    return { shown: inputOf(document, inspected.edits), inspected: inspected.texts };
  };
}

/** The same for a response that the caller received elsewhere. */
async function inspectGivenOutput(
  request: RunningRequest,
  output: string,
  system: string | undefined,
  { policy, refusal, admitted }: GuardStage,
  { inspector, outside, scheduler, inspectionCpuMs }: InspectionDeps,
): Promise<() => Promise<Guarded>> {
  const { inspection, times } = request.outcome;
  const context = { prompts: system ? [system] : [], known: [] };
  const startedAt = times.now;
  const budget = new CpuBudget(inspectionCpuMs, refusal);
  const steps = inspectResponse({ text: output, context }, policy, inspector, inspection);
  const response = await runInSlices(steps, scheduler, budget);
  times.spent('inspect', startedAt);
  refusal.throwIfAborted();
  if (budget.isSpent) response.addUnfinished(inspectionCpuMs);
  inspection.inspectedOutput('output');
  const asked = response.ask(askingRequest(request, admitted), outside);
  return async () => {
    await response.addOutside(request.outcome, asked);
    return { shown: { output: response.text }, inspected: { output, field: 'output' } };
  };
}
