import { GatewayError, toGatewayError } from '../base/errors.ts';
import type { JsonEdit } from '../base/json-splice.ts';
import { editSteps, type RequestDocument } from '../base/request-document.ts';
import { CpuBudget, giveWayFor, runInSlices } from '../base/steps.ts';
import { createMarker, plantedText } from '../inspect/output/canary.ts';
import { type AnswerContext, answerDetectors, contextOf } from '../inspect/output/inspect-answer.ts';
import { type OutputFinding, OutputGuard } from '../inspect/output/output-guard.ts';
import { type Policy, policyOf } from '../inspect/policy.ts';
import { Redaction } from '../inspect/redaction.ts';
import type { InputVerdict } from '../inspect/requests/inspect-request.ts';
import type { RequestText } from '../inspect/requests/request-text.ts';
import type { ChatRequest, Usage } from '../model/chat.ts';
import { RequestedModeration } from '../moderation/requested-moderation.ts';
import type { FurtherModel, Protocol, ProtocolName } from '../protocols/protocol.ts';
import { allowedBy } from '../routing/allowed-models.ts';
import type { ChatCall } from '../routing/provider.ts';
import {
  invalidName,
  isCallable,
  modelNotAllowed,
  routeModel,
  type Target,
  type Targets,
} from '../routing/route-model.ts';
import { admitMeanwhile } from './admit.ts';
import { AnswerWriter } from './answer-writer.ts';
import { boundExchange } from './bound-exchange.ts';
import { callProvider } from './call-provider.ts';
import { inCallersNames, untranslatable } from './callers-names.ts';
import { captureRequest } from './capture-request.ts';
import { closeExchange } from './close-exchange.ts';
import { estimateUsage } from './estimate-usage.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { noteFailure } from './exchange-failure.ts';
import { judgeInput } from './judge-input.ts';
import { askAboutInput, takeOutsideInput } from './outside-input.ts';
import { OutsideOutput } from './outside-output.ts';
import { inspectRefusal } from './provider-refusal.ts';
import { readRequestFiles } from './read-request-files.ts';
import { readPast } from './session-past.ts';
import { settleExchange } from './settle-exchange.ts';
import { tooCostly, withholdsCostlyAnswer } from './unfinished.ts';
import { UntrustedOutput } from './untrusted-output.ts';

/** A caller's request, read. */
interface Asked<Body> {
  readonly document: RequestDocument;
  readonly body: Body;
  readonly request: ChatRequest;
}

/** A request as it goes on: with its redactions made. */
interface Prepared<Body> {
  readonly body: Body;
  readonly request: ChatRequest;
  readonly source: RequestDocument;
  readonly context: AnswerContext;
}

/** A request as it was judged, and what its answer is compared with. */
interface Inspected {
  readonly verdict: InputVerdict;
  /** Not all of it was inspected, and the policy blocks then. */
  readonly unfinished: boolean;
  /** The canary, where the policy asks for one. */
  readonly planted: readonly JsonEdit[];
  readonly context: AnswerContext;
}

/**
 * One answer of a model, in whatever protocol it is asked for, top to bottom: check, admit and inspect at the same time, call the provider, inspect the answer
 * while it comes, record. Yields the JSON of a whole answer, or of the events of a stream as soon as they may leave, as many
 * at a time as may leave at once; what goes wrong is thrown as a GatewayError. Whatever happens, the exchange is settled and recorded once.
 */
