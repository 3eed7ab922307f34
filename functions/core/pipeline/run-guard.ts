import type { JsonDocument } from '../base/json-document.ts';
import { CpuBudget, giveWayFor, runInSlices } from '../base/steps.ts';
import { answerDetectors, InspectedAnswer } from '../inspect/output/inspect-answer.ts';
import { type Policy, policyOf } from '../inspect/policy.ts';
import { Redaction } from '../inspect/redaction.ts';
import { NO_NEED } from '../limits/limits.ts';
import type { GuardRequest, GuardResult } from '../protocols/guard-schema.ts';
import { admitMeanwhile } from './admit.ts';
import { captureRequest } from './capture-request.ts';
import { closeExchange } from './close-exchange.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { noteFailure } from './exchange-failure.ts';
import { checkGuardRequest, coverageOf, inputOf, type Redacted, textsOf, toGuardResult } from './guard-request.ts';
import { judgeInput } from './judge-input.ts';
import { askAboutInput, awaitOutside, takeOutsideInput, withholds } from './outside-input.ts';
import { toQuestion } from './outside-output.ts';
import { readRequestFiles } from './read-request-files.ts';
import { readSuspicion } from './session-past.ts';
import { settleExchange } from './settle-exchange.ts';
import { withholdsUnfinished } from './unfinished.ts';

/**
 * Inspects a text, a conversation or an answer, and calls no provider. What would be blocked is told like anything else.
 * @throws GatewayError for a body that is none, and for a limit exceeded
 */
export async function runGuard(exchange: Exchange, document: JsonDocument, deps: PipelineDeps): Promise<GuardResult> {
  try {
    await giveWayFor(document, deps.scheduler);
    const body = checkGuardRequest(document);
    // What is kept is the key's to say, not its caller's.
    const own = exchange.key.policy;
    const policy = policyOf(body.policy === undefined ? own : { ...body.policy, capture: own.capture });
    const past = readSuspicion(exchange, deps);
    const inspected = await admitMeanwhile(exchange, NO_NEED, deps, async (refusal) => {
      const under = exchange.under(policy, deps);
      if (body.output !== undefined) return inspectOutput(exchange, body.output, body.system, policy, under, refusal);
      return inspectInput(exchange, document, body, past, policy, under, refusal);
    });
    const shown = await inspected();
    // Also a judgement that has no use for it belongs to its session.
    await past;
    exchange.outcome = 'completed';
    return toGuardResult(exchange.securityInfo(), shown);
  } catch (error) {
    throw noteFailure(exchange, error);
  } finally {
    if (exchange.outcome !== 'completed') exchange.abort.abort();
    settleExchange(exchange, deps);
    closeExchange(exchange, deps);
  }
}

/** Inspects, and gives what was sent once the outside detectors have had their say too. */
async function inspectInput(
  exchange: Exchange,
  document: JsonDocument,
  body: GuardRequest,
  past: Promise<number>,
  policy: Policy,
  deps: PipelineDeps,
  refusal: AbortSignal,
): Promise<() => Promise<Redacted>> {
  await giveWayFor(document, deps.scheduler);
  const read = await readRequestFiles(exchange, document, textsOf(body), deps);
  const redaction = new Redaction(exchange.placeholderScope);
  const { verdict, withheld } = await judgeInput(exchange, read, past, policy, redaction, deps, refusal);
  captureRequest(exchange, document, verdict);
  exchange.coverage.input.push(...coverageOf(body));
  const asked = withheld ? undefined : askAboutInput(exchange, verdict, deps);
  return async () => {
    await takeOutsideInput(exchange, asked, verdict, policy);
    return inputOf(document, verdict.edits);
  };
}

async function inspectOutput(
  exchange: Exchange,
  output: string,
  system: string | undefined,
  policy: Policy,
  { inspector, outside, scheduler, inspectionCpuMs }: PipelineDeps,
  refusal: AbortSignal,
): Promise<() => Promise<Redacted>> {
  const detectors = answerDetectors({ prompts: system ? [system] : [], known: [] }, policy);
  const answer = new InspectedAnswer(output, policy, exchange.report);
  const startedAt = exchange.monotonic();
  const budget = new CpuBudget(inspectionCpuMs, refusal);
  answer.add(await runInSlices(inspector.inspectSteps(output, 'output', detectors), scheduler, budget));
  exchange.spent('inspect', startedAt);
  refusal.throwIfAborted();
  if (budget.isSpent) withholdsUnfinished(exchange, ['output'], policy, inspectionCpuMs);
  exchange.coverage.output.push('output');
  const question = toQuestion(output, answer.findings, policy);
  const asked =
    exchange.report.action === 'block' ? undefined : outside?.ask([question], exchange.key.id, exchange.abort.signal);
  return async () => {
    if (asked !== undefined) {
      const { findings, failures } = await awaitOutside(exchange, asked);
      answer.add(question.inText(findings[0] ?? []));
      withholds(exchange, failures, policy);
    }
    return { output: answer.text };
  };
}
