import { GatewayError } from '../../kernel/errors/index.ts';
import type { JsonDocument, JsonEdit } from '../../kernel/json/index.ts';
import type { ChatRequest } from '../../kernel/model/index.ts';
import { type AskedCharges, askedCharges } from '../protocols/bodies/asked-charges.ts';
import { hasEncodedMedia } from '../protocols/bodies/prompts.ts';
import { boundPrediction } from '../protocols/bodies/token-bounds.ts';
import type { FurtherModel, NamedId, UpstreamOperation, UsageBounds } from '../protocols/protocol.ts';
import { boundCost, type CostBound, unpriced } from './bound-cost.ts';
import type { ModelCatalog } from './model-catalog.ts';
import type { ModelRouter } from './model-router.ts';
import type { ChatProvider, Providers } from './provider.ts';
import type { Targets } from './route-model.ts';

/** The length limit of a response if neither caller, policy nor the table of models sets one. */
const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

/** What a provider reads under a reference that no list names is not known; the largest model context bounds it. */
const LONGEST_CONTEXT = 2_000_000;

/** OpenRouter accepts three in `models`. */
const MAX_FURTHER_MODELS = 8;

/** A request as its API has read it. */
interface BoundedRequest<Body> {
  readonly document: Pick<JsonDocument, 'value'>;
  readonly body: Body;
  readonly request: ChatRequest;
  readonly further: readonly FurtherModel[];
  readonly named: readonly NamedId[];
}

interface BoundOptions {
  /** The policy's limit of a response. */
  readonly maxOutputTokens: number | undefined;
  /** Whether money is limited. */
  readonly isPriced: boolean;
}

interface BoundDeps {
  readonly models: ModelCatalog;
  readonly providers: Providers;
  readonly router: Pick<ModelRouter, 'isNative'>;
}

type Bounds<Body> = UsageBounds<Body> & Pick<UpstreamOperation, 'operation'>;

/** The maximum usage of one model. */
interface ModelBound extends CostBound {
  readonly input: number;
  readonly output: number;
  /** The length limit to send to its provider; undefined if that has its own. */
  readonly imposed: number | undefined;
}

/** The maximum usage of a request. */
interface UsageBound {
  /** Of each model that may respond. */
  readonly models: readonly ModelBound[];
  /** The edits that bound what has a price besides tokens. */
  readonly edits: readonly JsonEdit[];
}

/**
 * The maximum usage of a request at its targets, before a provider is called.
 * @throws GatewayError `invalid_value` for too many models, and for a charge of unknown price if money is limited
 */
export function boundUsage<Body>(
  asked: BoundedRequest<Body>,
  protocol: Bounds<Body>,
  targets: Targets,
  options: BoundOptions,
  deps: BoundDeps,
): UsageBound {
  const charges = options.isPriced ? askedCharges(asked.document.value) : undefined;
  const bounding = { asked, protocol, charges, options, deps };
  const bounds = targets.flatMap(({ provider, model }) => [
    boundModel(provider, { name: model, param: 'model', adds: false }, bounding),
    ...distinct(asked.further).map((one) => boundModel(provider, one, bounding)),
  ]);
  const areNative = targets.every((target) => deps.router.isNative([target], protocol.operation));
  return {
    models: bounds.flatMap((bound) => bound ?? []),
    edits: areNative ? (charges?.edits ?? []) : [],
  };
}

interface Bounding<Body> {
  readonly asked: BoundedRequest<Body>;
  readonly protocol: Bounds<Body>;
  /** undefined if money is not limited. */
  readonly charges: AskedCharges | undefined;
  readonly options: BoundOptions;
  readonly deps: BoundDeps;
}

/** The maximum usage of one model; undefined for an additional model with an unknown price. */
function boundModel<Body>(
  provider: string,
  { name, param, adds }: FurtherModel,
  { asked, protocol, charges, options: { maxOutputTokens }, deps: { models, providers, router } }: Bounding<Body>,
): ModelBound | undefined {
  const { document, body, request, named } = asked;
  const model = models.find(provider, name);
  const readsUnknown = named.some(({ unknownAt }) => unknownAt !== undefined) || hasEncodedMedia(document.value);
  const held = readsUnknown ? (model.contextTokens ?? LONGEST_CONTEXT) : 0;
  const input = held + protocol.boundInputTokens(body, model.contextTokens, name);
  const longest = boundOutput(providers.get(provider), maxOutputTokens, model.maxOutputTokens, input);
  const written = (request.maxOutputTokens ?? longest.tokens) * request.choiceCount + boundPrediction(document.value);
  const output = protocol.boundOutputTokens?.(body, name, model.maxOutputTokens) ?? written;
  const bound = { input, output, imposed: longest.sent ? longest.tokens : undefined };
  if (charges === undefined) return { ...bound, searches: 0, nanoUsd: 0, isPresumed: false };
  const isNative = router.isNative([{ provider, model: name }], protocol.operation);
  const { input: inputField } = protocol.fieldNames(body);
  const cost = boundCost(models, { provider, name, ...bound }, { request, charges, isNative, inputField });
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

/** The response length if the caller sets none, and whether it must be sent to the provider. */
function boundOutput(
  provider: ChatProvider | undefined,
  ofPolicy: number | undefined,
  ofModel: number | undefined,
  input: number,
): { tokens: number; sent: boolean } {
  if (ofPolicy !== undefined) return { tokens: ofPolicy, sent: true };
  const { longestOutput } = provider ?? {};
  if (longestOutput !== undefined) return { tokens: longestOutput === 'input' ? input : longestOutput, sent: false };
  if (ofModel !== undefined) return { tokens: ofModel, sent: false };
  return { tokens: DEFAULT_MAX_OUTPUT_TOKENS, sent: true };
}
