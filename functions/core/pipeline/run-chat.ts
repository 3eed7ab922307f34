import { matchesGlob } from '../access/glob.ts';
import { GatewayError } from '../errors.ts';
import { type AnswerContext, answerDetectors, contextOf } from '../inspect/answer/answer-detectors.ts';
import { plantCanary } from '../inspect/answer/plant-canary.ts';
import type { InputVerdict } from '../inspect/inspect-request.ts';
import { type OutputFinding, OutputGuard } from '../inspect/output-guard.ts';
import { type Policy, policyOf } from '../inspect/policy.ts';
import { Redaction } from '../inspect/redaction.ts';
import type { RequestText } from '../inspect/request-text.ts';
import { type JsonDocument, readJsonDocument } from '../json/json-document.ts';
import { type JsonEdit, spliceJson } from '../json/json-splice.ts';
import type { ChatRequest } from '../model/chat.ts';
import type { ChatAnswer } from '../ports/provider.ts';
import type { OpenAiChatRequest } from '../protocols/openai-chat/chat-request-schema.ts';
import { chatRequestTexts, promptTextPath } from '../protocols/openai-chat/chat-request-texts.ts';
import { estimateUsage } from '../protocols/openai-chat/estimate-usage.ts';
import { checkChatRequest, toChatRequest } from '../protocols/openai-chat/read-chat-request.ts';
import { ChatAnswerWriter } from '../protocols/openai-chat/write-chat-answer.ts';
import { modelNotFound, routeModel } from '../routing/route-model.ts';
import { admitMeanwhile } from './admit.ts';
import { boundExchange } from './bound-exchange.ts';
import { captureRequest } from './capture-request.ts';
import { closeExchange } from './close-exchange.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { noteFailure } from './exchange-failure.ts';
import { judgeInput } from './judge-input.ts';
import { askAboutInput, takeOutsideInput } from './outside-input.ts';
import { OutsideOutput } from './outside-output.ts';
import { readSuspicion } from './session-past.ts';
import { settleExchange } from './settle-exchange.ts';
import { toGatewayError } from './to-gateway-error.ts';

/** A request as it goes on: checked, routed, and with its redactions made. */
interface Prepared {
  readonly request: ChatRequest;
  readonly source: JsonDocument;
  readonly provider: string;
  readonly model: string;
  readonly context: AnswerContext;
}

/** A request as it was judged, and what its answer is compared with. */
interface Inspected {
  readonly verdict: InputVerdict;
  /** The canary, where the policy asks for one. */
  readonly planted: readonly JsonEdit[];
  readonly context: AnswerContext;
}

/**
 * One chat completion, top to bottom: check, admit and inspect at the same time, call the provider, inspect the answer
 * while it comes, record. Yields the JSON of a whole answer, or of the events of a stream as soon as they may leave, as many
 * at a time as may leave at once; what goes wrong is thrown as a GatewayError. Whatever happens, the exchange is settled and recorded once.
 */
export async function* runChat(
  exchange: Exchange,
  document: JsonDocument,
  gatewayDeps: PipelineDeps,
): AsyncGenerator<string[], void> {
  try {
    const policy = policyOf(exchange.key.policy);
    const deps = exchange.under(policy, gatewayDeps);
    const body = checkChatRequest(document);
    const route = chooseRoute(exchange, body, deps);
    const bound = boundExchange(exchange, body, route, policy, deps);
    const way = { ...route, maxOutputTokens: bound.maxOutputTokens };
    const redaction = new Redaction(exchange.placeholderScope);
    const past = readSuspicion(exchange, deps);
    const { inspected, asked, early } = await admitMeanwhile(exchange, bound.need, deps, async (refused) => {
      const texts = textsToInspect(exchange, body);
      const verdict = await judgeInput(exchange, texts, past, policy, redaction, deps);
      const inspected = { verdict, ...compareWith(body, texts, policy) };
      const asked = refused ? undefined : askAboutInput(exchange, verdict, deps);
      return { inspected, asked, early: prepare(document, body, inspected, way) };
    });
    const { redacts, withheld } = await takeOutsideInput(exchange, asked, inspected.verdict, policy);
    captureRequest(exchange, document, inspected.verdict);
    const prepared = redacts ? prepare(document, body, inspected, way) : early;
    if (inspected.verdict.blockedBy !== undefined || withheld) {
      exchange.outcome = 'blocked';
      if (policy.onBlock === 'error') throw blockedInput(exchange, inspected.verdict.blockedBy);
      yield new ChatAnswerWriter(exchange, prepared.request, deps.clock).refusal();
      return;
    }
    yield* answer(exchange, prepared, policy, redaction, deps);
  } catch (error) {
    throw noteFailure(exchange, error);
  } finally {
    if (exchange.outcome !== 'completed') exchange.abort.abort();
    settleExchange(exchange, gatewayDeps);
    closeExchange(exchange, gatewayDeps);
  }
}

