import { GatewayError } from '../../kernel/errors/index.ts';
import { type ChatRequest, TERMS } from '../../kernel/model/index.ts';
import type { AskedCharges } from '../protocols/bodies/asked-charges.ts';
import { searchesByModel } from '../protocols/bodies/token-bounds.ts';
import { costBound, isUnknownTerm } from './cost.ts';
import type { ModelCatalog } from './model-catalog.ts';
import type { ModelFacts } from './model-facts.ts';

interface BoundedModel {
  readonly provider: string;
  readonly name: string;
  readonly input: number;
  readonly output: number;
}

interface PricedRequest {
  readonly request: ChatRequest;
  readonly charges: AskedCharges;
  /** Whether the model's provider has the caller's protocol: tools and terms are not translated. */
  readonly isNative: boolean;
  /** How errors name the model input. */
  readonly inputField: string;
}

/** The highest known cost of a request at a model. `isPresumed`: its price is not known, and its provider reports the cost at the end. */
export interface CostBound {
  readonly searches: number;
  readonly nanoUsd: number;
  readonly isPresumed: boolean;
}

/**
 * The highest known cost of a request; undefined if the model has no price, and the policy's `unknownPrice` is not `tokensOnly`.
 * @throws GatewayError `invalid_value` for another charge of unknown price, with the same exception, if an operator could set its price and
 * no provider reports it
 */
export function boundCost(
  models: ModelCatalog,
  { provider, name, input, output }: BoundedModel,
  asked: PricedRequest,
): CostBound | undefined {
  const model = models.find(provider, name);
  const { charges, request, isNative } = asked;
  const searches = searchesByModel(name) ? Math.max(1, request.choiceCount, charges.searches) : charges.searches;
  const isPresumed = model.prices === undefined && model.charges.reportsCost === true;
  // Bedrock takes tiers of other APIs too.
  if (models.unknownPrice !== 'tokensOnly') {
    if (model.prices === undefined && !isPresumed) return undefined;
    if (!isPresumed && (isNative || provider === 'bedrock')) refuseUnpriced(model, name, searches, asked);
  }
  const facts = isPresumed ? models.presumed(name) : model;
  return { searches, nanoUsd: costBound(facts, input, output, { terms: charges.terms, searches }), isPresumed };
}

function refuseUnpriced(
  model: ModelFacts,
  name: string,
  searches: number,
  { request, charges: { terms, members, searchParam }, inputField }: PricedRequest,
): void {
  const { prices, charges } = model;
  if (charges.reportsCost || (prices?.input === 0 && prices.output === 0)) return;
  for (const term of TERMS) {
    const value = terms[term];
    if (isUnknownTerm(model, value)) throw unpriced(`'${value}' for the model '${name}'`, members[term] ?? term);
  }
  if (searches > 0 && charges.perSearch === undefined)
    throw unpriced(`a search by the model '${name}'`, searchParam ?? 'model');
  const hasAudio = request.messages.some(({ parts }) => parts.some(({ type }) => type === 'audio'));
  if (hasAudio && prices?.inputAudio === undefined) throw unpriced(`audio for the model '${name}'`, inputField);
}

export function unpriced(what: string, param: string): GatewayError {
  const message = `This API key has a budget or shares one, and the price of ${what} is unknown.`;
  return new GatewayError('invalid_value', message, { param });
}
