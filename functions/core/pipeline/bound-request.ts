import { GatewayError } from '../base/errors.ts';
import type { JsonDocument } from '../base/json-document.ts';
import type { Policy } from '../inspect/policy.ts';
import { limitsOf, type Need, NO_NEED } from '../limits/limits.ts';
import type { ChatRequest } from '../model/chat.ts';
import { uncountedOutputField } from '../protocols/bodies/token-bounds.ts';
import type { FurtherModel, Protocol } from '../protocols/protocol.ts';
import { costBound } from '../routing/model-catalog.ts';
import type { ChatProvider } from '../routing/provider.ts';
import type { Targets } from '../routing/route-model.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import type { ReservedTokens } from './usage-meter.ts';

/** The longest answer that is asked for where neither caller, policy nor the table of models says one. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

/** OpenRouter takes three in `models`. */
const MAX_FURTHER_MODELS = 8;

/** A parsed request. */
interface RequestToBound<Body> {
  readonly document: JsonDocument;
  readonly body: Body;
  readonly request: ChatRequest;
  readonly further: readonly FurtherModel[];
  readonly policy: Policy;
}

export interface RequestBound {
  readonly need: Need;
  /** The same need in tokens; undefined where neither tokens nor money are limited. */
  readonly reserved?: ReservedTokens | undefined;
  /** The longest answer, to be sent to the provider, the caller's own or ours; undefined: nothing limits it, or the model does. */
  readonly maxOutputTokens: number | undefined;
}

/**
 * The most that a chat completion may use, which is reserved before the provider is called.
 * @throws GatewayError `invalid_value` for a bound above the key's whole limit (waiting would never help), for a longer
 * answer than the policy allows, and for a model whose price is not known where money is limited
 */
export function boundRequest<Body>(
  context: RequestContext,
  { document, body, request, further, policy }: RequestToBound<Body>,
  protocol: Protocol<Body>,
  targets: Targets,
  deps: Pick<PipelineDeps, 'models' | 'providers'>,
): RequestBound {
  const { tokens } = limitsOf(context.key);
  const budgets = budgetsOf(context);
  const { maxOutputTokens: asked, choiceCount } = request;
  const writes = choiceCount > 0;
  const { maxOutputTokens: field, input: inputField } = protocol.fieldNames(body);
  if (asked !== undefined && policy.maxOutputTokens !== undefined && asked > policy.maxOutputTokens) {
    const message = `The policy of this API key allows '${field}' up to ${policy.maxOutputTokens}.`;
    throw new GatewayError('invalid_value', message, { param: field });
  }
  if (protocol.unbilled) return { need: NO_NEED, maxOutputTokens: undefined };
  const isUnlimited = tokens === undefined && budgets.length === 0;
  if (isUnlimited && policy.maxOutputTokens === undefined) return { need: NO_NEED, maxOutputTokens: undefined };
  if (writes) refuseUncounted(document, protocol, field);
  if (isUnlimited) return { need: NO_NEED, maxOutputTokens: writes ? (asked ?? policy.maxOutputTokens) : undefined };

  // Whichever of them answers, what it costs is reserved.
  const named = targets.flatMap(({ provider, model }) => [
    { provider, name: model, param: 'model', adds: false },
    ...distinct(further).map((one) => ({ ...one, provider })),
  ]);
  const bounds = named.flatMap(({ provider, name, param, adds }) => {
    const model = deps.models.find(provider, name);
    const input = protocol.boundInputTokens(body, model.contextTokens, name);
    const longest = boundAnswer(deps.providers.get(provider), policy, model.maxOutputTokens, input);
    const output = protocol.boundOutputTokens?.(body, name) ?? (asked ?? longest.tokens) * choiceCount;
    const nanoUsd = budgets.length === 0 ? 0 : costBound(model, input, output);
    if (nanoUsd === undefined && adds) return [];
    if (nanoUsd === undefined) {
      const message = `This API key has a budget, its own or one that it shares, and the price of the model '${name}' is not known here.`;
      throw new GatewayError('invalid_value', message, { param });
    }
    return { input, output, longest, nanoUsd };
  });
  const largest = <T>(of: (bound: (typeof bounds)[number]) => T) => bounds.map(of).reduce((a, b) => (b > a ? b : a));
  const [input, output, nanoUsd] = [
    largest((bound) => bound.input),
    largest((bound) => bound.output),
    largest((bound) => bound.nanoUsd),
  ];
  const sent = bounds.flatMap(({ longest }) => (longest.sent ? [longest.tokens] : []));
  const need = { tokens: tokens === undefined ? 0 : input + output, nanoUsd };
  const inTokens = tokens !== undefined && need.tokens > tokens.capacity;
  const tooSmall = budgets.find((budget) => nanoUsd > budget.nanoUsd)?.name;
  if (inTokens || tooSmall !== undefined) {
    const whole = inTokens ? `its limit of ${tokens.capacity} tokens` : tooSmall;
    const message = `A request of up to ${input} input and ${output} output tokens is larger than the whole of what this API key has: ${whole}. Set a lower '${field}'.`;
    throw new GatewayError('invalid_value', message, { param: input < output ? field : inputField });
  }
  const ours = sent.length > 0 ? Math.min(...sent) : undefined;
  return { need, reserved: { input, output }, maxOutputTokens: writes ? (asked ?? ours) : undefined };
}

