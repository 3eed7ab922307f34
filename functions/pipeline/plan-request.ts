import { limitsOf, type Need, NO_NEED } from '../control/limits/index.ts';
import type { Policy } from '../inspection/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { JsonDocument, JsonEdit } from '../kernel/json/index.ts';
import type { ApiKey, ChatRequest } from '../kernel/model/index.ts';
import { giveWayFor } from '../kernel/tasks/index.ts';
import { type AskedCharges, askedCharges } from '../translation/protocols/bodies/asked-charges.ts';
import { hasEncodedMedia } from '../translation/protocols/bodies/prompts.ts';
import { boundPrediction, uncountedOutputField } from '../translation/protocols/bodies/token-bounds.ts';
import type {
  FurtherModel,
  NamedId,
  OperationName,
  UpstreamOperation,
  UsageBounds,
} from '../translation/protocols/protocol.ts';
import { allowedBy } from '../translation/routing/list-models.ts';
import type { ChatProvider } from '../translation/routing/provider.ts';
import {
  invalidName,
  isCallable,
  modelNotAllowed,
  routeModel,
  type Target,
  type Targets,
} from '../translation/routing/route-model.ts';
import { boundCost, partOf, unpriced } from './bound-cost.ts';
import { type Parsed, withUnknown } from './parse-request.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import type { Routed } from './request-outcome.ts';
import type { ReservedUsage } from './usage-meter.ts';

type RoutingDeps = Pick<PipelineDeps, 'routes' | 'providers' | 'random'>;

/**
 * The targets of the request's model that the key may use, in the order of attempts.
 * @throws GatewayError of an unknown or forbidden model
 */
export function routeRequest(
  { allowedModels }: Pick<ApiKey, 'allowedModels'>,
  { request: { model }, further }: { readonly request: ChatRequest; readonly further: readonly FurtherModel[] },
  { routes, providers, random }: RoutingDeps,
): Routed {
  const allows = allowedBy(allowedModels, routes);
  const targets = routeModel(model, routes, providers, random, allows);
  if (!targets.every((target) => isCallable(target.provider, target.model))) throw invalidName();
  for (const { name, param } of further) {
    if (!targets.every(({ provider }) => allows({ provider, model: name }, `${provider}/${name}`)))
      throw modelNotAllowed(name, param);
  }
  return { targets, alternativeModels: further.filter(({ adds }) => !adds).map(({ name }) => name) };
}

/** The targets that serve the request's protocol. @throws GatewayError `invalid_value` if there are none */
export function servingTargets(
  { targets }: Routed,
  { others }: Pick<ChatRequest, 'others'>,
  operation: OperationName,
  isStrict: boolean,
  deps: Pick<RoutingDeps, 'providers'>,
): Targets {
  const [{ provider }] = targets;
  const serving = targets.filter((target) => deps.providers.get(target.provider)?.serves.has(operation));
  if (serving.length === 0) {
    const message = `The provider '${provider}' does not serve this path: choose another model.`;
    throw new GatewayError('invalid_value', message, { param: 'model' });
  }
  const isLost = others.some(({ meaning }) => meaning === 'essential' || (isStrict && meaning === 'hint'));
  const able = isLost ? serving.filter((target) => isNative([target], operation, deps)) : serving;
  // Without one, the provider refuses the field, after the inspection.
  const [first, ...rest] = able.length > 0 ? able : serving;
  return [first as Target, ...rest];
}

/** Whether a provider of any of the targets serves the operation directly, so that nothing is translated. */
export function isNative(
  targets: readonly Target[],
  operation: OperationName,
  { providers }: Pick<RoutingDeps, 'providers'>,
): boolean {
  return targets.some(({ provider }) => providers.get(provider)?.nativeOperations?.has(operation) === true);
}

/** The same of all of them. */
function areNative(
  targets: readonly Target[],
  operation: OperationName,
  deps: Pick<RoutingDeps, 'providers'>,
): boolean {
  return targets.every((target) => isNative([target], operation, deps));
}

/** The length limit of a response if neither caller, policy nor the table of models sets one. */
const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

/** What a provider reads under a reference that no list names is not known; the largest model context bounds it. */
const LONGEST_CONTEXT = 2_000_000;

/** OpenRouter accepts three in `models`. */
const MAX_FURTHER_MODELS = 8;

type Bounds<Body> = UsageBounds<Body> & UpstreamOperation;

/** How a request is served, if it is admitted and passes the inspection. */
export interface Plan<Body> extends Required<RequestBound> {
  /** Without members that look like references and are labels at every target. */
  readonly parsed: Parsed<Body>;
  readonly targets: Targets;
}

