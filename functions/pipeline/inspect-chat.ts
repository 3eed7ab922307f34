import {
  type AskingRequest,
  CallInspector,
  inspectInput,
  type OutputSettings,
  type Redaction,
} from '../inspection/index.ts';
import { editSteps, type JsonEdit, type RequestDocument } from '../kernel/json/index.ts';
import type { ChatRequest, ResponsePiece } from '../kernel/model/index.ts';
import { giveWayFor, runInSlices } from '../kernel/tasks/index.ts';
import type { RequestReader } from '../translation/index.ts';
import { type Parsed, textsOf, withUnknown } from './parse-request.ts';
import type { InspectionDeps, PipelineDeps } from './pipeline-deps.ts';
import type { Plan } from './plan-request.ts';
import type { InspectionProgress } from './request-outcome.ts';
import { captureInput, type InspectedInput, type Transcript } from './transcript.ts';

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
  readonly compared: OutputSettings['context'];
  /** What inspects the tool calls of the response. */
  readonly calls: CallInspector;
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
  /** Why the request's tools block it; undefined if they do not. */
  readonly definitions: Promise<Block | undefined>;
  readonly redaction: Redaction;
  readonly transcript: Transcript | undefined;
  /** The request as outside detectors know it. */
  readonly asking: AskingRequest;
  /** Asks people about tool calls of the response. */
  readonly approve: CallInspectorDeps['approve'];
  /** What was denied in the session. */
  readonly denials: CallInspectorDeps['denials'];
  /** Sums of rules for tool calls. */
  readonly sums: CallInspectorDeps['sums'];
  /** What the session remembers for tool calls. */
  readonly memory: CallInspectorDeps['memory'];
  /** What a canary contains; undefined: a random marker. */
  readonly marker: string | undefined;
}

type CallInspectorDeps = ConstructorParameters<typeof CallInspector>[2];

/** An inspection that still waits for outside detectors. */
interface Pending<Body> extends Omit<InspectedChat<Body>, 'block'> {
  readonly inspected: InspectedInput;
  readonly asked: ReturnType<InspectedInput['ask']>;
  readonly byDefinitions: Block | undefined;
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
  deps: InspectionDeps,
  refusal: AbortSignal,
): Promise<() => Promise<InspectedChat<Body>>> {
  const { document, body, policy, moderation } = plan.parsed;
  const { past, definitions, redaction, asking, approve, denials, memory, sums, marker } = stage;
  await giveWayFor(document, deps.scheduler);
  const own = await runInSlices(textsOf(plan.parsed, reader), deps.scheduler);
  await giveWayFor(document, deps.scheduler);
  progress.inspection.inspectedInput(reader.covered(body, own.texts));
  const inspected = await inspectInput(progress, { document, own, past, policy, redaction }, deps, refusal);
  const calls = callInspector(plan.parsed, {
    ...deps,
    sender: asking.sender,
    report: progress.inspection,
    approve,
    denials,
    memory,
    sums,
  });
  await calls.inspectPast();
  const byDefinitions = await definitions;
  moderation?.takeInput(inspected.evidence);
  const { planted, context: compared } = inspected.plantCanary((text) => reader.addToPrompt(body, text), marker);
  const asked = refusal.aborted || byDefinitions ? undefined : inspected.ask(asking, deps.outside);
  const prepare = () => toOutgoing(plan, [...inspected.edits, ...planted], reader, deps);
  const pending = { inspected, compared, calls, asked, byDefinitions, prepare, outgoing: await prepare() };
  return () => withOutside(progress, pending, plan.parsed, stage.transcript);
}

function callInspector(
  { request, policy, named }: Pick<Parsed<unknown>, 'request' | 'policy' | 'named'>,
  deps: Omit<CallInspectorDeps, 'policy'>,
): CallInspector {
  const isComplete = named.every(({ isCompared }) => isCompared === true);
  return new CallInspector(request, isComplete, { ...deps, policy });
}

async function withOutside<Body>(
  progress: InspectionProgress,
  { inspected, asked, byDefinitions, compared, calls, prepare, outgoing }: Pending<Body>,
  { document }: Parsed<Body>,
  transcript: Transcript | undefined,
): Promise<InspectedChat<Body>> {
  const { redacts, withheld } = await inspected.addOutside(progress, asked);
  captureInput(transcript, document, inspected);
  const { blockedBy, unfinished } = inspected;
  const isBlocked = blockedBy !== undefined || unfinished || withheld;
  const byTexts = isBlocked ? { field: blockedBy, isTooCostly: unfinished && blockedBy === undefined } : undefined;
  return {
    block: byTexts ?? byDefinitions,
    outgoing: redacts ? await prepare() : outgoing,
    compared,
    calls,
  };
}

async function toOutgoing<Body>(
  { parsed: { document, body, request, named, removed }, maxOutputTokens, edits: bounds }: Plan<Body>,
  edits: readonly JsonEdit[],
  reader: RequestReader<Body>,
  { scheduler }: Pick<PipelineDeps, 'scheduler'>,
): Promise<Outgoing<Body>> {
  const limited = (whole: ChatRequest) => (maxOutputTokens === undefined ? whole : { ...whole, maxOutputTokens });
  if (edits.length === 0 && bounds.length === 0) return { document, body, ...removed?.left, request: limited(request) };
  // The places of `bounds` are those after the removals.
  const passes = removed === undefined ? [[...edits, ...bounds]] : [edits, removed.edits, bounds];
  let edited = document;
  for (const pass of passes) edited = await runInSlices(editSteps(edited, pass), scheduler);
  await giveWayFor(edited, scheduler);
  const sent = reader.check(edited);
  return { document: edited, body: sent, request: limited(withUnknown(reader.read(sent), named)) };
}

const NOT_RUN = '[The call was not run: the security policy removed it.]';

/** The request with an output for each removed call of the response that it continues: its provider, which has the calls, accepts no other. */
export async function withOutputs<Body>(
  { document, body, request }: Outgoing<Body>,
  calls: NonNullable<ResponsePiece['unanswered']>['calls'],
  named: Parsed<Body>['named'],
  reader: RequestReader<Body>,
  { scheduler }: Pick<PipelineDeps, 'scheduler'>,
): Promise<Outgoing<Body>> {
  const edit = calls.length === 0 ? undefined : reader.answerCalls?.(body, calls, NOT_RUN);
  if (edit === undefined) return { document, body, request };
  const edited = await runInSlices(editSteps(document, [edit]), scheduler);
  await giveWayFor(edited, scheduler);
  const sent = reader.check(edited);
  const whole = withUnknown(reader.read(sent), named);
  const { maxOutputTokens } = request;
  return {
    document: edited,
    body: sent,
    request: maxOutputTokens === undefined ? whole : { ...whole, maxOutputTokens },
  };
}
