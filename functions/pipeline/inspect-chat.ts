import {
  type AskingRequest,
  contextOf,
  createMarker,
  type OutsideResult,
  type Policy,
  plantedText,
  type Redaction,
  type ResponseContext,
} from '../inspection/index.ts';
import { editSteps, type JsonEdit, type RequestDocument } from '../kernel/json/index.ts';
import type { ChatRequest, RequestText } from '../kernel/model/index.ts';
import { giveWayFor, runInSlices } from '../kernel/tasks/index.ts';
import type { RequestReader } from '../translation/protocols/protocol.ts';
import {
  askAboutInput,
  captureInput,
  type InputDeps,
  type InspectedInput,
  inspectInput,
  takeOutsideInput,
} from './inspect-input.ts';
import { type Parsed, textsOf, withUnknown } from './parse-request.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { Plan } from './plan-request.ts';
import type { InspectionProgress } from './request-outcome.ts';
import type { Transcript } from './transcript.ts';

/** The request to the provider: with redactions and the canary. */
export interface Outgoing<Body> {
  readonly document: RequestDocument;
  readonly body: Body;
  readonly request: ChatRequest;
}

/** An inspected request, and what its provider gets. */
export interface InspectedChat<Body> {
  /** Why it is blocked; undefined if it is not. */
  readonly block: Block | undefined;
  readonly outgoing: Outgoing<Body>;
  /** What the response is compared with. */
  readonly compared: ResponseContext;
}

/** A blocked request. */
export interface Block {
  /** The field at fault; undefined if a verdict is missing. */
  readonly field: string | undefined;
  /** Whether inspecting it takes too much CPU time. */
  readonly isTooCostly: boolean;
}

export interface InputStage {
  readonly past: Promise<number>;
  readonly redaction: Redaction;
  readonly transcript: Transcript | undefined;
  /** The request as outside detectors know it. */
  readonly asking: AskingRequest;
}

/** An inspection that still waits for outside detectors. */
interface Pending<Body> extends Omit<InspectedChat<Body>, 'block'> {
  readonly inspected: InspectedInput;
  readonly outside: Promise<OutsideResult> | undefined;
  prepare(): Promise<Outgoing<Body>>;
}

/**
 * Inspects the input, calls the outside detectors, and prepares the request to the provider.
 * @returns a function that waits for the outside detectors and returns the result
 * @throws the reason of `refusal` once it is aborted
 */
export async function inspectChat<Body>(
  progress: InspectionProgress,
  plan: Plan<Body>,
  reader: RequestReader<Body>,
  stage: InputStage,
  deps: InputDeps & Pick<PipelineDeps, 'outside'>,
  refusal: AbortSignal,
): Promise<() => Promise<InspectedChat<Body>>> {
  const { document, body, policy, moderation } = plan.parsed;
  const { past, redaction, asking } = stage;
  await giveWayFor(document, deps.scheduler);
  const own = await runInSlices(textsOf(plan.parsed, reader), deps.scheduler);
  await giveWayFor(document, deps.scheduler);
  progress.inspection.inspectedInput(reader.covered(body, own.texts));
  const inspected = await inspectInput(progress, { document, own, past, policy, redaction }, deps, refusal);
  const { verdict, evidence, texts, unfinished } = inspected;
  moderation?.takeInput(evidence);
  const { planted, compared } = plantCanary(body, texts, reader, policy);
  const outside = refusal.aborted || unfinished ? undefined : askAboutInput(verdict, asking, deps.outside);
  const prepare = () => toOutgoing(plan, [...verdict.edits, ...planted, ...plan.edits], reader, deps);
  const pending = { inspected, compared, outside, prepare, outgoing: await prepare() };
  return () => withOutside(progress, pending, plan.parsed, stage.transcript);
}

async function withOutside<Body>(
  progress: InspectionProgress,
  { inspected, outside, compared, prepare, outgoing }: Pending<Body>,
  { document, policy }: Parsed<Body>,
  transcript: Transcript | undefined,
): Promise<InspectedChat<Body>> {
  const { verdict, unfinished } = inspected;
  const { redacts, withheld } = await takeOutsideInput(progress, outside, verdict, policy);
  captureInput(transcript, document, verdict);
  const isBlocked = verdict.blockedBy !== undefined || unfinished || withheld;
  return {
    block: isBlocked
      ? { field: verdict.blockedBy, isTooCostly: unfinished && verdict.blockedBy === undefined }
      : undefined,
    outgoing: redacts ? await prepare() : outgoing,
    compared,
  };
}

/** The comparison data of the response, and the edit that plants a canary if the policy asks for one. */
function plantCanary<Body>(body: Body, texts: readonly RequestText[], reader: RequestReader<Body>, policy: Policy) {
  const marker = policy.canary ? createMarker() : undefined;
  const edit = marker === undefined ? undefined : reader.addToPrompt(body, plantedText(marker));
  if (edit === undefined) return { planted: [], compared: contextOf(texts) };
  return { planted: [edit], compared: contextOf(texts, marker) };
}

async function toOutgoing<Body>(
  { parsed: { document, body, request, named }, maxOutputTokens }: Plan<Body>,
  edits: readonly JsonEdit[],
  reader: RequestReader<Body>,
  { scheduler }: Pick<PipelineDeps, 'scheduler'>,
): Promise<Outgoing<Body>> {
  const limited = (whole: ChatRequest) => (maxOutputTokens === undefined ? whole : { ...whole, maxOutputTokens });
  if (edits.length === 0) return { document, body, request: limited(request) };
  const edited = await runInSlices(editSteps(document, edits), scheduler);
  await giveWayFor(edited, scheduler);
  const sent = reader.check(edited);
  return { document: edited, body: sent, request: limited(withUnknown(reader.read(sent), named)) };
}