function chooseRoute(exchange: Exchange, body: OpenAiChatRequest, deps: PipelineDeps) {
  exchange.model = body.model;
  exchange.stream = body.stream ?? false;
  const route = routeModel(body.model, deps.routes, new Set(deps.providers.keys()));
  const { allowedModels } = exchange.key;
  if (
    allowedModels.length > 0 &&
    !allowedModels.some((glob) => matchesGlob(glob, body.model) || matchesGlob(glob, route.model))
  ) {
    throw new GatewayError('insufficient_permissions', `This API key may not use the model '${body.model}'.`, {
      param: 'model',
    });
  }
  exchange.provider = route.provider;
  exchange.modelAtProvider = route.model;
  return route;
}

function textsToInspect(exchange: Exchange, body: OpenAiChatRequest): readonly RequestText[] {
  const { texts, skipped } = chatRequestTexts(body);
  const last = body.messages.length - 1;
  exchange.coverage.input.push(last === 0 ? 'messages[0]' : `messages[0..${last}]`);
  exchange.coverage.input.push(
    ...new Set(texts.filter(({ message }) => message === null).map(({ path }) => String(path[0]))),
  );
  exchange.coverage.skipped.push(...skipped);
  return texts;
}

/** What the answer is compared with, and the canary that is planted for it where the policy asks for one. */
function compareWith(body: OpenAiChatRequest, texts: readonly RequestText[], policy: Policy) {
  if (!policy.canary) return { planted: [], context: contextOf(texts) };
  const { marker, edit } = plantCanary(promptTextPath(body));
  return { planted: [edit], context: contextOf(texts, marker) };
}

function prepare(
  document: JsonDocument,
  body: OpenAiChatRequest,
  { verdict, planted, context }: Inspected,
  { maxOutputTokens, ...route }: { provider: string; model: string; maxOutputTokens: number | undefined },
): Prepared {
  const edits = [...verdict.edits, ...planted];
  const limited = (request: ChatRequest) => (maxOutputTokens === undefined ? request : { ...request, maxOutputTokens });
  if (edits.length === 0) return { request: limited(toChatRequest(body)), source: document, context, ...route };
  const source = readJsonDocument(spliceJson(document.text, edits));
  return { request: limited(toChatRequest(checkChatRequest(source))), source, context, ...route };
}

async function* answer(
  exchange: Exchange,
  { request, source, provider: name, model, context }: Prepared,
  policy: Policy,
  redaction: Redaction,
  deps: PipelineDeps,
): AsyncGenerator<string[], void> {
  const provider = deps.providers.get(name);
  if (!provider) throw modelNotFound(request.model);
  exchange.unreported = () => estimateUsage(request, exchange.receivedChars);
  const call = { request, source, model, signal: exchange.abort.signal };
  const reply: ChatAnswer = await provider.complete(call).catch((error: unknown) => {
    // A refusal is not billed; a call that was cut off may have been served all the same.
    const refused = exchange.stopped === undefined && toGatewayError(error).code !== 'provider_timeout';
    if (refused) exchange.unreported = undefined;
    throw error;
  });
  const streams = reply.kind === 'native-stream' || reply.kind === 'translated-stream';
  const tell = ({ channel, finding, action }: OutputFinding) => {
    if (streams && finding.rule.judgesAfter) exchange.skipped('output: judged by the classifier after it was sent');
    const location = { part: 'output', message: null, field: channel, start: finding.start, end: finding.end } as const;
    exchange.report.add(finding, action, location);
    exchange.transcript?.takeFinding({ channel, finding, action });
  };
  const guard = new OutputGuard(deps.inspector, policy, redaction, tell, {
    detectors: answerDetectors(context, policy),
    streams,
  });
  const writer = new ChatAnswerWriter(exchange, request, deps.clock);
  const outside = deps.outside && new OutsideOutput(exchange, deps.outside, deps.inspector, policy);
  try {
    if (reply.kind === 'native' || reply.kind === 'translated') yield [await writer.whole(reply, guard, outside)];
    else yield* writer.stream(reply, guard, outside);
  } finally {
    guard.catchUp();
  }
  exchange.outcome = guard.blocked || outside?.withheld ? 'blocked' : 'completed';
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
