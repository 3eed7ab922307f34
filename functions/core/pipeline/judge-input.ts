import { toParam } from '../base/first-fault.ts';
import { CpuBudget, runInSlices } from '../base/steps.ts';
import type { Evidence } from '../inspect/fusion/evidence.ts';
import type { Policy } from '../inspect/policy.ts';
import type { Redaction } from '../inspect/redaction.ts';
import { gatherSteps } from '../inspect/requests/gather-evidence.ts';
import { decideSteps, InputVerdict, lastTurnScore } from '../inspect/requests/inspect-request.ts';
import type { RequestTexts } from '../inspect/requests/request-text.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { withholdsUnfinished } from './unfinished.ts';

/** What is done about a request, and everything found on the way there. */
export interface Judged {
  readonly verdict: InputVerdict;
  readonly evidence: readonly Evidence[];
  /** The CPU budget was used up before all was inspected, and the policy blocks then. */
  readonly withheld: boolean;
}

/**
 * Judges the texts of an exchange's request, and what in it cannot be read, in the light of its session's past, which is on its way meanwhile.
 * @throws the reason of `refusal` once that is aborted; what was found until then is in the report
 */
export async function judgeInput(
  exchange: Exchange,
  { texts, skipped }: RequestTexts,
  past: Promise<number>,
  policy: Policy,
  redaction: Redaction,
  { inspector, scheduler, inspectionCpuMs }: PipelineDeps,
  refusal: AbortSignal,
): Promise<Judged> {
  const startedAt = exchange.monotonic();
  const budget = new CpuBudget(inspectionCpuMs, refusal);
  const { evidence, unfinished } = await runInSlices(gatherSteps(texts, inspector), scheduler, budget);
  exchange.spent('inspect', startedAt);
  exchange.lastTurnScore = lastTurnScore(evidence);
  const waitingSince = exchange.monotonic();
  const suspicion = await past;
  exchange.spent('admit', waitingSince);
  const verdict = new InputVerdict(texts, policy, redaction, exchange.report);
  const decidingSince = exchange.monotonic();
  await runInSlices(decideSteps(evidence, suspicion, verdict), scheduler);
  refusal.throwIfAborted();
  verdict.addUnread(skipped);
  await runInSlices(verdict.redactSteps(), scheduler);
  exchange.spent('inspect', decidingSince);
  const withheld = withholdsUnfinished(
    exchange,
    unfinished.map(({ path }) => toParam(path)),
    policy,
    inspectionCpuMs,
  );
  return { verdict, evidence, withheld };
}
