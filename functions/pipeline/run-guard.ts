import { NO_NEED } from '../control/limits/index.ts';
import {
  InspectedResponse,
  type Policy,
  policyOf,
  type ReadText,
  Redaction,
  responseDetectors,
  underPolicy,
  withExamples,
} from '../inspection/index.ts';
import type { RequestDocument } from '../kernel/json/index.ts';
import { CpuBudget, giveWayFor, runInSlices } from '../kernel/tasks/index.ts';
import type { GuardRequest, GuardResult } from '../translation/protocols/inspection-schemas.ts';
import { Admission } from './admit.ts';
import { addFailure, finishRequest } from './finish-request.ts';
import {
  checkGuardRequest,
  coverageOf,
  inputOf,
  type Redacted,
  readOutput,
  readTexts,
  textsOf,
  toGuardResult,
} from './guard-request.ts';
import { awaitOutside, withholdsUnfinished, withholdsUninspected } from './incomplete-inspection.ts';
import { askAboutInput, captureInput, type InputDeps, inspectInput, takeOutsideInput } from './inspect-input.ts';
import { toQuestion } from './inspect-output.ts';
import { depsUnder, type PipelineDeps } from './pipeline-deps.ts';
import { placeholderScope } from './request-context.ts';
import { askingRequest, type RunningRequest, recordingUnder, securityInfo } from './request-outcome.ts';
import { joinSession } from './session-past.ts';
import type { Transcript } from './transcript.ts';

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
    const { shown, texts } = await finishInspection();
    // An inspection of output has no use for the score, but still joins its session.
    await past;
    outcome.endsAs('completed');
    const svc = securityInfo(context, outcome);
    const threats = withExamples(svc.detected_threats, texts, underPolicy(deps.inspector, policy, undefined), policy);
    return toGuardResult({ ...svc, detected_threats: threats }, shown);
  } catch (thrown) {
    throw addFailure(request, thrown);
  } finally {
    finishRequest(request, admission, deps);
  }
}

type GuardDeps = InputDeps & Pick<PipelineDeps, 'outside'>;

/** How a request is inspected. */
interface GuardStage {
  readonly policy: Policy;
  readonly past: Promise<number>;
  readonly transcript: Transcript | undefined;
  readonly refusal: AbortSignal;
  readonly admitted: Promise<void>;
}

/** The input with redactions, and its texts. */
interface Inspected {
  readonly shown: Redacted;
  readonly texts: readonly ReadText[];
}

/** Inspects the input. @returns a function that waits for the outside detectors and returns the redacted input */
async function inspectGivenInput(
  request: RunningRequest,
  document: RequestDocument,
  body: GuardRequest,
  { policy, past, transcript, refusal, admitted }: GuardStage,
  deps: GuardDeps,
): Promise<() => Promise<Inspected>> {
  const { context, outcome } = request;
  await giveWayFor(document, deps.scheduler);
  const redaction = new Redaction(placeholderScope(context));
  const input = { document, own: await runInSlices(textsOf(body), deps.scheduler), past, policy, redaction };
  const { verdict, texts, unfinished } = await inspectInput(outcome, input, deps, refusal);
  captureInput(transcript, document, verdict);
  outcome.inspection.inspectedInput(coverageOf(body));
  const asking = askingRequest(request, admitted);
  const asked = unfinished ? undefined : askAboutInput(verdict, asking, deps.outside);
  return async () => {
    await takeOutsideInput(outcome, asked, verdict, policy);
    return { shown: inputOf(document, verdict.edits), texts: readTexts(texts) };
  };
}

/** The same for a response that the caller received elsewhere. */
async function inspectGivenOutput(
  request: RunningRequest,
  output: string,
  system: string | undefined,
  { policy, refusal, admitted }: GuardStage,
  { inspector, outside, scheduler, inspectionCpuMs }: GuardDeps,
): Promise<() => Promise<Inspected>> {
  const { inspection, times } = request.outcome;
  const detectors = responseDetectors({ prompts: system ? [system] : [], known: [] }, policy);
  const response = new InspectedResponse(output, policy, inspection.findings);
  const startedAt = times.now;
  const budget = new CpuBudget(inspectionCpuMs, refusal);
  response.add(await runInSlices(inspector.inspectSteps(output, 'output', detectors), scheduler, budget));
  times.spent('inspect', startedAt);
  refusal.throwIfAborted();
  if (budget.isSpent) withholdsUnfinished(inspection, ['output'], policy, inspectionCpuMs);
  inspection.inspectedOutput('output');
  const question = toQuestion(output, response.findings, policy);
  const asking = askingRequest(request, admitted);
  const asked = inspection.findings.action === 'block' ? undefined : outside?.ask([question], asking);
  return async () => {
    if (asked !== undefined) {
      const { findings, failures } = await awaitOutside(times, asked);
      response.add(question.inText(findings[0] ?? []));
      withholdsUninspected(inspection, failures, policy);
    }
    return { shown: { output: response.text }, texts: [readOutput(output)] };
  };
}
