import { limitsOf, type Need, NO_NEED, type SharedLimit } from '../control/limits/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { JsonEdit } from '../kernel/json/index.ts';
import { giveWayFor } from '../kernel/tasks/index.ts';
import { boundUsage, type NamedId, type Protocol, type Targets } from '../translation/index.ts';
import { type Parsed, withUnknown } from './parse-request.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import type { Routed } from './request-outcome.ts';
import type { ReservedUsage } from './usage-meter.ts';

/** How a request is served, if it is admitted and passes the inspection. */
export interface Plan<Body> extends Required<RequestBound> {
  /** Without members that look like references and are labels at every target. */
  readonly parsed: Parsed<Body>;
  readonly targets: Targets;
  readonly route: Routed['route'];
}

/** @throws GatewayError if no target serves the request, and as `boundRequest` does */
export async function planRequest<Body>(
  context: RequestContext,
  parsed: Parsed<Body>,
  routed: Routed,
  protocol: Protocol<Body>,
  deps: BoundDeps & Pick<PipelineDeps, 'scheduler'>,
): Promise<Plan<Body>> {
  const targets = deps.router.serving(routed, parsed.request, protocol.operation, context.strictTranslation);
  const unlabelled = withoutLabels(parsed, targets, deps);
  await giveWayFor(parsed.document, deps.scheduler);
  const bound = boundRequest(context, { ...unlabelled, ...unlabelled.removed?.left }, protocol, targets, deps);
  return { reserved: undefined, edits: [], ...bound, parsed: unlabelled, targets, route: routed.route };
}

