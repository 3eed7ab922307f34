import { continued } from '../base/continued.ts';
import { readJsonDocument } from '../base/json-document.ts';
import type { RequestDocument } from '../base/request-document.ts';
import { CpuBudget } from '../base/steps.ts';
import { type Policy, policyOf } from '../inspect/policy.ts';
import { Redaction } from '../inspect/redaction.ts';
import { NO_NEED } from '../limits/limits.ts';
import type { NamedId, Protocol } from '../protocols/protocol.ts';
import type { ProviderResponse, TextResponse } from '../routing/provider.ts';
import type { Target } from '../routing/route-model.ts';
import type { IssuedId } from '../sessions/session-store.ts';
import { Admission } from './admit.ts';
import { Conversation } from './conversation.ts';
import { finishRequest, recordFailure } from './finish-request.ts';
import { checksFor, type OutputInspection } from './inspect-output.ts';
import { depsUnder, type PipelineDeps } from './pipeline-deps.ts';
import { placeholderScope, type RequestContext } from './request-context.ts';
import { ResponseWriter } from './response-writer.ts';
import { askProvider, deliver } from './run-chat.ts';
import { findOwned, idNotFound } from './session-past.ts';

/**
 * Handles one call about a stored response: admit while its id is looked up, call the provider that returned the id, inspect the output as
 * that of any response, finish. The limits count a request: the usage was charged to the request that created the response.
 */
export async function* runStored<Body>(
  context: RequestContext,
  document: RequestDocument,
  protocol: Protocol<Body> & Required<Pick<Protocol<Body>, 'storedId'>>,
  gatewayDeps: PipelineDeps,
): AsyncGenerator<string[], void> {
  const { record } = context;
  const admission = new Admission(context, gatewayDeps);
  record.usage.belongsToEarlier();
  try {
    const body = protocol.check(document);
    const policy = policyOf(context.key.policy);
    const deps = depsUnder(policy, context, gatewayDeps);
    record.requested('', protocol.read(body).stream);
    const id = protocol.storedId(body);
    const owned = await admission.during(NO_NEED, () => findStored(context, id, protocol, deps));
    record.known.transcript?.takeRequest(document.text, () => document.text);
    const reading = new Reading(context, id, owned, deps);
    for await (const batch of respond(context, { body, owned, policy }, protocol, deps)) {
      await reading.endOnce();
      yield batch;
    }
    await reading.endOnce();
  } catch (thrown) {
    throw recordFailure(context, thrown);
  } finally {
    finishRequest(context, admission, gatewayDeps);
  }
}

type Owned = Omit<IssuedId, 'madeBy'> & { readonly madeBy: Target };

/** The stored response of this key. @throws GatewayError `not_found` for any other id */
async function findStored<Body>(
  context: RequestContext,
  id: string,
  { name }: Protocol<Body>,
  deps: PipelineDeps,
): Promise<Owned> {
  const named: NamedId = { id, what: 'Response', param: 'id' };
  const { madeBy, ...rest } = await findOwned(context, named, deps);
  if (madeBy === undefined || deps.providers.get(madeBy.provider)?.serves.has(name) !== true) throw idNotFound(named);
  context.record.requested(madeBy.model, context.record.known.stream);
  context.record.targeted(madeBy);
  return { ...rest, madeBy };
}

async function* respond<Body>(
  context: RequestContext,
  { body, owned, policy }: { readonly body: Body; readonly owned: Owned; readonly policy: Policy },
  protocol: Protocol<Body>,
  deps: PipelineDeps,
): AsyncGenerator<string[], void> {
  const request = { ...protocol.read(body), model: owned.madeBy.model };
  const sent = readJsonDocument(JSON.stringify(body));
  const redaction = new Redaction(placeholderScope(context));
  const inspection = { policy, moderation: undefined, redaction, context: { prompts: [], known: [] } };
  const call = { outgoing: { request, document: sent }, targets: [owned.madeBy] as const, inspection };
  const { response, first } = await withFirst(await askProvider(context, call, protocol, deps));
  const compared: OutputInspection = {
    ...inspection,
    context: { known: [], ...(protocol.promptIn?.(first) ?? { prompts: [] }) },
  };
  const { requestId } = context;
  const head = { requestId, created: Math.floor(deps.clock.now() / 1000), model: request.model };
  const format = protocol.format(request, head, { asked: body, sent: body });
  const pace = { scheduler: deps.scheduler, budget: new CpuBudget(deps.inspectionCpuMs) };
  const checks = checksFor(context, compared, request.stream, deps);
  const writer = new ResponseWriter(context, format, pace);
  yield* deliver(context, { call, response, checks, writer }, deps);
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
 * Ends the unread state of a background response once all of it has passed, or was blocked. The call that ends it records the usage, so that
 * totals count each response once.
 */
class Reading {
  private readonly context: RequestContext;
  private readonly id: string;
  private readonly isUnread: boolean;
  private readonly deps: PipelineDeps;
  private hasEnded = false;

  constructor(context: RequestContext, id: string, { isUnread, score }: Owned, deps: PipelineDeps) {
    this.context = context;
    this.id = id;
    this.isUnread = isUnread === true;
    this.deps = deps;
    if (isUnread) context.record.continues(new Conversation({ score, fetched: id }));
  }

  /** Does nothing until the response has passed the inspection. */
  async endOnce(): Promise<void> {
    const { outcome } = this.context.record.known;
    if (this.hasEnded || (outcome !== 'completed' && outcome !== 'blocked')) return;
    this.hasEnded = true;
    if (!(await this.isFirst(outcome === 'blocked'))) this.context.record.usage.drop();
  }

  private async isFirst(isBlocked: boolean): Promise<boolean> {
    const { key, record } = this.context;
    const { conversation } = record.known;
    const isWhole = conversation?.given.includes(this.id) === true;
    if (!this.isUnread || (!isWhole && !isBlocked)) return false;
    try {
      return await this.deps.issuedIds.read(key.id, this.id, isBlocked);
    } catch (error) {
      record.note(`response not marked as read: ${error instanceof Error ? error.message : typeof error}`);
      return false;
    }
  }
}
