import { type CallInspector, inspectOutput, type OutputSettings, type Policy, Redaction } from '../inspection/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { RequestDocument } from '../kernel/json/index.ts';
import type { SecurityInfo } from '../kernel/model/index.ts';
import { CpuBudget, giveWayFor } from '../kernel/tasks/index.ts';
import type { Protocol, ResponseFormat, Targets } from '../translation/index.ts';
import { Admission } from './admit.ts';
import { approvedAnswer, approver, denials } from './approve-calls.ts';
import { askProvider, type ProviderRequest, type TranslatedAnswer } from './ask-provider.ts';
import { openCache } from './cached-answer.ts';
import type { Answer } from './call-provider.ts';
import type { Continued, Conversation, SessionPast } from './conversation.ts';
import { deliver, endingOf } from './deliver.ts';
import { addFailure, finishRequest } from './finish-request.ts';
import { withoutHostedTools } from './hosted-tools.ts';
import { type Block, type InspectedChat, inspectChat, type Outgoing, withOutputs } from './inspect-chat.ts';
import { inspectDefinitions } from './inspect-definitions.ts';
import { type Parsed, parseRequest } from './parse-request.ts';
import { depsUnder, type PipelineDeps } from './pipeline-deps.ts';
import { type Plan, planRequest } from './plan-request.ts';
import { bindUnread } from './remember.ts';
import { placeholderScope, type RequestContext, senderOf } from './request-context.ts';
import {
  askingRequest,
  type Ending,
  type Recording,
  type RunningRequest,
  recordingUnder,
  respondingTo,
  securityInfo,
} from './request-outcome.ts';
import { RequestSums } from './request-sums.ts';
import { expandReferences, type ItemRules, keepItems } from './response-items.ts';
import { type MediaPiece, ResponseWriter, writeMedia, writeRefusal } from './response-writer.ts';
import { findConversation, joinSession, madeByAll } from './session-past.ts';
import { findSigned, SignedReasoning } from './signed-reasoning.ts';
import type { Transcript } from './transcript.ts';

/**
 * Handles one request to a model and its response, in the caller's protocol: parse, plan, admit and inspect the input at the same time, call
 * the provider, deliver its response while it arrives and is inspected, finish. Yields the JSON of a whole response, or of a stream's events
 * as soon as they may be sent. Throws a GatewayError. The request is settled and recorded once, for any outcome.
 */
export function runChat<Body>(
  request: RunningRequest,
  document: RequestDocument,
  protocol: Protocol<Body>,
  deps: PipelineDeps,
): AsyncGenerator<string[], void> {
  return run(request, document, protocol, deps) as AsyncGenerator<string[], void>;
}

/** The same for a request whose `responseKind` is `bytes`: yields the bytes of its response. */
export function runMedia<Body>(
  request: RunningRequest,
  document: RequestDocument,
  protocol: Protocol<Body>,
  deps: PipelineDeps,
): AsyncGenerator<MediaPiece, void> {
  return run(request, document, protocol, deps) as AsyncGenerator<MediaPiece, void>;
}