/** Leaves out members that look like references and are labels at every target. */
function withoutLabels<Body>(
  parsed: Parsed<Body>,
  targets: Targets,
  { providers }: Pick<PipelineDeps, 'providers'>,
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

type BoundDeps = Pick<PipelineDeps, 'providers' | 'router'>;

/**
 * The maximum usage of a request, which is reserved before the provider is called.
 * @throws GatewayError `invalid_value` for more than the key's whole limit (waiting would never help), for a longer response than the policy
 * allows, and for a model with an unknown price if money is limited
 */
export function boundRequest<Body>(
  context: RequestContext,
  parsed: Parsed<Body>,
  protocol: Protocol<Body>,
  targets: Targets,
  deps: BoundDeps,
): RequestBound {
  const { document, body, request, policy } = parsed;
  const isUnlimited = tokenLimitsOf(context).length === 0 && budgetsOf(context).length === 0;
  const { maxOutputTokens: asked, choiceCount } = request;
  const writes = choiceCount > 0;
  const { maxOutputTokens: field } = protocol.fieldNames(body);
  if (asked !== undefined && policy.maxOutputTokens !== undefined && asked > policy.maxOutputTokens) {
    const message = `The policy of this API key allows '${field}' up to ${policy.maxOutputTokens}.`;
    throw new GatewayError('invalid_value', message, { param: field });
  }
  const isUnbounded = protocol.unbilled || (isUnlimited && policy.maxOutputTokens === undefined);
  if (isUnbounded) return { need: NO_NEED, maxOutputTokens: undefined };
  const uncounted = protocol.uncountedOutput?.(document.value);
  if (uncounted !== undefined) throw uncountedOutput(uncounted, field);
  if (isUnlimited) return { need: NO_NEED, maxOutputTokens: writes ? (asked ?? policy.maxOutputTokens) : undefined };
  const { imposed, ...bound } = reserveFor(context, parsed, protocol, targets, deps);
  return { ...bound, maxOutputTokens: writes ? (asked ?? imposed) : undefined };
}

/** The reservation in the key's limits: enough for each model that may respond. `imposed`: the length limit to send to the provider. */
function reserveFor<Body>(
  context: RequestContext,
  parsed: Parsed<Body>,
  protocol: Protocol<Body>,
  targets: Targets,
  deps: BoundDeps,
) {
  const tokenLimits = tokenLimitsOf(context);
  const budgets = budgetsOf(context);
  const options = { maxOutputTokens: parsed.policy.maxOutputTokens, isPriced: budgets.length > 0 };
  const bounding = { ...deps, models: context.models };
  const { models: bounds, edits } = boundUsage(parsed, protocol, targets, options, bounding);
  const input = Math.max(...bounds.map((bound) => bound.input));
  const output = Math.max(...bounds.map((bound) => bound.output));
  const searches = Math.max(...bounds.map((bound) => bound.searches));
  const nanoUsd = Math.max(
    ...bounds.map((bound) => (bound.isPresumed ? partOf(bound.nanoUsd, budgets) : bound.nanoUsd)),
  );
  const need = { tokens: tokenLimits.length === 0 ? 0 : input + output, nanoUsd };
  const tooSmall = limitBelow(context, need);
  if (tooSmall !== undefined) {
    const { maxOutputTokens: field, input: inputField } = protocol.fieldNames(parsed.body);
    const message = `A request of up to ${input} input and ${output} output tokens exceeds a limit of this API key: ${tooSmall}. Set a lower '${field}'.`;
    throw new GatewayError('invalid_value', message, { param: input < output ? field : inputField });
  }
  const imposed = bounds.flatMap((bound) => bound.imposed ?? []);
  return {
    need,
    reserved: { input, output, searches, nanoUsd },
    imposed: imposed.length > 0 ? Math.min(...imposed) : undefined,
    edits,
  };
}

/** The name of a limit whose whole is less than this need, so that waiting would never help; undefined if there is none. */
export function limitBelow(context: RequestContext, { tokens, nanoUsd }: Need): string | undefined {
  const tooSmall =
    tokenLimitsOf(context).find(({ capacity }) => tokens > capacity) ??
    budgetsOf(context).find((budget) => nanoUsd > budget.nanoUsd);
  return tooSmall?.name;
}

/** Requests of a presumed price that a budget admits at the same time, at least. */
const MOST_PRESUMED = 10;

/** What a request of a presumed price reserves: a small budget admits it too, since its cost is reported when it ends. */
function partOf(nanoUsd: number, budgets: readonly { readonly nanoUsd: number }[]): number {
  return Math.min(nanoUsd, ...budgets.map((budget) => Math.floor(budget.nanoUsd / MOST_PRESUMED)));
}

/** Only the protocol's output fields are reserved: a server that reads another member would write more. */
function uncountedOutput(name: string, field: string): GatewayError {
  const message = `The response length is limited for this API key, and '${name}' is not counted: remove it and set '${field}'.`;
  return new GatewayError('invalid_value', message, { param: name });
}

/** The token limits that admit the request: the key's own, and its team's. */
function tokenLimitsOf({ key, sharedLimits }: RequestContext): { readonly capacity: number; readonly name: string }[] {
  const { tokens } = limitsOf(key);
  const shared = sharedLimits.flatMap(({ kind, limits }) =>
    kind !== 'team' || limits.tokens === undefined
      ? []
      : [{ ...limits.tokens, name: `its team's limit of ${limits.tokens.capacity} tokens` }],
  );
  return tokens === undefined ? shared : [{ ...tokens, name: `its limit of ${tokens.capacity} tokens` }, ...shared];
}

/** The budgets that admit the request: the key's own, and shared ones. */
function budgetsOf({ key, sharedLimits }: RequestContext): { readonly nanoUsd: number; readonly name: string }[] {
  const { budget } = limitsOf(key);
  const shared = sharedLimits.flatMap((one) =>
    one.limits.budget === undefined ? [] : [{ ...one.limits.budget, name: nameOfBudget(one) }],
  );
  return budget === undefined ? shared : [{ ...budget, name: 'its budget' }, ...shared];
}

function nameOfBudget(shared: SharedLimit): string {
  if (shared.kind !== 'tag') return 'the budget of its team';
  const { tag, value } = shared.budget;
  return `the budget of its tag '${tag}: ${value}'`;
}
