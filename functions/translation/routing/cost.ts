import { TERMS, type UnknownCharge, type Usage } from '../../kernel/model/index.ts';
import type { ModelFacts, TokenPrices } from './model-facts.ts';

/**
 * The known part of what a usage costs at list prices, in whole nano-dollars (a billionth of a US dollar), rounded up. Tokens of a kind without a
 * price cost what others do. What the provider says that it costs, else what was reserved, replaces what is not known.
 * @returns null if nothing is known: unknown is not free
 */
export function costOf(model: ModelFacts, usage: Usage | null): number | null {
  if (usage === null) return null;
  const { reportedNanoUsd, reservedNanoUsd = 0 } = usage;
  const known = knownCost(model, usage);
  const substitute = reportedNanoUsd ?? (reservedNanoUsd > 0 ? reservedNanoUsd : undefined);
  if (!model.charges.reportsCost || substitute === undefined) return known;
  const isComplete = known !== null && listUnknown(model, usage).length === 0;
  return isComplete ? known : Math.max(known ?? 0, substitute);
}

/** The charges that `costOf` does not contain, or only by an estimate; none without usage. */
export function unknownChargesOf(model: ModelFacts, usage: Usage | null): readonly UnknownCharge[] {
  if (usage === null || (model.charges.reportsCost && usage.reportedNanoUsd !== undefined)) return [];
  return [...listUnknown(model, usage), ...(usage.estimated ?? [])];
}

function knownCost(model: ModelFacts, usage: Usage): number | null {
  const { inputTokens, outputTokens } = usage;
  const searches = searchCost(model, usage);
  const prices = pricesFor(model, inputTokens ?? 0);
  const isPriced = prices !== undefined && (inputTokens !== undefined || outputTokens !== undefined);
  if (!isPriced) return searches || null;
  return nanoUsd(tokenParts(prices, usage), factorOf(model, usage)) + searches;
}

type Part = readonly [tokens: number, pricePerMillion: number];

/**
 * The tokens by their prices. Of kinds that are more than all input together, the dearest count first: no count lowers the cost of another, except
 * that of tokens from the cache.
 */
function tokenParts(prices: TokenPrices, usage: Usage): Part[] {
  const { inputTokens = 0, outputTokens = 0, audioInputTokens = 0, cachedInputTokens = 0 } = usage;
  const { cacheWriteInputTokens = 0, cacheWriteHourInputTokens = 0 } = usage;
  const kinds: Part[] = [
    [audioInputTokens, prices.inputAudio ?? prices.input],
    [cacheWriteHourInputTokens, prices.cacheWriteInputHour ?? prices.cacheWriteInput],
    [Math.max(0, cacheWriteInputTokens - cacheWriteHourInputTokens), prices.cacheWriteInput],
    [cachedInputTokens, prices.cachedInput],
  ];
  let left = inputTokens;
  const ofInput = kinds
    .sort(([, a], [, b]) => b - a)
    .map(([count, price]): Part => {
      const part = Math.min(count, left);
      left -= part;
      return [part, price];
    });
  const spoken = Math.min(usage.audioOutputTokens ?? 0, outputTokens);
  return [
    ...ofInput,
    [left, prices.input],
    [outputTokens - spoken, prices.output],
    [spoken, prices.outputAudio ?? prices.output],
  ];
}

function listUnknown(model: ModelFacts, usage: Usage): UnknownCharge[] {
  const { inputTokens, outputTokens, searches = 0, otherSearches = 0, otherFees = [] } = usage;
  const { prices, charges } = model;
  const isUnknown = (price: number | undefined, count: number | undefined) => price === undefined && (count ?? 0) > 0;
  const ofTokens: readonly (readonly [UnknownCharge, boolean])[] =
    prices === undefined
      ? [['tokens', true]]
      : [
          ['tokens', model.isEstimated === true],
          ['inputTokens', inputTokens === undefined],
          ['outputTokens', outputTokens === undefined],
          ['cacheWriteInputHour', isUnknown(prices.cacheWriteInputHour, usage.cacheWriteHourInputTokens)],
          ['inputAudio', isUnknown(prices.inputAudio, usage.audioInputTokens)],
          ['outputAudio', isUnknown(prices.outputAudio, usage.audioOutputTokens)],
          ...TERMS.map((term) => [term, isUnknownTerm(model, usage.terms?.[term])] as const),
        ];
  const isSearchUnknown =
    charges.perRequestAtMost !== undefined ||
    isUnknown(charges.perSearch, searches) ||
    isUnknown(otherFee(model), otherSearches);
  const found: UnknownCharge[] = ofTokens.flatMap(([name, is]) => (is ? [name] : []));
  if (isSearchUnknown) found.push('webSearch');
  return [...found, ...otherFees];
}