export async function* runChat<Body>(
  exchange: Exchange,
  document: RequestDocument,
  protocol: Protocol<Body>,
  gatewayDeps: PipelineDeps,
): AsyncGenerator<string[], void> {
  try {
    const giveWay = () => giveWayFor(document, gatewayDeps.scheduler);
    await giveWay();
    const body = protocol.check(document);
    await giveWay();
    const field = protocol.moderation?.(body);
    const moderation = field && new RequestedModeration(field, exchange.key.policy);
    const policy = moderation?.policy ?? policyOf(exchange.key.policy);
    const deps = exchange.under(policy, gatewayDeps);
    const asked: Asked<Body> = { document, body, request: protocol.read(body) };
    await giveWay();
    const further = protocol.furtherModels(document.value);
    const targets = chooseTargets(exchange, asked.request, further, protocol, deps);
    await giveWay();
    const bound = boundExchange(exchange, asked, protocol, { targets, further }, policy, deps);
    exchange.reserved = bound.reserved;
    const prepare = (inspected: Inspected) => prepared(asked, inspected, protocol, bound.maxOutputTokens, deps);
    const redaction = new Redaction(exchange.placeholderScope);
    await giveWay();
    const past = readPast(exchange, protocol.namedIds?.(document.value), speaks(targets, protocol.name, deps), deps);
    // Awaited with the judgement, where there is one.
    past.catch(() => {});
    const { inspected, outside, early } = await admitMeanwhile(exchange, bound.need, deps, async (refusal) => {
      await giveWay();
      const own = protocol.texts(body);
      await giveWay();
      exchange.coverage.input.push(...protocol.covered(body, own.texts));
      const read = await readRequestFiles(exchange, document, own, deps);
      const judged = await judgeInput(exchange, read, past, policy, redaction, deps, refusal);
      const { verdict, withheld: unfinished } = judged;
      moderation?.takeInput(judged.evidence);
      const inspected = { verdict, unfinished, ...compareWith(body, read.texts, protocol, policy) };
      const outside = refusal.aborted || unfinished ? undefined : askAboutInput(exchange, verdict, deps);
      return { inspected, outside, early: await prepare(inspected) };
    });
    const { redacts, withheld } = await takeOutsideInput(exchange, outside, inspected.verdict, policy);
    captureRequest(exchange, document, inspected.verdict);
    const ready = redacts ? await prepare(inspected) : early;
    const head = {
      requestId: exchange.requestId,
      created: Math.floor(deps.clock.now() / 1000),
      model: asked.request.model,
      moderation: moderation && (() => moderation.report()),
    };
    const format = protocol.format(ready.request, head, { asked: body, sent: ready.body });
    const cutOff = protocol.cutOffUsage?.(body, targets[0].model);
    const writer = new AnswerWriter(exchange, format, () => estimateUsage(ready.request, exchange, cutOff), {
      scheduler: deps.scheduler,
      budget: new CpuBudget(deps.inspectionCpuMs),
    });
    const { unfinished } = inspected;
    if (inspected.verdict.blockedBy !== undefined || unfinished || withheld) {
      exchange.outcome = 'blocked';
      const refusal = policy.onBlock === 'error' ? undefined : writer.refusal();
      if (refusal === undefined) {
        if (unfinished && inspected.verdict.blockedBy === undefined) throw tooCostly(exchange, deps.inspectionCpuMs);
        throw blockedInput(exchange, inspected.verdict.blockedBy);
      }
      yield refusal;
      return;
    }
    const { name, headers = {} } = protocol;
    const imposedMaxTokens = bound.maxOutputTokens;
    const { request, source } = ready;
    const call = { request, source, protocol: name, headers, imposedMaxTokens, signal: exchange.abort.signal };
    const { unbilled = false } = protocol;
    const answering = { policy, context: ready.context, redaction, writer, moderation, unbilled, cutOff };
    yield* answer(exchange, call, targets, answering, deps);
  } catch (error) {
    throw noteFailure(exchange, error);
  } finally {
    // Nobody read on when it was ended, so that nothing was thrown.
    const { stopped, outcome, errorCode } = exchange;
    if (stopped !== undefined && outcome === 'failed' && errorCode === null) noteFailure(exchange, undefined);
    if (exchange.outcome !== 'completed') exchange.abort.abort();
    settleExchange(exchange, gatewayDeps);
    closeExchange(exchange, gatewayDeps);
  }
}

function chooseTargets<Body>(
  exchange: Exchange,
  request: ChatRequest,
  further: readonly FurtherModel[],
  protocol: Protocol<Body>,
  deps: PipelineDeps,
): Targets {
  const { model, stream, untranslatable: fields = [] } = request;
  const { routes, providers, random } = deps;
  exchange.model = model;
  exchange.stream = stream;
  const allows = allowedBy(exchange.key.allowedModels, routes);
  const targets = routeModel(model, routes, providers, random, allows);
  const [{ provider, model: modelAtProvider }] = targets;
  if (!targets.every((target) => isCallable(target.provider, target.model))) throw invalidName();
  exchange.inItsPlace = further.filter(({ adds }) => !adds).map(({ name }) => name);
  for (const { name, param } of further) {
    if (!targets.every(({ provider }) => allows({ provider, model: name }, `${provider}/${name}`)))
      throw modelNotAllowed(name, param);
  }
  exchange.provider = provider;
  exchange.modelAtProvider = modelAtProvider;
  const serving = targets.filter((target) => providers.get(target.provider)?.serves.has(protocol.name));
  if (serving.length === 0) {
    const message = `The provider '${provider}' does not serve this path: choose another model.`;
    throw new GatewayError('invalid_value', message, { param: 'model' });
  }
  const [field] = fields;
  const able = field === undefined ? serving : serving.filter((target) => speaks([target], protocol.name, deps));
  const [first, ...others] = able;
  if (first === undefined) throw untranslatable(field as string, provider);
  return [first, ...others];
}

