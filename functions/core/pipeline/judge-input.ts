import type { Evidence } from '../inspect/fusion/evidence.ts';
import { gatherEvidence } from '../inspect/gather-evidence.ts';
import { decideRequest, InputVerdict, lastTurnScore } from '../inspect/inspect-request.ts';
import type { Policy } from '../inspect/policy.ts';
import type { Redaction } from '../inspect/redaction.ts';
import type { RequestText } from '../inspect/request-text.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';

/** What is done about a request, and everything found on the way there. */
export interface Judged {
  readonly verdict: InputVerdict;
  readonly evidence: readonly Evidence[];
}

/** Judges the texts of an exchange's request in the light of its session's past, which is on its way meanwhile. */
export async function judgeInput(
  exchange: Exchange,
  texts: readonly RequestText[],
  past: Promise<number>,
  policy: Policy,
  redaction: Redaction,
  { inspector }: PipelineDeps,
): Promise<Judged> {
  const evidence = exchange.timed('inspect', () => gatherEvidence(texts, inspector));
  exchange.lastTurnScore = lastTurnScore(evidence);
  const waitingSince = exchange.monotonic();
  const suspicion = await past;
  exchange.spent('admit', waitingSince);
  const verdict = new InputVerdict(texts, policy, redaction, exchange.report);
  exchange.timed('inspect', () => decideRequest(evidence, suspicion, verdict));
  return { verdict, evidence };
}
