import * as z from 'zod';
import type { Usage } from '../model/chat.ts';
import table from './models.generated.json' with { type: 'json' };

/** Prices in whole nano-dollars (a billionth of a US dollar) per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Input read from the provider's prompt cache. */
  readonly cachedInput: number;
  /** Input written to it. */
  readonly cacheWrite: number;
}

/** What is known about a model; unknown values are undefined, never 0. */
export interface ModelFacts {
  readonly prices: TokenPrices | undefined;
  /** Prices of a whole request with longer input, in ascending order of length. */
  readonly tiers: readonly { readonly inputTokensAbove: number; readonly prices: TokenPrices }[];
  readonly contextTokens: number | undefined;
  /** The longest response, in tokens. */
  readonly maxOutputTokens: number | undefined;
}

const usd = z.number().min(0).max(100_000);
const tokens = z.int().min(1).max(1_000_000_000);

/** A deployment's prices by `provider/model`, in US dollars per million tokens. They replace the table's. */
export const modelPricesSchema = z
  .record(
    z.string().regex(/^[a-z0-9_-]{1,32}\/.{1,256}$/, 'must be provider/model'),
    z.strictObject({
      input: usd,
      output: usd,
      /** `input` if absent. */
      cachedInput: usd.optional(),
      cacheWrite: usd.optional(),
      contextTokens: tokens.optional(),
      maxOutputTokens: tokens.optional(),
    }),
  )
  .meta({ id: 'ModelPrices' });
export type ModelPrices = z.infer<typeof modelPricesSchema>;

type Row = readonly (number | null | readonly (readonly (number | null)[])[])[];

const ROWS = table.models as unknown as Readonly<Record<string, Readonly<Record<string, Row>>>>;
const NOT_LISTED: Readonly<Record<string, readonly string[]>> = table.notListed;
const NOTHING: ModelFacts = { prices: undefined, tiers: [], contextTokens: undefined, maxOutputTokens: undefined };
const FREE: TokenPrices = { input: 0, output: 0, cachedInput: 0, cacheWrite: 0 };
/** A dated version of a model, which has the model's price unless the table has its own. */
const VERSION = /-(?:\d{4}-\d\d-\d\d|\d{8}|latest)$/;

/** The date and source of the table's prices. */
export const PRICES_ORIGIN = { date: table.date, sources: table.sources } as const;

/** Prices and limits of models: the deployment's first, then the dated table (scripts/model-prices). */
export class ModelCatalog {
  private readonly own: ModelPrices;
  private readonly known = new Map<string, ModelFacts>();

  constructor(own: ModelPrices = {}) {
    this.own = own;
  }

  /** The table's date: `2026-11-10`. */
  get date(): string {
    return table.date;
  }

  /** Every model known by name: the table's, the deployment's, and `echo`. */
  get names(): { readonly provider: string; readonly model: string }[] {
    const inTable = Object.entries(ROWS).flatMap(([provider, rows]) =>
      Object.keys(rows).map((model) => `${provider}/${model}`),
    );
    return [...new Set(['echo/echo', ...Object.keys(this.own), ...inTable])].map((name) => {
      const slash = name.indexOf('/');
      return { provider: name.slice(0, slash), model: name.slice(slash + 1) };
    });
  }

  /**
   * The models that a provider serves, as far as the table knows: without retired ones. Names at Azure are deployments, which the table cannot
   * know: only the deployment's own prices name them.
   */
  ofProvider(name: string): { readonly provider: string; readonly model: string }[] {
    const isListed = (model: string) =>
      Object.hasOwn(this.own, `${name}/${model}`) || (name !== 'azure' && !NOT_LISTED[name]?.includes(model));
    return this.names.filter(({ provider, model }) => provider === name && isListed(model));
  }

  /** `model` as the provider names it. */
  find(provider: string, model: string): ModelFacts {
    const name = `${provider}/${model}`;
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const facts = this.read(provider, model);
    // Callers choose the names, so only known ones are cached.
    if (facts.prices !== undefined) this.known.set(name, facts);
    return facts;
  }

  /** Whether the table has exactly this name, so that callers cannot create metric dimensions. */
  lists(provider: string, model: string): boolean {
    if (ownRow(this.own, `${provider}/${model}`) !== undefined) return true;
    return provider === 'echo' ? model === 'echo' : rowOf(provider, model) !== undefined;
  }

  private read(provider: string, model: string): ModelFacts {
    const own = ownRow(this.own, `${provider}/${model}`);
    // Our test provider, which makes no calls.
    const told = provider === 'echo' ? { ...NOTHING, prices: FREE } : (toFacts(rowOf(provider, model)) ?? NOTHING);
    const base = VERSION.test(model) ? this.read(provider, model.replace(VERSION, '')) : NOTHING;
    const priced = told.prices === undefined ? base : told;
    return {
      prices: own?.prices ?? priced.prices,
      tiers: own === undefined ? priced.tiers : [],
      contextTokens: own?.contextTokens ?? told.contextTokens ?? base.contextTokens,
      maxOutputTokens: own?.maxOutputTokens ?? told.maxOutputTokens ?? base.maxOutputTokens,
    };
  }
}

function rowOf(provider: string, model: string): Row | undefined {
  const rows = Object.hasOwn(ROWS, provider) ? ROWS[provider] : undefined;
  return rows !== undefined && Object.hasOwn(rows, model) ? rows[model] : undefined;
}

/** The columns that scripts/model-prices/generate.mjs writes. */
function toFacts(row: Row | undefined): ModelFacts | undefined {
  if (row === undefined) return undefined;
  const [input, output, cachedInput, cacheWrite, contextTokens, maxOutputTokens, tiers] = row as (number | null)[];
  return {
    prices: toPrices(input, output, cachedInput, cacheWrite),
    tiers: ((tiers ?? []) as unknown as (number | null)[][]).map(([above, ...prices]) => ({
      inputTokensAbove: above as number,
      prices: toPrices(...prices),
    })),
    contextTokens: contextTokens ?? undefined,
    maxOutputTokens: maxOutputTokens ?? undefined,
  };
}

function ownRow(own: ModelPrices, name: string) {
  const row = Object.hasOwn(own, name) ? own[name] : undefined;
  return row && { ...row, prices: toPrices(row.input, row.output, row.cachedInput, row.cacheWrite) };
}

function toPrices(...[input, output, cachedInput, cacheWrite]: (number | null | undefined)[]): TokenPrices {
  const nanos = (dollars: number | null | undefined) => Math.round((dollars ?? input ?? 0) * 1e9);
  return { input: nanos(input), output: nanos(output), cachedInput: nanos(cachedInput), cacheWrite: nanos(cacheWrite) };
}

const MILLION = 1_000_000n;

/**
 * What a usage costs at list prices, in whole nano-dollars (a billionth of a US dollar), rounded up.
 * @returns null if the price or a token count is unknown: unknown is not free
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

/** The highest cost of these tokens, in nano-dollars; undefined if the model's price is unknown. */
export function costBound(model: ModelFacts, inputTokens: number, outputTokens: number): number | undefined {
  if (model.prices === undefined) return undefined;
  // The bound may be in a more expensive tier than the real input, never in a cheaper one: prices only rise with length.
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