async function* run<Body>(
  request: RunningRequest,
  received: RequestDocument,
  protocol: Protocol<Body>,
  gatewayDeps: PipelineDeps,
): AsyncGenerator<string[] | MediaPiece, void> {
  const { context, outcome } = request;
  const admission = new Admission(context, outcome, gatewayDeps);
  outcome.admission = admission;
  try {
    const { parsed, recording, deps } = await parse(request, received, protocol, gatewayDeps);
    const plan = await makePlan(request, parsed, protocol, deps);
    const past = readPast(request, plan, protocol, deps);
    const sums = new RequestSums(context, outcome, deps);
    outcome.sums = sums;
    const settings = { redaction: new Redaction(placeholderScope(context)), transcript: recording.transcript };
    const inspection = await admission.during(plan.need, (refusal, admitted) => {
      const definitions = inspectDefinitions(outcome, { ...parsed, keyId: context.key.id }, deps);
      // Awaited with the inspection, unless that fails.
      definitions.catch(() => {});
      const input = {
        ...settings,
        past: past.suspicion,
        definitions,
        asking: askingRequest(request, admitted),
        approve: approver(context, outcome, deps),
        denials: denials(context, outcome, deps),
        memory: past.memory,
        sums,
        marker: context.marker,
      };
      return inspectChat(outcome, plan, protocol, input, deps, refusal);
    });
    // Outside detectors may respond later than the limits.
    const inspected = await inspection();
    outcome.toolCalls = inspected.calls;
    const format = formatFor(context, plan.parsed, inspected.outgoing, protocol, deps);
    if (inspected.block !== undefined) {
      outcome.endsAs('blocked');
      yield refuse(request, inspected.block, parsed.policy, format, deps);
      return;
    }
    const { conversation } = await past.continued;
    const { unanswered = [] } = conversation ?? {};
    const outgoing = await withOutputs(inspected.outgoing, unanswered, parsed.named, protocol, deps);
    const call = callFor(plan, { ...inspected, outgoing }, settings, conversation, protocol);
    const { answer, isApproved, keep } = await answerTo(request, plan, call, protocol, deps);
    outcome.warningsOfTranslation = answer.warnings;
    const ending = yield* deliverAnswer(request, { call, answer, format, conversation, isApproved }, protocol, deps);
    outcome.endsAs(ending);
    // What the policy removes from a response is stored nowhere.
    const isWhole = ending === 'completed' && request.lifetime.stopped === undefined;
    if (isWhole && !outcome.inspection.findings.hasChanged('output')) keep();
  } catch (thrown) {
    throw addFailure(request, thrown);
  } finally {
    finishRequest(request, admission, gatewayDeps);
  }
}

/** The parsed request, and what applies under its policy. */
async function parse<Body>(
  { context, outcome }: RunningRequest,
  received: RequestDocument,
  protocol: Protocol<Body>,
  gatewayDeps: PipelineDeps,
): Promise<{ readonly parsed: Parsed<Body>; readonly recording: Recording; readonly deps: PipelineDeps }> {
  const document = await expandReferences(context, received, protocol.items, gatewayDeps);
  const given = await parseRequest(context.key, document, protocol, gatewayDeps.scheduler);
  const { policy, request } = given;
  const recording = recordingUnder(policy);
  outcome.asked = { model: request.model, stream: request.stream };
  outcome.recording = recording;
  const parsed = await withoutHostedTools(given, protocol, outcome, gatewayDeps.scheduler);
  outcome.warningsOfRequest = [...outcome.warningsOfRequest, ...(parsed.removed?.warnings ?? [])];
  return { parsed, recording, deps: depsUnder(policy, context.key.id, recording.shadow, gatewayDeps) };
}

async function makePlan<Body>(
  { context, outcome }: RunningRequest,
  parsed: Parsed<Body>,
  protocol: Protocol<Body>,
  deps: PipelineDeps,
): Promise<Plan<Body>> {
  await giveWayFor(parsed.document, deps.scheduler);
  const routed = await deps.router.route(context.key, parsed.request, parsed.further, senderOf(context));
  outcome.routed = routed;
  const plan = await planRequest(context, parsed, routed, protocol, deps);
  outcome.usage.reserve(plan.reserved);
  await giveWayFor(parsed.document, deps.scheduler);
  return plan;
}

interface Past {
  readonly suspicion: Promise<number>;
  readonly memory: Promise<SessionPast['memory']>;
  readonly continued: Promise<Continued>;
}

/** What came before the request: read while it is admitted and inspected. */
function readPast<Body>(
  { context, lifetime, outcome }: RunningRequest,
  { parsed, targets }: Plan<Body>,
  { operation }: Pick<Protocol<Body>, 'operation'>,
  deps: PipelineDeps,
): Past {
  const { document, named, members } = parsed;
  const joined = joinSession(context, outcome, deps);
  const session = outcome.joins(joined);
  const start = { isKept: members.keepsState, wrote: (text: string) => document.text.includes(text) };
  const naming = { named, isSupported: deps.router.isNative(targets, operation), start, targets };
  const continued = findConversation(context, lifetime.signal, naming, deps);
  const suspicion = Promise.all([session, outcome.continues(continued)]).then((both) => Math.max(...both));
  // Awaited with the inspection, if there is one.
  suspicion.catch(() => {});
  return { suspicion, memory: joined.then(({ memory }) => memory), continued };
}