/** Whether a term has no known factor. */
export function isUnknownTerm({ charges }: ModelFacts, name: string | undefined): boolean {
  return name !== undefined && !Object.hasOwn(charges.factors, name);
}

function factorOf(model: ModelFacts, { terms = {} }: Usage): number {
  return TERMS.reduce((product, term) => product * factorOfTerm(model, terms[term]), 1);
}

function factorOfTerm({ charges: { factors } }: ModelFacts, name: string | undefined): number {
  return name !== undefined && Object.hasOwn(factors, name) ? (factors[name] as number) : 1;
}

function otherFee({ charges }: ModelFacts): number | undefined {
  return charges.perOtherSearch ?? charges.perSearch;
}

function searchCost(model: ModelFacts, { searches = 0, otherSearches = 0 }: Usage): number {
  const { perSearch = 0, paysSearchOnce } = model.charges;
  const paid = (count: number) => (paysSearchOnce ? Math.min(count, 1) : count);
  const others = paid(otherSearches) * Math.round((otherFee(model) ?? 0) * 1e9);
  return Math.ceil(paid(searches) * Math.round(perSearch * 1e9) + others);
}

/** The highest known cost of these tokens and searches on the terms, in nano-dollars: the fees alone if the model's price is unknown. */
export function costBound(
  model: ModelFacts,
  inputTokens: number,
  outputTokens: number,
  { searches = 0, terms = {} }: Pick<Usage, 'searches' | 'terms'> = {},
): number {
  // The bound may be in a more expensive tier than the real input, never in a cheaper one: prices only rise with length.
  const prices = pricesFor(model, inputTokens);
  const parts: Part[] = prices === undefined ? [] : dearestParts(prices, inputTokens, outputTokens);
  // A provider may serve a request on dearer terms than a cheap one asks for.
  const factor = TERMS.reduce((product, term) => product * Math.max(1, factorOfTerm(model, terms[term])), 1);
  const { perSearch = 0, perRequestAtMost = 0 } = model.charges;
  const fee = Math.max(perSearch, searches > 0 ? (otherFee(model) ?? 0) : 0);
  return nanoUsd(parts, factor) + Math.ceil(searches * Math.round(fee * 1e9)) + Math.round(perRequestAtMost * 1e9);
}

function dearestParts(prices: TokenPrices, inputTokens: number, outputTokens: number): Part[] {
  const { input, cachedInput, cacheWriteInput, cacheWriteInputHour = 0, inputAudio = 0 } = prices;
  return [
    [inputTokens, Math.max(input, cachedInput, cacheWriteInput, cacheWriteInputHour, inputAudio)],
    [outputTokens, Math.max(prices.output, prices.outputAudio ?? 0)],
  ];
}

function pricesFor({ prices, tiers }: ModelFacts, inputTokens: number): TokenPrices | undefined {
  return tiers.findLast(({ inputTokensAbove }) => inputTokens > inputTokensAbove)?.prices ?? prices;
}

const MILLION = 1_000_000n;

function nanoUsd(parts: readonly Part[], factor: number): number {
  const sum = parts.reduce((total, [tokens, price]) => total + BigInt(Math.ceil(tokens)) * BigInt(price), 0n);
  const millionths = sum * BigInt(Math.round(factor * 1e6));
  return Number((millionths + MILLION * MILLION - 1n) / (MILLION * MILLION));
}
