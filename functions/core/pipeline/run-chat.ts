import type { JsonEdit } from '../base/edits.ts';
import { GatewayError, toGatewayError } from '../base/errors.ts';
import { editSteps, type RequestDocument } from '../base/request-document.ts';
import { CpuBudget, giveWayFor, runInSlices, type Scheduler, type Steps } from '../base/steps.ts';
import { createMarker, plantedText } from '../inspect/output/canary.ts';
import { contextOf } from '../inspect/output/inspect-response.ts';
import { type Policy, policyOf } from '../inspect/policy.ts';
import { Redaction } from '../inspect/redaction.ts';
import type { RequestText, RequestTexts } from '../inspect/requests/request-text.ts';
import type { ChatRequest, Usage } from '../model/chat.ts';
import { RequestedModeration } from '../moderation/requested-moderation.ts';
import { assumedCharges } from '../protocols/bodies/asked-charges.ts';
import { keepsState } from '../protocols/bodies/named-ids.ts';
import { encodedPrompts } from '../protocols/bodies/prompts.ts';
import type { FurtherModel, ItemRules, NamedId, Protocol } from '../protocols/protocol.ts';
import type { ProviderResponse, TextResponse } from '../routing/provider.ts';
import type { Target, Targets } from '../routing/route-model.ts';
import { Translation } from '../routing/translation.ts';
import { Admission } from './admit.ts';
import { callProvider } from './call-provider.ts';
import { finishRequest, recordFailure } from './finish-request.ts';
import { tooCostly } from './incomplete-inspection.ts';
import { askAboutInput, captureInput, type InspectedInput, inspectInput, takeOutsideInput } from './inspect-input.ts';
import { checksFor, createGuard, createKeyFilter, type OutputChecks, type OutputInspection } from './inspect-output.ts';
import { depsUnder, type PipelineDeps } from './pipeline-deps.ts';
import { boundRequest, chooseTargets, isNative } from './plan-request.ts';
import { inCallersFields, inCallersNames, inspectRefusal } from './provider-refusal.ts';
import { placeholderScope, type RequestContext, securityInfo } from './request-context.ts';
import { expandReferences, keepItems } from './response-items.ts';
import { type MediaPiece, ResponseWriter } from './response-writer.ts';
import { bindUnread, madeByAll, readPast } from './session-past.ts';

/** A parsed request. */
interface Parsed<Body> {
  readonly document: RequestDocument;
  readonly body: Body;
  readonly request: ChatRequest;
  /** Additional models that it names. */
  readonly further: readonly FurtherModel[];
  /** The ids that it names; undefined if the API has none. */
  readonly named: readonly NamedId[] | undefined;
  readonly policy: Policy;
  readonly moderation: RequestedModeration | undefined;
}

/** The request to the provider: with redactions and the canary. */
interface Outgoing<Body> {
  readonly document: RequestDocument;
  readonly body: Body;
  readonly request: ChatRequest;
}

/** What a provider call needs to know. */
interface ProviderRequest {
  readonly outgoing: Pick<Outgoing<unknown>, 'request' | 'document'>;
  readonly targets: Targets;
  readonly maxOutputTokens?: number | undefined;
  readonly unseen?: Usage | undefined;
  readonly inspection: OutputInspection;
}

/** A provider call, and how its response is inspected and written. */
interface Call extends ProviderRequest {
  readonly writer: ResponseWriter;
  /** Whether later requests may refer to the items of a translated response. */
  readonly keepsItems: boolean;
}

/**
 * Handles one request to a model and its response, in the caller's protocol: parse, choose the targets, admit and inspect the input at the same
 * time, call the provider, inspect the output while it arrives, finish. Yields the JSON of a whole response, or of a stream's events as soon as
 * they may be sent. Throws a GatewayError. The request is settled and recorded once, for any outcome.
 */
export function runChat<Body>(
  context: RequestContext,
  document: RequestDocument,
  protocol: Protocol<Body>,
  deps: PipelineDeps,
): AsyncGenerator<string[], void> {
  return run(context, document, protocol, deps) as AsyncGenerator<string[], void>;
}

/** The same for a request of which the protocol's `isMedia` is true: yields the bytes of its response. */
export function runMedia<Body>(
  context: RequestContext,
  document: RequestDocument,
  protocol: Protocol<Body>,
  deps: PipelineDeps,
): AsyncGenerator<MediaPiece, void> {
  return run(context, document, protocol, deps) as AsyncGenerator<MediaPiece, void>;
}