/** @throws GatewayError as `servingTargets` and `boundRequest` do */
export async function planRequest<Body>(
  context: RequestContext,
  parsed: Parsed<Body>,
  routed: Routed,
  protocol: Bounds<Body>,
  deps: BoundDeps & Pick<PipelineDeps, 'scheduler'>,
): Promise<Plan<Body>> {
  const targets = servingTargets(routed, parsed.request, protocol.operation, context.strictTranslation, deps);
  const unlabelled = withoutLabels(parsed, targets, deps);
  await giveWayFor(parsed.document, deps.scheduler);
  const bound = boundRequest(context, unlabelled, protocol, targets, deps);
  return { reserved: undefined, edits: [], ...bound, parsed: unlabelled, targets };
}

/** Leaves out members that look like references and are labels at every target. */
function withoutLabels<Body>(
  parsed: Parsed<Body>,
  targets: Targets,
  { providers }: Pick<RoutingDeps, 'providers'>,
): Parsed<Body> {
  const isLabel = ({ unknownAt, param }: NamedId) =>
    unknownAt !== undefined && targets.every(({ provider }) => providers.get(provider)?.labels?.includes(param));
  const named = parsed.named.filter((one) => !isLabel(one));
  return { ...parsed, named, request: withUnknown(parsed.request, named) };
}

export interface RequestBound {
  readonly need: Need;
  /** The need in detail; undefined if neither tokens nor money are limited. */
  readonly reserved?: ReservedUsage | undefined;
  /** The length limit to send to the provider, by the caller or by us; undefined if there is none, or it is the model's. */
  readonly maxOutputTokens: number | undefined;
  /** The edits that bound what has a price besides tokens. */
  readonly edits?: readonly JsonEdit[];
}

type BoundDeps = Pick<PipelineDeps, 'models' | 'providers'>;

/**
 * The maximum usage of a request, which is reserved before the provider is called.
 * @throws GatewayError `invalid_value` for more than the key's whole limit (waiting would never help), for a longer response than the policy
 * allows, and for a model with an unknown price if money is limited
 */
export function boundRequest<Body>(
  context: RequestContext,
  parsed: Parsed<Body>,
  protocol: Bounds<Body>,
  targets: Targets,
  deps: BoundDeps,
): RequestBound {
  const { document, body, request, policy } = parsed;
  const isUnlimited = limitsOf(context.key).tokens === undefined && budgetsOf(context).length === 0;
  const { maxOutputTokens: asked, choiceCount } = request;
  const writes = choiceCount > 0;
  const { maxOutputTokens: field } = protocol.fieldNames(body);
  if (asked !== undefined && policy.maxOutputTokens !== undefined && asked > policy.maxOutputTokens) {
    const message = `The policy of this API key allows '${field}' up to ${policy.maxOutputTokens}.`;
    throw new GatewayError('invalid_value', message, { param: field });
  }
  const isUnbounded = protocol.unbilled || (isUnlimited && policy.maxOutputTokens === undefined);
  if (isUnbounded) return { need: NO_NEED, maxOutputTokens: undefined };
  if (protocol.outputFields !== undefined) refuseUncounted(document, protocol.outputFields, field);
  if (isUnlimited) return { need: NO_NEED, maxOutputTokens: writes ? (asked ?? policy.maxOutputTokens) : undefined };
  const { imposed, ...bound } = reserveFor(context, parsed, protocol, targets, deps);
  return { ...bound, maxOutputTokens: writes ? (asked ?? imposed) : undefined };
}

/** The reservation in the key's limits: enough for each model that may respond. `imposed`: the length limit to send to the provider. */
function reserveFor<Body>(
  context: RequestContext,
  parsed: Parsed<Body>,
  protocol: Bounds<Body>,
  targets: Targets,
  deps: BoundDeps,
) {
  const { tokens } = limitsOf(context.key);
  const budgets = budgetsOf(context);
  const charges = budgets.length === 0 ? undefined : askedCharges(parsed.document.value);
  const bounds = targets.flatMap(({ provider, model }) => [
    boundModel(provider, { name: model, param: 'model', adds: false }, parsed, protocol, charges, deps),
    ...distinct(parsed.further).map((one) => boundModel(provider, one, parsed, protocol, charges, deps)),
  ]);
  const known = bounds.flatMap((bound) => bound ?? []);
  const input = Math.max(...known.map((bound) => bound.input));
  const output = Math.max(...known.map((bound) => bound.output));
  const searches = Math.max(...known.map((bound) => bound.searches));
  const nanoUsd = Math.max(
    ...known.map((bound) => (bound.isPresumed ? partOf(bound.nanoUsd, budgets) : bound.nanoUsd)),
  );
  const need = { tokens: tokens === undefined ? 0 : input + output, nanoUsd };
  const inTokens = tokens !== undefined && need.tokens > tokens.capacity;
  const tooSmall = budgets.find((budget) => nanoUsd > budget.nanoUsd)?.name;
  if (inTokens || tooSmall !== undefined) {
    const { maxOutputTokens: field, input: inputField } = protocol.fieldNames(parsed.body);
    const whole = inTokens ? `its limit of ${tokens.capacity} tokens` : tooSmall;
    const message = `A request of up to ${input} input and ${output} output tokens exceeds a limit of this API key: ${whole}. Set a lower '${field}'.`;
    throw new GatewayError('invalid_value', message, { param: input < output ? field : inputField });
  }
  const sent = known.flatMap(({ longest }) => (longest.sent ? [longest.tokens] : []));
  return {
    need,
    reserved: { input, output, searches, nanoUsd },
    imposed: sent.length > 0 ? Math.min(...sent) : undefined,
    edits: areNative(targets, protocol.operation, deps) ? (charges?.edits ?? []) : [],
  };
}

