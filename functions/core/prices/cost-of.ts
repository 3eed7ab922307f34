import type { Usage } from '../model/chat.ts';
import type { ModelFacts, TokenPrices } from './model-catalog.ts';

const MILLION = 1_000_000n;

/**
 * What a usage costs at list prices, in whole nano-dollars (a billionth of a US dollar), rounded up.
 * @returns null where the model's price or a count of the usage is not known: unknown is not free
 */
export function costOf(model: ModelFacts, usage: Usage | null): number | null {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteInputTokens = 0 } = usage ?? {};
  if (inputTokens === undefined || outputTokens === undefined) return null;
  const prices = pricesFor(model, inputTokens);
  if (prices === undefined) return null;
  const cached = Math.min(cachedInputTokens, inputTokens);
  const written = Math.min(cacheWriteInputTokens, inputTokens - cached);
  return nanoUsd([
    [inputTokens - cached - written, prices.input],
    [cached, prices.cachedInput],
    [written, prices.cacheWrite],
    [outputTokens, prices.output],
  ]);
}

/** The most that so many tokens can cost, in nano-dollars; undefined where the model's price is not known. */
export function costBound(model: ModelFacts, inputTokens: number, outputTokens: number): number | undefined {
  if (model.prices === undefined) return undefined;
  // The bound on the input may lie in a dearer tier than the input itself, never the other way round; tiers only get dearer.
  const prices = pricesFor(model, inputTokens) as TokenPrices;
  const dearest = Math.max(prices.input, prices.cachedInput, prices.cacheWrite);
  return nanoUsd([
    [inputTokens, dearest],
    [outputTokens, prices.output],
  ]);
}

/** Nano-dollars as US dollars. */
export function toUsd(nanos: number): number {
  return nanos / 1e9;
}

function pricesFor({ prices, tiers }: ModelFacts, inputTokens: number): TokenPrices | undefined {
  return tiers.findLast(({ inputTokensAbove }) => inputTokens > inputTokensAbove)?.prices ?? prices;
}

function nanoUsd(parts: readonly (readonly [tokens: number, pricePerMillion: number])[]): number {
  const sum = parts.reduce((total, [tokens, price]) => total + BigInt(Math.ceil(tokens)) * BigInt(price), 0n);
  return Number((sum + MILLION - 1n) / MILLION);
}