/** Whether any of the targets answers the protocol by itself. */
function speaks(targets: readonly Target[], protocol: ProtocolName, { providers }: PipelineDeps): boolean {
  return targets.some(({ provider }) => providers.get(provider)?.speaks?.has(protocol) === true);
}

/** What the answer is compared with, and the canary that is planted for it where the policy asks for one. */
function compareWith<Body>(body: Body, texts: readonly RequestText[], protocol: Protocol<Body>, policy: Policy) {
  const marker = policy.canary ? createMarker() : undefined;
  const planted = marker === undefined ? undefined : protocol.addToPrompt(body, plantedText(marker));
  if (planted === undefined) return { planted: [], context: contextOf(texts) };
  return { planted: [planted], context: contextOf(texts, marker) };
}

async function prepared<Body>(
  { document, body, request }: Asked<Body>,
  { verdict, planted, context }: Inspected,
  protocol: Protocol<Body>,
  maxOutputTokens: number | undefined,
  { scheduler }: PipelineDeps,
): Promise<Prepared<Body>> {
  const edits = [...verdict.edits, ...planted];
  const limited = (whole: ChatRequest) => (maxOutputTokens === undefined ? whole : { ...whole, maxOutputTokens });
  if (edits.length === 0) return { body, request: limited(request), source: document, context };
  const source = await runInSlices(editSteps(document, edits), scheduler);
  await giveWayFor(source, scheduler);
  const sent = protocol.check(source);
  return { body: sent, request: limited(protocol.read(sent)), source, context };
}

/** How an answer is judged and written. */
interface Answering {
  readonly policy: Policy;
  readonly context: AnswerContext;
  readonly redaction: Redaction;
  readonly writer: AnswerWriter;
  readonly moderation: RequestedModeration | undefined;
  /** No token of it is counted. */
  readonly unbilled: boolean;
  /** What it counts as where it is cut off, and its texts do not tell. */
  readonly cutOff: Usage | undefined;
}

async function* answer(
  exchange: Exchange,
  call: Omit<ChatCall, 'model'>,
  targets: Targets,
  { policy, context, redaction, writer, moderation, unbilled, cutOff }: Answering,
  deps: PipelineDeps,
): AsyncGenerator<string[], void> {
  exchange.unreported = unbilled ? undefined : () => estimateUsage(call.request, exchange, cutOff);
  const callFor = ({ model }: Target): ChatCall => ({ ...call, model });
  const guardOf = (streams: boolean) => {
    const tell = (found: OutputFinding) => {
      const { channel, finding, action } = found;
      if (streams && finding.rule.judgesAfter) exchange.skipped('output: judged by the classifier after it was sent');
      const { start, end } = finding;
      const location = { part: 'output', message: null, field: channel, start, end } as const;
      exchange.report.add(finding, action, location);
      moderation?.takeOutput(finding, action);
      exchange.transcript?.takeFinding(found);
    };
    const endsOverspent = () => withholdsCostlyAnswer(exchange, policy, deps.inspectionCpuMs);
    const detectors = answerDetectors(context, policy);
    return new OutputGuard(deps.inspector, policy, redaction, tell, { detectors, streams, endsOverspent });
  };
  const reply = await callProvider(exchange, targets, callFor, deps).catch((error: unknown) => {
    // A refusal is not billed; a call that was cut off may have been served all the same.
    const refused = exchange.stopped === undefined && toGatewayError(error).code !== 'provider_timeout';
    if (refused) exchange.unreported = undefined;
    throw inspectRefusal(inCallersNames(error, call.request), exchange, guardOf(false));
  });
  const guard = guardOf(reply.kind === 'native-stream' || reply.kind === 'translated-stream');
  const outside = deps.outside && new OutsideOutput(exchange, deps.outside, deps, policy);
  const untrusted = new UntrustedOutput(exchange, deps.inspector, policy);
  try {
    if (reply.kind === 'native' || reply.kind === 'translated')
      yield [await writer.whole(reply, guard, outside, untrusted)];
    else yield* writer.stream(reply, guard, outside, untrusted);
  } finally {
    guard.catchUp();
  }
  exchange.outcome = guard.isCut || outside?.withheld ? 'blocked' : 'completed';
}

/** `field` is undefined where the request was blocked because a judgement of it is missing. */
function blockedInput(exchange: Exchange, field: string | undefined): GatewayError {
  const message =
    field === undefined
      ? 'The request could not be judged, and the security policy of this API key blocks what could not be.'
      : 'The request was blocked by the security policy of this API key.';
  return new GatewayError('content_filter', message, {
    ...(field !== undefined && { param: field }),
    headers: { 'x-should-retry': 'false' },
    svc: exchange.securityInfo(),
  });
}