/** The maximum usage of one model; undefined for an additional model with an unknown price. */
function boundModel<Body>(
  provider: string,
  { name, param, adds }: FurtherModel,
  { document, body, request, named, policy }: Parsed<Body>,
  protocol: Bounds<Body>,
  charges: AskedCharges | undefined,
  deps: BoundDeps,
) {
  const { models, providers } = deps;
  const model = models.find(provider, name);
  const readsUnknown = named.some(({ unknownAt }) => unknownAt !== undefined) || hasEncodedMedia(document.value);
  const held = readsUnknown ? (model.contextTokens ?? LONGEST_CONTEXT) : 0;
  const input = held + protocol.boundInputTokens(body, model.contextTokens, name);
  const longest = boundOutput(providers.get(provider), policy, model.maxOutputTokens, input);
  const asked = (request.maxOutputTokens ?? longest.tokens) * request.choiceCount + boundPrediction(document.value);
  const output = protocol.boundOutputTokens?.(body, name, model.maxOutputTokens) ?? asked;
  const bound = { input, output, longest };
  if (charges === undefined) return { ...bound, searches: 0, nanoUsd: 0, isPresumed: false };
  const isNativeTarget = areNative([{ provider, model: name }], protocol.operation, deps);
  const { input: inputField } = protocol.fieldNames(body);
  const cost = boundCost(
    models,
    { provider, name, ...bound },
    { request, charges, isNative: isNativeTarget, inputField },
  );
  if (cost !== undefined) return { ...bound, ...cost };
  if (adds) return undefined;
  throw unpriced(`the model '${name}'`, param);
}

/** Each name once, since each is a separate bound of the whole request. @throws GatewayError for too many names */
function distinct(further: readonly FurtherModel[]): readonly FurtherModel[] {
  const byName = new Map<string, FurtherModel>();
  for (const one of further) if (!byName.has(one.name)) byName.set(one.name, one);
  const models = [...byName.values()];
  const excess = models[MAX_FURTHER_MODELS];
  if (excess !== undefined) {
    const message = `With a limit of tokens or money, a request may name at most ${MAX_FURTHER_MODELS} further models.`;
    throw new GatewayError('invalid_value', message, { param: excess.param });
  }
  return models;
}

/** Only the protocol's output fields are reserved: a server that reads another member would write more. */
function refuseUncounted(document: JsonDocument, counted: readonly string[], field: string): void {
  const name = uncountedOutputField(document.value, counted);
  if (name === undefined) return;
  const message = `The response length is limited for this API key, and '${name}' is not counted: remove it and set '${field}'.`;
  throw new GatewayError('invalid_value', message, { param: name });
}

/** The budgets that admit the request: the key's own, and shared ones. */
function budgetsOf({ key, tagLimits }: RequestContext): { readonly nanoUsd: number; readonly name: string }[] {
  const { budget } = limitsOf(key);
  const shared = tagLimits.flatMap(({ limits, budget: { tag, value } }) =>
    limits.budget === undefined ? [] : [{ ...limits.budget, name: `the budget of its tag '${tag}: ${value}'` }],
  );
  return budget === undefined ? shared : [{ ...budget, name: 'its budget' }, ...shared];
}

/** The response length if the caller sets none, and whether it must be sent to the provider. */
function boundOutput(
  provider: ChatProvider | undefined,
  policy: Policy,
  ofModel: number | undefined,
  input: number,
): { tokens: number; sent: boolean } {
  if (policy.maxOutputTokens !== undefined) return { tokens: policy.maxOutputTokens, sent: true };
  const { longestOutput } = provider ?? {};
  if (longestOutput !== undefined) return { tokens: longestOutput === 'input' ? input : longestOutput, sent: false };
  if (ofModel !== undefined) return { tokens: ofModel, sent: false };
  return { tokens: DEFAULT_MAX_OUTPUT_TOKENS, sent: true };
}