/** Each name once. For each, the whole request is measured anew. @throws GatewayError for more names than requests need */
function distinct(further: readonly FurtherModel[]): readonly FurtherModel[] {
  const byName = new Map<string, FurtherModel>();
  for (const one of further) if (!byName.has(one.name)) byName.set(one.name, one);
  const models = [...byName.values()];
  const excess = models[MAX_FURTHER_MODELS];
  if (excess !== undefined) {
    const message = `With a limit of tokens or money, a request may name ${MAX_FURTHER_MODELS} further models.`;
    throw new GatewayError('invalid_value', message, { param: excess.param });
  }
  return models;
}

/** What is reserved is what the protocol counts: a server that reads another member would answer more. */
function refuseUncounted(
  document: JsonDocument,
  { outputFields = [] }: Pick<Protocol<unknown>, 'outputFields'>,
  field: string,
): void {
  const name = uncountedOutputField(document.value, outputFields);
  if (name === undefined) return;
  const message = `The length of answers is limited for this API key, and '${name}' is not counted here: leave it out, and set '${field}'.`;
  throw new GatewayError('invalid_value', message, { param: name });
}

/** The money that its requests are admitted by: the key's own, and what it shares. */
function budgetsOf({ key, tagLimits }: RequestContext): { readonly nanoUsd: number; readonly name: string }[] {
  const { budget } = limitsOf(key);
  const shared = tagLimits.flatMap(({ limits, budget: { tag, value } }) =>
    limits.budget === undefined ? [] : [{ ...limits.budget, name: `the budget of its tag '${tag}: ${value}'` }],
  );
  return budget === undefined ? shared : [{ ...budget, name: 'its budget' }, ...shared];
}

/** The longest answer where the caller says none, and whether the provider must be told. */
function boundAnswer(
  provider: ChatProvider | undefined,
  policy: Policy,
  ofModel: number | undefined,
  input: number,
): { tokens: number; sent: boolean } {
  if (policy.maxOutputTokens !== undefined) return { tokens: policy.maxOutputTokens, sent: true };
  const { longestAnswer } = provider ?? {};
  if (longestAnswer !== undefined) return { tokens: longestAnswer === 'input' ? input : longestAnswer, sent: false };
  if (ofModel !== undefined) return { tokens: ofModel, sent: false };
  return { tokens: DEFAULT_MAX_OUTPUT_TOKENS, sent: true };
}