async function* run<Body>(
  context: RequestContext,
  received: RequestDocument,
  protocol: Protocol<Body>,
  gatewayDeps: PipelineDeps,
): AsyncGenerator<string[] | MediaPiece, void> {
  const { record } = context;
  const admission = new Admission(context, gatewayDeps);
  try {
    const document = await expandReferences(context, received, protocol.items, gatewayDeps);
    const giveWay = () => giveWayFor(document, gatewayDeps.scheduler);
    const read = await parse(context, document, protocol, gatewayDeps.scheduler);
    const deps = depsUnder(read.policy, context, gatewayDeps);
    await giveWay();
    const targets = chooseTargets(context, read, protocol, deps);
    const parsed = withoutLabels(read, targets, deps);
    await giveWay();
    const { need, reserved, maxOutputTokens, edits } = boundRequest(context, parsed, protocol, targets, deps);
    record.usage.reserve(reserved);
    await giveWay();
    const redaction = new Redaction(placeholderScope(context));
    const start = { isKept: keepsState(document.value), wrote: (text: string) => document.text.includes(text) };
    const past = readPast(context, parsed.named, isNative(targets, protocol.name, deps), deps, start, targets);
    // Awaited with the inspection, if there is one.
    past.catch(() => {});
    const input = await admission.during(need, async (refusal, admitted) => {
      await giveWay();
      return prepareInput(
        context,
        parsed,
        protocol,
        { past, redaction, maxOutputTokens, edits, admitted },
        deps,
        refusal,
      );
    });
    const { inspected, outside, prepare } = input;
    const { redacts, withheld } = await takeOutsideInput(context, outside, inspected.verdict, parsed.policy);
    captureInput(context, document, inspected.verdict);
    const outgoing = redacts ? await prepare() : input.outgoing;
    const writer = writerFor(context, parsed, outgoing, protocol, deps);
    if (inspected.verdict.blockedBy !== undefined || inspected.unfinished || withheld) {
      yield refuse(context, inspected, parsed.policy, writer, deps);
      return;
    }
    const unseen = protocol.unseenUsage?.(parsed.body, targets[0].model);
    const { policy, moderation } = parsed;
    const inspection = { policy, moderation, redaction, context: input.compared };
    const keepsItems = protocol.items?.isKept(parsed.body) === true;
    const kept = madeByAll(targets, record.known.conversation?.makers ?? new Set()) as Targets;
    const call = { outgoing, targets: kept, maxOutputTokens, unseen, inspection, writer, keepsItems };
    await giveWay();
    yield* respond(context, call, protocol, deps);
  } catch (thrown) {
    throw recordFailure(context, thrown);
  } finally {
    finishRequest(context, admission, gatewayDeps);
  }
}

async function parse<Body>(
  { key }: RequestContext,
  document: RequestDocument,
  protocol: Protocol<Body>,
  scheduler: Scheduler,
): Promise<Parsed<Body>> {
  await giveWayFor(document, scheduler);
  const body = protocol.check(document);
  await giveWayFor(document, scheduler);
  const field = protocol.moderation?.(body);
  const moderation = field && new RequestedModeration(field, key.policy);
  const naming = protocol.namedIds?.(document.value);
  const named = naming && (await runInSlices(naming, scheduler));
  await giveWayFor(document, scheduler);
  return {
    document,
    body,
    request: protocol.read(body),
    further: protocol.furtherModels(document.value),
    named,
    policy: moderation?.policy ?? policyOf(key.policy),
    moderation,
  };
}

/** Leaves out members that look like references and are labels at every target. */
function withoutLabels<Body>(parsed: Parsed<Body>, targets: Targets, { providers }: PipelineDeps): Parsed<Body> {
  const isLabel = ({ unknownAt, param }: NamedId) =>
    unknownAt !== undefined && targets.every(({ provider }) => providers.get(provider)?.labels?.includes(param));
  const named = parsed.named?.filter((one) => !isLabel(one));
  return { ...parsed, named, request: withUnknown(parsed.request, named) };
}

/** References that no list names change the result, and have no equivalent in another API. */
function withUnknown(request: ChatRequest, named: readonly NamedId[] = []): ChatRequest {
  const unknown = named.filter(({ unknownAt }) => unknownAt !== undefined);
  if (unknown.length === 0) return request;
  const essential = unknown.map(({ id, param }) => ({ path: param, meaning: 'essential' as const, value: id }));
  return { ...request, others: [...request.others, ...essential] };
}

/** The texts of the request. What a provider keeps under a reference is not among them. */
function* textsOf<Body>({ document, body, named = [] }: Parsed<Body>, protocol: Protocol<Body>): Steps<RequestTexts> {
  const { texts, skipped } = yield* protocol.texts(body);
  const unknown = named.flatMap(({ unknownAt: path }) => (path === undefined ? [] : [{ path, what: 'reference' }]));
  return { texts, skipped: [...skipped, ...encodedPrompts(document.value), ...unknown] };
}

