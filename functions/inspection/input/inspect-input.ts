import { toParam } from '../../kernel/errors/index.ts';
import type { RequestDocument } from '../../kernel/json/index.ts';
import type { RequestTexts } from '../../kernel/model/index.ts';
import { CpuBudget, giveWayFor, runInSlices, type Scheduler } from '../../kernel/tasks/index.ts';
import { gatherEvidence, gatherSteps } from '../across-texts/index.ts';
import { type DocumentReader, describeSkipped, filesOf, readFiles, readTextFiles } from '../files/index.ts';
import type { TextInspector } from '../matching/index.ts';
import type { Policy, Redaction } from '../policy/index.ts';
import { type InspectionProgress, type InspectionReport, withholdsUnfinished } from '../report/index.ts';
import { decideRequest, decideSteps, lastTurnScore } from './decide-input.ts';
import { InputVerdict } from './input-verdict.ts';
import { InspectedInput } from './inspected-input.ts';

/** What inspections of requests share. */
export interface InputDeps {
  readonly inspector: TextInspector;
  /** Reads PDFs and office documents; absent if they are not read. */
  readonly documents?: DocumentReader | undefined;
  readonly scheduler: Scheduler;
  /** CPU time limit for the inspection of one request. */
  readonly inspectionCpuMs: number;
}

/** An input and its inspection settings. */
export interface Input {
  /** Absent for texts outside of a request. */
  readonly document?: RequestDocument;
  /** The request's texts, and the parts that cannot be read. */
  readonly own: RequestTexts;
  readonly policy: Policy;
  readonly redaction: Redaction;
}

/** An input in a session. */
export interface SessionInput extends Input {
  readonly document: RequestDocument;
  /** The suspicion of the session's earlier turns (0..1); loaded while the texts are inspected. */
  readonly past: Promise<number>;
}

/**
 * Inspects the texts of a request and of its files, in slices.
 * @throws the reason of `refusal` once it is aborted; findings until then are in the report
 */
export async function inspectInput(
  progress: InspectionProgress,
  { document, own, past, policy, redaction }: SessionInput,
  deps: InputDeps,
  refusal?: AbortSignal,
): Promise<InspectedInput> {
  const { scheduler, inspectionCpuMs } = deps;
  const { inspection, times } = progress;
  const read = await withFiles(progress, document, own, deps);
  const startedAt = times.now;
  const budget = new CpuBudget(inspectionCpuMs, refusal);
  const { evidence, unfinished } = await runInSlices(gatherSteps(read.texts, deps.inspector), scheduler, budget);
  times.spent('inspect', startedAt);
  inspection.scored(lastTurnScore(evidence));
  const waitingSince = times.now;
  const suspicion = await past;
  times.spent('admit', waitingSince);
  const verdict = new InputVerdict(read.texts, policy, redaction, inspection.findings);
  const decidingSince = times.now;
  await runInSlices(decideSteps(evidence, suspicion, verdict), scheduler);
  refusal?.throwIfAborted();
  verdict.addUnread(read.skipped);
  await runInSlices(verdict.redactSteps(), scheduler);
  times.spent('inspect', decidingSince);
  const places = unfinished.map(({ path }) => toParam(path));
  const isWithheld = withholdsUnfinished(inspection, places, policy, inspectionCpuMs);
  return new InspectedInput(read, evidence, verdict, policy, isWithheld ? unfinished.map(({ path }) => path) : []);
}

/** The same at once, without a session, a time limit, PDFs and office documents. */
export function inspectInputNow(
  { document, own, policy, redaction }: Input,
  inspector: TextInspector,
  report: InspectionReport,
): InspectedInput {
  const read = document === undefined ? own : readTextFiles(document.value, own, filesOf(document));
  for (const skipped of read.skipped) report.skipped(describeSkipped(skipped));
  const verdict = new InputVerdict(read.texts, policy, redaction, report.findings);
  const evidence = gatherEvidence(read.texts, inspector);
  decideRequest(evidence, 0, verdict);
  verdict.addUnread(read.skipped);
  return new InspectedInput(read, evidence, verdict, policy);
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