type ResponseSettings = OutputSettings<Transcript>;

/** The call of the provider. */
interface Call<Body> extends ProviderRequest {
  readonly outgoing: Outgoing<Body>;
  readonly inspection: ResponseSettings;
  readonly calls: CallInspector;
  /** Whether later requests may refer to the items that the gateway makes. */
  readonly keepsItems: boolean;
}

function callFor<Body>(
  { parsed, targets, route, maxOutputTokens }: Plan<Body>,
  { outgoing, compared, calls }: InspectedChat<Body>,
  settings: Pick<ResponseSettings, 'redaction' | 'transcript'>,
  conversation: Conversation | undefined,
  protocol: Pick<Protocol<Body>, 'unseenUsage' | 'items'>,
): Call<Body> {
  const { body, policy, moderation } = parsed;
  return {
    outgoing,
    targets: madeByAll(targets, conversation?.makers ?? new Set()) as Targets,
    route,
    maxOutputTokens,
    unseen: protocol.unseenUsage?.(body, targets[0].model),
    inspection: { ...settings, policy, moderation, context: compared },
    calls,
    keepsItems: protocol.items?.isKept(body) === true,
  };
}

/** A response, and where it comes from. */
interface Answered {
  readonly answer: TranslatedAnswer;
  readonly isApproved: boolean;
  /** Stores it for the same request, if that may be. */
  keep(): void;
}

/** The response: calls that a person has approved, a stored one, or else the provider's. */
async function answerTo<Body>(
  request: RunningRequest,
  { parsed, targets }: Plan<Body>,
  call: Call<Body>,
  protocol: Protocol<Body>,
  deps: PipelineDeps,
): Promise<Answered> {
  const { context, outcome } = request;
  const approving = { calls: call.calls, target: targets[0] };
  const approved = await approvedAnswer(context, outcome, parsed.request, approving, deps);
  const learning = outcome.learns(() => call.calls.learn());
  const cache = approved ? undefined : await openCache(context, outcome.note, parsed, call, protocol, deps);
  if (cache !== undefined) outcome.cache = cache.hit === undefined ? 'miss' : 'hit';
  if (cache?.hit !== undefined) outcome.usage.repeats();
  const stored = approved ?? cache?.hit;
  const asked = stored ?? (await ask(request, call, protocol, deps));
  // The next request of the session may come as soon as the response ends.
  await learning;
  const isApproved = approved !== undefined;
  return stored === undefined && cache !== undefined
    ? { answer: cache.copy(asked), isApproved, keep: cache.keep }
    : { answer: asked, isApproved, keep: () => {} };
}

async function ask<Body>(
  request: RunningRequest,
  call: Call<Body>,
  protocol: Protocol<Body>,
  deps: PipelineDeps,
): Promise<TranslatedAnswer> {
  const { outgoing, targets } = call;
  const asking = { targets, operation: protocol.operation };
  const signed = await findSigned(request.context, outgoing, asking, request.outcome.note, deps);
  return askProvider(respondingTo(request), { ...call, signed }, protocol, deps);
}

function formatFor<Body>(
  { requestId }: RequestContext,
  { body, request: { model }, moderation }: Parsed<Body>,
  outgoing: Outgoing<Body>,
  protocol: Pick<Protocol<Body>, 'format'>,
  { clock }: Pick<PipelineDeps, 'clock'>,
): ResponseFormat {
  const head = {
    requestId,
    created: Math.floor(clock.now() / 1000),
    model,
    moderation: moderation && (() => moderation.report()),
  };
  return protocol.format(outgoing.request, head, { asked: body, sent: outgoing.body });
}

/** The response to a blocked request if the policy asks for a refusal. @throws GatewayError otherwise */
function refuse(
  { context, outcome }: RunningRequest,
  { field, isTooCostly }: Block,
  { onBlock }: Policy,
  format: ResponseFormat,
  { inspectionCpuMs }: Pick<PipelineDeps, 'inspectionCpuMs'>,
): string[] {
  const svc = () => securityInfo(context, outcome);
  const refusal = onBlock === 'error' ? undefined : writeRefusal({ format, svc }, outcome);
  if (refusal !== undefined) return refusal;
  throw isTooCostly ? tooCostly(svc(), inspectionCpuMs) : blockedInput(svc(), field);
}