/** Inspects the input, calls the outside detectors, and prepares the request to the provider. */
async function prepareInput<Body>(
  context: RequestContext,
  parsed: Parsed<Body>,
  protocol: Protocol<Body>,
  options: {
    past: Promise<number>;
    redaction: Redaction;
    maxOutputTokens: number | undefined;
    edits?: readonly JsonEdit[] | undefined;
    admitted: Promise<void>;
  },
  deps: PipelineDeps,
  refusal: AbortSignal,
) {
  const { document, body, policy, moderation } = parsed;
  const { past, redaction, maxOutputTokens, edits = [], admitted } = options;
  const own = await runInSlices(textsOf(parsed, protocol), deps.scheduler);
  await giveWayFor(document, deps.scheduler);
  context.record.inspectedInput(protocol.covered(body, own.texts));
  const inspected = await inspectInput(context, { document, own, past, policy, redaction }, deps, refusal);
  const { verdict, evidence, texts, unfinished } = inspected;
  moderation?.takeInput(evidence);
  const { planted, compared } = plantCanary(body, texts, protocol, policy);
  const outside = refusal.aborted || unfinished ? undefined : askAboutInput(context, verdict, admitted, deps);
  const prepare = () => toOutgoing(parsed, [...verdict.edits, ...planted, ...edits], protocol, maxOutputTokens, deps);
  return { inspected, compared, outside, prepare, outgoing: await prepare() };
}

/** The comparison data of the response, and the edit that plants a canary if the policy asks for one. */
function plantCanary<Body>(body: Body, texts: readonly RequestText[], protocol: Protocol<Body>, policy: Policy) {
  const marker = policy.canary ? createMarker() : undefined;
  const edit = marker === undefined ? undefined : protocol.addToPrompt(body, plantedText(marker));
  if (edit === undefined) return { planted: [], compared: contextOf(texts) };
  return { planted: [edit], compared: contextOf(texts, marker) };
}

async function toOutgoing<Body>(
  { document, body, request, named }: Parsed<Body>,
  edits: readonly JsonEdit[],
  protocol: Protocol<Body>,
  maxOutputTokens: number | undefined,
  { scheduler }: PipelineDeps,
): Promise<Outgoing<Body>> {
  const limited = (whole: ChatRequest) => (maxOutputTokens === undefined ? whole : { ...whole, maxOutputTokens });
  if (edits.length === 0) return { document, body, request: limited(request) };
  const edited = await runInSlices(editSteps(document, edits), scheduler);
  await giveWayFor(edited, scheduler);
  const sent = protocol.check(edited);
  return { document: edited, body: sent, request: limited(withUnknown(protocol.read(sent), named)) };
}

function writerFor<Body>(
  context: RequestContext,
  { body, request: { model }, moderation }: Parsed<Body>,
  outgoing: Outgoing<Body>,
  protocol: Protocol<Body>,
  { clock, scheduler, inspectionCpuMs }: PipelineDeps,
): ResponseWriter {
  const head = {
    requestId: context.requestId,
    created: Math.floor(clock.now() / 1000),
    model,
    moderation: moderation && (() => moderation.report()),
  };
  const format = protocol.format(outgoing.request, head, { asked: body, sent: outgoing.body });
  return new ResponseWriter(context, format, { scheduler, budget: new CpuBudget(inspectionCpuMs) });
}

/** The response to a blocked request if the policy asks for a refusal. @throws GatewayError otherwise */
function refuse(
  context: RequestContext,
  { verdict: { blockedBy }, unfinished }: InspectedInput,
  { onBlock }: Policy,
  writer: ResponseWriter,
  { inspectionCpuMs }: PipelineDeps,
): string[] {
  context.record.ended('blocked');
  const refusal = onBlock === 'error' ? undefined : writer.refusal();
  if (refusal !== undefined) return refusal;
  throw unfinished && blockedBy === undefined ? tooCostly(context, inspectionCpuMs) : blockedInput(context, blockedBy);
}

/** `field` is undefined if the request was blocked because a verdict is missing. */
function blockedInput(context: RequestContext, field: string | undefined): GatewayError {
  const message =
    field === undefined
      ? 'The request could not be inspected completely, and the security policy of this API key blocks such requests.'
      : 'The request was blocked by the security policy of this API key.';
  return new GatewayError('content_filter', message, {
    ...(field !== undefined && { param: field }),
    headers: { 'x-should-retry': 'false' },
    svc: securityInfo(context),
  });
}

