import type { ModelCharges } from './charges.ts';

/** Prices in whole nano-dollars (a billionth of a US dollar) per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Input read from the provider's prompt cache. */
  readonly cachedInput: number;
  /** Input written to it. */
  readonly cacheWriteInput: number;
  /** Input written to it for an hour; undefined, as the following two, if it is not known. */
  readonly cacheWriteInputHour: number | undefined;
  readonly inputAudio: number | undefined;
  readonly outputAudio: number | undefined;
}

/** What is known about a model; unknown values are undefined, never 0. */
export interface ModelFacts {
  readonly prices: TokenPrices | undefined;
  /** The prices are those of other providers. */
  readonly isEstimated?: true;
  /** Prices of a whole request with longer input, in ascending order of length. */
  readonly tiers: readonly { readonly inputTokensAbove: number; readonly prices: TokenPrices }[];
  readonly contextTokens: number | undefined;
  /** The longest response, in tokens. */
  readonly maxOutputTokens: number | undefined;
  /** What is charged besides tokens, and multiples of their prices. */
  readonly charges: ModelCharges;
}
