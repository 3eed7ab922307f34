import type { RequestDocument } from '../base/request-document.ts';
import { CpuBudget, giveWayFor, runInSlices } from '../base/steps.ts';
import { underPolicy } from '../inspect/custom-rules/policy-inspector.ts';
import { type ReadText, withExamples } from '../inspect/documented-examples.ts';
import { InspectedResponse, responseDetectors } from '../inspect/output/inspect-response.ts';
import { type Policy, policyOf } from '../inspect/policy.ts';
import { Redaction } from '../inspect/redaction.ts';
import { NO_NEED } from '../limits/limits.ts';
import type { GuardRequest, GuardResult } from '../protocols/inspection-schemas.ts';
import { Admission } from './admit.ts';
import { finishRequest, recordFailure } from './finish-request.ts';
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
import { askAboutInput, captureInput, inspectInput, takeOutsideInput } from './inspect-input.ts';
import { toQuestion } from './inspect-output.ts';
import { depsUnder, type PipelineDeps } from './pipeline-deps.ts';
import { askingRequest, placeholderScope, type RequestContext, securityInfo } from './request-context.ts';
import { readSuspicion } from './session-past.ts';

/**
 * Inspects a text, a conversation or a response without calling a provider. What a policy would block is reported, not blocked.
 * @throws GatewayError for an invalid body, and for an exceeded limit
 */
export async function runGuard(
  context: RequestContext,
  document: RequestDocument,
  deps: PipelineDeps,
): Promise<GuardResult> {
  const admission = new Admission(context, deps);
  try {
    await giveWayFor(document, deps.scheduler);
    const body = checkGuardRequest(document);
    // The key's policy, not the caller's, decides on capture.
    const own = context.key.policy;
    const policy = policyOf(body.policy === undefined ? own : { ...body.policy, capture: own.capture });
    const past = readSuspicion(context, deps);
    const finishInspection = await admission.during(NO_NEED, (refusal, admitted) => {
      const under = depsUnder(policy, context, deps);
      return body.output === undefined
        ? inspectGivenInput(context, document, body, { past, policy }, under, { refusal, admitted })
        : inspectGivenOutput(context, body.output, body.system, policy, under, { refusal, admitted });
    });
    const { shown, texts } = await finishInspection();
    // An inspection of output has no use for the score, but still joins its session.
    await past;
    context.record.ended('completed');
    const svc = securityInfo(context);
    const threats = withExamples(svc.detected_threats, texts, underPolicy(deps.inspector, policy, undefined), policy);
    return toGuardResult({ ...svc, detected_threats: threats }, shown);
  } catch (thrown) {
    throw recordFailure(context, thrown);
  } finally {
    finishRequest(context, admission, deps);
  }
}

/** The pending admission of a request. */
interface AdmissionState {
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
  context: RequestContext,
  document: RequestDocument,
  body: GuardRequest,
  { past, policy }: { readonly past: Promise<number>; readonly policy: Policy },
  deps: PipelineDeps,
  { refusal, admitted }: AdmissionState,
): Promise<() => Promise<Inspected>> {
  await giveWayFor(document, deps.scheduler);
  const redaction = new Redaction(placeholderScope(context));
  const input = { document, own: await runInSlices(textsOf(body), deps.scheduler), past, policy, redaction };
  const { verdict, texts, unfinished } = await inspectInput(context, input, deps, refusal);
  captureInput(context, document, verdict);
  context.record.inspectedInput(coverageOf(body));
  const asked = unfinished ? undefined : askAboutInput(context, verdict, admitted, deps);
  return async () => {
    await takeOutsideInput(context, asked, verdict, policy);
    return { shown: inputOf(document, verdict.edits), texts: readTexts(texts) };
  };
}

/** The same for a response that the caller received elsewhere. */
async function inspectGivenOutput(
  context: RequestContext,
  output: string,
  system: string | undefined,
  policy: Policy,
  { inspector, outside, scheduler, inspectionCpuMs }: PipelineDeps,
  { refusal, admitted }: AdmissionState,
): Promise<() => Promise<Inspected>> {
  const { record } = context;
  const detectors = responseDetectors({ prompts: system ? [system] : [], known: [] }, policy);
  const response = new InspectedResponse(output, policy, record.report);
  const startedAt = record.times.now;
  const budget = new CpuBudget(inspectionCpuMs, refusal);
  response.add(await runInSlices(inspector.inspectSteps(output, 'output', detectors), scheduler, budget));
  record.times.spent('inspect', startedAt);
  refusal.throwIfAborted();
  if (budget.isSpent) withholdsUnfinished(context, ['output'], policy, inspectionCpuMs);
  record.inspectedOutput('output');
  const question = toQuestion(output, response.findings, policy);
  const request = askingRequest(context, admitted);
  const asked = record.report.action === 'block' ? undefined : outside?.ask([question], request);
  return async () => {
    if (asked !== undefined) {
      const { findings, failures } = await awaitOutside(context, asked);
      response.add(question.inText(findings[0] ?? []));
      withholdsUninspected(context, failures, policy);
    }
    return { shown: { output: response.text }, texts: [readOutput(output)] };
  };
}