/** Calls the provider, and yields its inspected response. */
async function* respond<Body>(
  context: RequestContext,
  call: Call,
  protocol: Protocol<Body>,
  deps: PipelineDeps,
): AsyncGenerator<string[] | MediaPiece, void> {
  const { inspection, writer } = call;
  const response = await askProvider(context, call, protocol, deps);
  if (response.kind === 'media') {
    yield* writer.media(response);
    context.record.ended('completed');
    return;
  }
  const streams = response.kind === 'native-stream' || response.kind === 'translated-stream';
  const isTranslated = response.kind === 'translated' || response.kind === 'translated-stream';
  const items = isTranslated && call.keepsItems ? protocol.items : undefined;
  const checks = checksFor(context, inspection, streams, deps);
  for await (const batch of deliver(context, { call, response, checks, writer }, deps)) {
    bindUnread(context, deps);
    if (items && writer.isComplete) yield* keepBeforeEnd(context, batch, items, deps);
    else yield batch;
  }
}

/** Yields the last events of a response. Its items are stored before its end, since the client's next request may refer to them at once. */
async function* keepBeforeEnd(
  context: RequestContext,
  batch: readonly string[],
  items: Pick<ItemRules<unknown>, 'outputOf'>,
  deps: PipelineDeps,
): AsyncGenerator<string[], void> {
  const [before, end] = [batch.slice(0, -1), batch.slice(-1)];
  if (before.length > 0) yield before;
  const output = end.flatMap((json) => items.outputOf(json));
  await keepItems(context, output, deps);
  yield end;
}

interface Delivery {
  readonly call: ProviderRequest;
  readonly response: TextResponse;
  readonly checks: OutputChecks;
  readonly writer: ResponseWriter;
}

/** Yields a provider's response as it may be sent, and records how it ended. */
export async function* deliver(
  context: RequestContext,
  { call, response, checks, writer }: Delivery,
  deps: PipelineDeps,
): AsyncGenerator<string[], void> {
  const { guard, outside } = checks;
  const end = () => context.record.ended(guard.isCut || outside?.withheld ? 'blocked' : 'completed');
  try {
    if (response.kind === 'native' || response.kind === 'translated') {
      const whole = await writer.whole(response, checks);
      end();
      yield [whole];
    } else {
      yield* writer.stream(response, checks);
      end();
    }
  } catch (thrown) {
    throw toRefusal(thrown, context, call, deps);
  } finally {
    guard.catchUp();
  }
}

/** The provider's response. @throws GatewayError with the provider's refusal as the caller may see it */
export async function askProvider<Body>(
  context: RequestContext,
  call: ProviderRequest,
  { name: protocol, headers = {}, query, unbilled }: Protocol<Body>,
  deps: PipelineDeps,
): Promise<ProviderResponse> {
  const { lifetime, record } = context;
  const { targets, maxOutputTokens: imposedMaxTokens, unseen } = call;
  const { request, document: source } = call.outgoing;
  const { model } = targets[0];
  const asked = isNative(targets, protocol, deps)
    ? assumedCharges(source.value, { model, choiceCount: request.choiceCount })
    : {};
  const { background } = Object(source.value) as { readonly background?: unknown };
  const isInBackground = protocol === 'openai-responses' && background === true;
  record.usage.sends(request, { unseen, isBilled: unbilled !== true, asked, isInBackground });
  const common = { request, source, protocol, headers, query, imposedMaxTokens, signal: lifetime.signal };
  let translation: Translation | undefined;
  const callFor = ({ provider, model }: Target) => {
    translation = new Translation(provider, context.strictTranslation);
    return { ...common, model, translation };
  };
  try {
    const response = await callProvider(context, targets, callFor, deps);
    record.translated(inCallersFields(translation?.warnings ?? [], request));
    return response;
  } catch (thrown) {
    // A refusal is not billed; a call that was cut off may be.
    const { code, isBilled } = toGatewayError(thrown);
    if (lifetime.stopped === undefined && code !== 'provider_timeout' && !isBilled) record.usage.refused();
    throw toRefusal(thrown, context, call, deps);
  }
}

/** A provider's error as the caller may see it: with the caller's names of fields, its texts inspected as output. */
function toRefusal(
  thrown: unknown,
  context: RequestContext,
  { outgoing: { request }, inspection }: ProviderRequest,
  deps: PipelineDeps,
): unknown {
  const guard = createGuard(context, inspection, false, deps);
  return inspectRefusal(inCallersNames(thrown, request), context, guard, createKeyFilter(context, deps));
}