/** The error of a request that was blocked because its inspection used up its CPU budget. */
function tooCostly(svc: SecurityInfo, limitMs: number): GatewayError {
  const message = `Inspecting the request takes more than the limit of ${limitMs} ms of CPU time, and the security policy of this API key blocks requests that were not inspected in full. Send less text.`;
  return new GatewayError('content_filter', message, {
    headers: { 'x-should-retry': 'false' },
    svc,
  });
}

/** `field` is undefined if the request was blocked because a verdict is missing. */
function blockedInput(svc: SecurityInfo, field: string | undefined): GatewayError {
  const message =
    field === undefined
      ? 'The request could not be inspected completely, and the security policy of this API key blocks such requests.'
      : 'The request was blocked by the security policy of this API key.';
  return new GatewayError('content_filter', message, {
    ...(field !== undefined && { param: field }),
    headers: { 'x-should-retry': 'false' },
    svc,
  });
}

/** A provider's response, and how it is written. */
interface Written {
  readonly call: Omit<Call<unknown>, 'outgoing'> & Pick<ProviderRequest, 'outgoing'>;
  readonly answer: Answer;
  readonly format: ResponseFormat;
  readonly conversation: Conversation | undefined;
  /** Whether its call was approved, so that it is not inspected again. */
  readonly isApproved: boolean;
}

/** Yields the inspected response. @returns how it ended */
async function* deliverAnswer<Body>(
  request: RunningRequest,
  { call, answer, format, conversation, isApproved }: Written,
  protocol: Pick<Protocol<Body>, 'items'>,
  deps: PipelineDeps,
): AsyncGenerator<string[] | MediaPiece, Ending> {
  const { context, outcome } = request;
  const { target, response } = answer;
  if (response.kind === 'media') {
    yield* writeMedia(response, outcome);
    return 'completed';
  }
  const { inspection } = call;
  const streams = response.kind === 'native-stream' || response.kind === 'translated-stream';
  const isTranslated = response.kind === 'translated' || response.kind === 'translated-stream';
  const checks = inspectOutput(outcome, inspection, { streams, asking: askingRequest(request) }, deps);
  const responding = respondingTo(request);
  const { svc } = responding;
  const pace = { scheduler: deps.scheduler, budget: new CpuBudget(deps.inspectionCpuMs) };
  const calls = isApproved ? undefined : format.calls && call.calls.gate(format.calls);
  const { transcript } = inspection;
  const writing = { format, provider: target.provider, svc, transcript, conversation, calls };
  const writer = new ResponseWriter(writing, outcome, pace);
  const signed = new SignedReasoning(target);
  for await (const batch of deliver(responding, { call, response: signed.watch(response), checks, writer }, deps)) {
    if (conversation !== undefined) {
      const { lastTurnScore } = outcome.inspection;
      bindUnread(context, conversation, { lastTurnScore, target }, deps);
    }
    // What the policy removes from a response is stored nowhere.
    const mayKeep = request.lifetime.stopped === undefined && !outcome.inspection.findings.hasChanged('output');
    if (writer.isComplete && mayKeep) await signed.keep(context, outcome.note, deps);
    const makesItems = call.keepsItems && (isTranslated || calls?.hasRemoved);
    if (makesItems && protocol.items && writer.isComplete) yield* keepBeforeEnd(request, batch, protocol.items, deps);
    else yield batch;
  }
  return endingOf(checks, calls);
}

/** Yields the last events of a response. Its items are stored before its end, since the client's next request may refer to them at once. */
async function* keepBeforeEnd(
  { context, lifetime, outcome }: RunningRequest,
  batch: readonly string[],
  items: Pick<ItemRules<unknown>, 'outputOf'>,
  deps: Pick<PipelineDeps, 'storedItems'>,
): AsyncGenerator<string[], void> {
  const [before, end] = [batch.slice(0, -1), batch.slice(-1)];
  if (before.length > 0) yield before;
  const output = end.flatMap((json) => items.outputOf(json));
  await keepItems(context, lifetime, output, outcome.note, deps);
  yield end;
}
