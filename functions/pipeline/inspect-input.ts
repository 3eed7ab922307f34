import {
  type AskingRequest,
  decideSteps,
  describeSkipped,
  type Evidence,
  filesOf,
  gatherSteps,
  InputVerdict,
  isInspectedAsName,
  lastTurnScore,
  type OutsideDetectors,
  type OutsideResult,
  originalRanges,
  type Policy,
  type Redaction,
  readFiles,
  trustOf,
} from '../inspection/index.ts';
import { toParam } from '../kernel/errors/index.ts';
import { type JsonDocument, type RequestDocument, renderEdits, spliceJson } from '../kernel/json/index.ts';
import type { RequestTexts } from '../kernel/model/index.ts';
import { CpuBudget, giveWayFor, runInSlices } from '../kernel/tasks/index.ts';
import { awaitOutside, withholdsUnfinished, withholdsUninspected } from './incomplete-inspection.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { InspectionProgress } from './request-outcome.ts';
import type { Transcript } from './transcript.ts';

export type InputDeps = Pick<PipelineDeps, 'inspector' | 'documents' | 'scheduler' | 'inspectionCpuMs'>;

/** The input and its inspection settings. */
export interface InputInspection {
  readonly document: RequestDocument;
  /** The request's texts, and the parts that cannot be read. */
  readonly own: RequestTexts;
  /** The suspicion of the session's earlier turns (0..1); loaded while the texts are inspected. */
  readonly past: Promise<number>;
  readonly policy: Policy;
  readonly redaction: Redaction;
}

/** The findings in a request and the decisions on them. */
export interface InspectedInput {
  readonly verdict: InputVerdict;
  readonly evidence: readonly Evidence[];
  /** The texts, including those of files. */
  readonly texts: RequestTexts['texts'];
  /** Whether the CPU budget was used up before the end of inspection, and the policy blocks then. */
  readonly unfinished: boolean;
}

/**
 * Inspects the texts of a request and of its files.
 * @throws the reason of `refusal` once it is aborted; findings until then are in the report
 */
export async function inspectInput(
  progress: InspectionProgress,
  { document, own, past, policy, redaction }: InputInspection,
  deps: InputDeps,
  refusal: AbortSignal,
): Promise<InspectedInput> {
  const { scheduler, inspectionCpuMs } = deps;
  const { inspection, times } = progress;
  const { texts, skipped } = await withFiles(progress, document, own, deps);
  const startedAt = times.now;
  const budget = new CpuBudget(inspectionCpuMs, refusal);
  const { evidence, unfinished } = await runInSlices(gatherSteps(texts, deps.inspector), scheduler, budget);
  times.spent('inspect', startedAt);
  inspection.scored(lastTurnScore(evidence));
  const waitingSince = times.now;
  const suspicion = await past;
  times.spent('admit', waitingSince);
  const verdict = new InputVerdict(texts, policy, redaction, inspection.findings);
  const decidingSince = times.now;
  await runInSlices(decideSteps(evidence, suspicion, verdict), scheduler);
  refusal.throwIfAborted();
  verdict.addUnread(skipped);
  await runInSlices(verdict.redactSteps(), scheduler);
  times.spent('inspect', decidingSince);
  const places = unfinished.map(({ path }) => toParam(path));
  return {
    verdict,
    evidence,
    texts,
    unfinished: withholdsUnfinished(inspection, places, policy, inspectionCpuMs),
  };
}

/** The texts of a request and of its files; lists in `coverage` what cannot be read. */
async function withFiles(
  { inspection, times }: InspectionProgress,
  document: RequestDocument,
  own: RequestTexts,
  { documents, scheduler }: InputDeps,
): Promise<RequestTexts> {
  await giveWayFor(document, scheduler);
  const startedAt = times.now;
  const read = await readFiles(document.value, own, filesOf(document), documents, scheduler);
  times.spent('inspect', startedAt);
  for (const skipped of read.skipped) inspection.skipped(describeSkipped(skipped));
  return read;
}

/** Adds an inspected request to the transcript, if its policy captures texts. */
export function captureInput(transcript: Transcript | undefined, { text }: JsonDocument, verdict: InputVerdict): void {
  transcript?.takeRequest(text, () => spliceJson(text, verdict.hidingEdits));
}

/**
 * Starts the outside detectors for a request that passed the built-in rules; undefined if none is configured or the request is blocked. They
 * receive the request as the provider does, with redactions.
 */
export function askAboutInput(
  verdict: InputVerdict,
  request: AskingRequest,
  outside: OutsideDetectors | undefined,
): Promise<OutsideResult> | undefined {
  if (outside === undefined || verdict.blockedBy !== undefined) return undefined;
  const texts = verdict.texts.map(({ text, redactions, score, attackScore }) => ({
    // Outside detectors do not inspect names or stop sequences.
    text: isInspectedAsName(text) || text.isUnread ? '' : renderEdits(text.text, 0, redactions),
    surface: trustOf(text),
    score,
    attackScore,
  }));
  return outside.ask(texts, request);
}

/** Changes to a request by outside detectors. */
export interface OutsideInput {
  /** They added redactions to those of the verdict. */
  readonly redacts: boolean;
  /** A verdict is missing, and the policy blocks then. */
  readonly withheld: boolean;
}

/** Waits for the outside detectors, if they were called, and adds their findings to the verdict. */
export async function takeOutsideInput(
  { inspection, times }: InspectionProgress,
  asked: Promise<OutsideResult> | undefined,
  verdict: InputVerdict,
  policy: Policy,
): Promise<OutsideInput> {
  if (asked === undefined) return { redacts: false, withheld: false };
  const result = await awaitOutside(times, asked);
  let redacts = false;
  for (const [at, { text, redactions }] of verdict.texts.entries()) {
    const toOriginal = originalRanges(redactions);
    const original = (result.findings[at] ?? []).map((finding) => ({ ...finding, ...toOriginal(finding) }));
    if (verdict.add(text, original)) redacts = true;
  }
  return { redacts, withheld: withholdsUninspected(inspection, result.failures, policy) };
}
