import { renderEdits } from '../base/text-edit.ts';
import type { OutsideAnswer, OutsideFailure } from '../inspect/outside/outside-judges.ts';
import type { Policy } from '../inspect/policy.ts';
import { type InputVerdict, trustOf } from '../inspect/requests/inspect-request.ts';
import { isNameOnly } from '../inspect/requests/names.ts';
import { originalRanges } from '../inspect/views/text-offsets.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';

/**
 * Begins to ask the outside detectors about a request that our own rules let pass; undefined where there is nothing to
 * ask. They see it as the provider will: with its redactions made.
 */
export function askAboutInput(
  exchange: Exchange,
  verdict: InputVerdict,
  { outside }: PipelineDeps,
): Promise<OutsideAnswer> | undefined {
  if (outside === undefined || verdict.blockedBy !== undefined) return undefined;
  const texts = verdict.texts.map(({ text, redactions, score }) => ({
    // No classifier is asked about names, or marks at which a model stops.
    text: isNameOnly(text) || text.isUnread ? '' : renderEdits(text.text, 0, redactions),
    surface: trustOf(text),
    score,
  }));
  return outside.ask(texts, exchange.key.id, exchange.abort.signal);
}

export interface OutsideInput {
  /** Redactions have come to those of the verdict. */
  readonly redacts: boolean;
  /** A judgement is missing, and the policy blocks then. */
  readonly withheld: boolean;
}

/** Waits for the outside judgements of a request, if any were asked for, and takes them into the verdict. */
export async function takeOutsideInput(
  exchange: Exchange,
  asked: Promise<OutsideAnswer> | undefined,
  verdict: InputVerdict,
  policy: Policy,
): Promise<OutsideInput> {
  if (asked === undefined) return { redacts: false, withheld: false };
  const answer = await awaitOutside(exchange, asked);
  let redacts = false;
  for (const [at, { text, redactions }] of verdict.texts.entries()) {
    const toOriginal = originalRanges(redactions);
    const original = (answer.findings[at] ?? []).map((finding) => ({ ...finding, ...toOriginal(finding) }));
    if (verdict.add(text, original)) redacts = true;
  }
  return { redacts, withheld: withholds(exchange, answer.failures, policy) };
}

/** The answer to a question that is on its way; the wait counts as time of ours. */
export async function awaitOutside(exchange: Exchange, asked: Promise<OutsideAnswer>): Promise<OutsideAnswer> {
  const since = exchange.monotonic();
  const answer = await asked;
  exchange.spent('outside', since);
  return answer;
}

/** Tells of missing judgements, and blocks for them where the policy asks for that. @returns whether it does */
export function withholds(exchange: Exchange, failures: readonly OutsideFailure[], policy: Policy): boolean {
  noteFailures(exchange, failures);
  if (failures.length === 0 || policy.onDetectorFailure === 'pass') return false;
  exchange.report.block();
  return true;
}

/** Tells of missing judgements in `coverage` and in the record. */
export function noteFailures(exchange: Exchange, failures: readonly OutsideFailure[]): void {
  for (const { detector, reason, detail } of failures) {
    const told = `${detector}: ${reason}`;
    exchange.skipped(told);
    exchange.detectorFailures.push(detail === null ? told : `${told} (${detail})`);
  }
}
