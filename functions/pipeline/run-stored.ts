import { NO_NEED } from '../control/limits/index.ts';
import type { IssuedId } from '../control/sessions/index.ts';
import { CallInspector, inspectOutput, type Policy, policyOf, Redaction } from '../inspection/index.ts';
import { type RequestDocument, readJsonDocument } from '../kernel/json/index.ts';
import { CpuBudget, continued } from '../kernel/tasks/index.ts';
import type { NamedId, ProviderResponse, StoredCall, Target } from '../translation/index.ts';
import { Admission } from './admit.ts';
import { askProvider } from './ask-provider.ts';
import type { TextResponse } from './call-provider.ts';
import { Conversation } from './conversation.ts';
import { deliver, endingOf } from './deliver.ts';
import { addFailure, finishRequest } from './finish-request.ts';
import { depsUnder, type PipelineDeps } from './pipeline-deps.ts';
import { placeholderScope, type RequestContext } from './request-context.ts';
import { askingRequest, type Ending, type RunningRequest, recordingUnder, respondingTo } from './request-outcome.ts';
import { ResponseWriter } from './response-writer.ts';
import { errorName, findOwned, idNotFound } from './session-past.ts';
import type { Transcript } from './transcript.ts';

/**
 * Handles one call about a stored response: admit while its id is looked up, call the provider that returned the id, inspect the output as
 * that of any response, finish. The limits count a request: the usage was charged to the request that created the response.
 */
export async function* runStored(
  request: RunningRequest,
  document: RequestDocument,
  api: StoredCall,
  gatewayDeps: PipelineDeps,
): AsyncGenerator<string[], void> {
  const { context, lifetime, outcome } = request;
  const admission = new Admission(context, outcome, gatewayDeps);
  outcome.admission = admission;
  outcome.usage.belongsToEarlier();
  try {
    const stored = api.check(document);
    const { id, stream } = stored;
    const policy = policyOf(context.key.policy);
    const recording = recordingUnder(policy);
    outcome.recording = recording;
    const { transcript } = recording;
    const deps = depsUnder(policy, context.key.id, recording.shadow, gatewayDeps);
    outcome.asked = { model: '', stream };
    const owned = await admission.during(NO_NEED, () => findStored(context, lifetime.signal, id, api, deps));
    const { madeBy } = owned;
    outcome.asked = { model: madeBy.model, stream };
    outcome.routed = { targets: [madeBy], alternativeModels: [], route: undefined };
    transcript?.takeRequest(document.text, () => document.text);
    const reading = owned.isUnread ? new Conversation({ score: owned.score, fetched: id }) : undefined;
    outcome.conversation = reading;
    const ending = yield* callAndDeliver(
      request,
      { stored, madeBy, policy, transcript, conversation: reading },
      api,
      deps,
    );
    outcome.endsAs(ending);
    const isCounted = reading !== undefined && (await endReading(context, id, reading, ending, outcome.note, deps));
    if (!isCounted) outcome.usage.drop();
  } catch (thrown) {
    throw addFailure(request, thrown);
  } finally {
    finishRequest(request, admission, gatewayDeps);
  }
}

type Owned = Omit<IssuedId, 'madeBy'> & { readonly madeBy: Target };

/** The stored response of this key. @throws GatewayError `not_found` for any other id */
async function findStored(
  context: RequestContext,
  signal: AbortSignal,
  id: string,
  { operation }: StoredCall,
  deps: Pick<PipelineDeps, 'issuedIds' | 'foreignIds' | 'sleep' | 'clock' | 'providers'>,
): Promise<Owned> {
  const named: NamedId = { id, what: 'Response', param: 'id' };
  const { madeBy, ...rest } = await findOwned(context, signal, named, deps);
  if (madeBy === undefined || deps.providers.get(madeBy.provider)?.serves.has(operation) !== true)
    throw idNotFound(named);
  return { ...rest, madeBy };
}

interface Reading {
  readonly stored: ReturnType<StoredCall['check']>;
  readonly madeBy: Target;
  readonly policy: Policy;
  readonly transcript: Transcript | undefined;
  readonly conversation: Conversation | undefined;
}

/** Yields the inspected response. @returns how it ended */
async function* callAndDeliver(
  request: RunningRequest,
  { stored, madeBy, policy, transcript, conversation }: Reading,
  api: StoredCall,
  deps: PipelineDeps,
): AsyncGenerator<string[], Ending> {
  const { context, outcome } = request;
  const { model } = madeBy;
  const asked = { model, messages: [], stream: stored.stream, includeUsage: true, choiceCount: 0, others: [] };
  const redaction = new Redaction(placeholderScope(context));
  const inspection = { policy, moderation: undefined, redaction, transcript, context: { prompts: [], known: [] } };
  const sent = readJsonDocument(JSON.stringify(stored));
  const call = { outgoing: { request: asked, document: sent }, targets: [madeBy] as const, inspection };
  const responding = respondingTo(request);
  const answer = await askProvider(responding, call, api, deps);
  outcome.warningsOfTranslation = answer.warnings;
  const { response, first } = await withFirst(answer.response);
  const compared = { ...inspection, context: { known: [], ...api.promptIn(first) } };
  const head = { requestId: context.requestId, created: Math.floor(deps.clock.now() / 1000), model };
  const format = api.format(asked, head, { asked: stored, sent: stored });
  const checks = inspectOutput(outcome, compared, { streams: asked.stream, asking: askingRequest(request) }, deps);
  const { svc } = responding;
  // The conversation before the calls of a stored response is not known.
  const inspector = new CallInspector(asked, false, {
    sender: context.key.id,
    policy,
    report: outcome.inspection,
    scheduler: deps.scheduler,
    inspector: deps.inspector,
  });
  outcome.toolCalls = inspector;
  const calls = format.calls && inspector.gate(format.calls);
  const writing = { format, provider: answer.target.provider, svc, transcript, conversation, calls };
  const pace = { scheduler: deps.scheduler, budget: new CpuBudget(deps.inspectionCpuMs) };
  const writer = new ResponseWriter(writing, outcome, pace);
  yield* deliver(responding, { call, response, checks, writer }, deps);
  return endingOf(checks, calls);
}

/** The response, and its first JSON: that of the whole response, or of its first event. */
async function withFirst(response: ProviderResponse): Promise<{ response: TextResponse; first: string }> {
  if (response.kind === 'media') throw new Error('stored responses are never bytes');
  if (response.kind === 'native') return { response, first: response.body };
  if (response.kind !== 'native-stream') return { response, first: '' };
  const source = response.chunks[Symbol.asyncIterator]();
  const { done, value } = await source.next();
  const chunks = continued(done ? [] : [value], source);
  return { response: { kind: 'native-stream', chunks }, first: done ? '' : (value[0] ?? '') };
}

/**
 * Ends the unread state of a background response of which all has passed, or that was blocked. Never rejects: the notes list failures.
 * @returns whether this call ended it: it records the usage, so that totals count each response once
 */
async function endReading(
  { key }: RequestContext,
  id: string,
  { given }: Conversation,
  ending: Ending,
  note: (note: string) => void,
  { issuedIds }: Pick<PipelineDeps, 'issuedIds'>,
): Promise<boolean> {
  const isBlocked = ending === 'blocked';
  if (!given.includes(id) && !isBlocked) return false;
  try {
    return await issuedIds.read(key.id, id, isBlocked);
  } catch (error) {
    note(`response not marked as read: ${errorName(error)}`);
    return false;
  }
}
