import * as z from 'zod';
import type { Usage } from '../model/chat.ts';
import table from './models.generated.json' with { type: 'json' };

/** Prices in nano-dollars (a billionth of a US dollar) for a million tokens, whole numbers. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Of input read from the provider's prompt cache. */
  readonly cachedInput: number;
  /** Of input written to it. */
  readonly cacheWrite: number;
}

/** What is known of a model; what is not is undefined, never 0. */
export interface ModelFacts {
  readonly prices: TokenPrices | undefined;
  /** Other prices for a whole request whose input is longer; from the shortest on. */
  readonly tiers: readonly { readonly inputTokensAbove: number; readonly prices: TokenPrices }[];
  readonly contextTokens: number | undefined;
  /** The longest answer that it gives. */
  readonly maxOutputTokens: number | undefined;
}

const usd = z.number().min(0).max(100_000);
const tokens = z.int().min(1).max(1_000_000_000);

/** A deployment's own prices, by `provider/model`: US dollars a million tokens. They take the place of the table's. */
export const modelPricesSchema = z
  .record(
    z.string().regex(/^[a-z0-9_-]{1,32}\/.{1,256}$/, 'must be provider/model'),
    z.strictObject({
      input: usd,
      output: usd,
      /** `input` where absent. */
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
const NOTHING: ModelFacts = { prices: undefined, tiers: [], contextTokens: undefined, maxOutputTokens: undefined };
const FREE: TokenPrices = { input: 0, output: 0, cachedInput: 0, cacheWrite: 0 };
/** The name of a version of a model, which costs what the model does unless the table says otherwise. */
const VERSION = /-(?:\d{4}-\d\d-\d\d|\d{8}|latest)$/;

/** When the table's prices were gathered, and from where. */
export const PRICES_ORIGIN = { date: table.date, sources: table.sources } as const;

/** Prices and limits of models: a deployment's own first, then the dated table (scripts/model-prices). */
export class ModelCatalog {
  private readonly own: ModelPrices;
  private readonly known = new Map<string, ModelFacts>();

  constructor(own: ModelPrices = {}) {
    this.own = own;
  }

  /** The day on which the table was gathered: `2026-11-10`. */
  get date(): string {
    return table.date;
  }

  /** Every model that is known by name: the table's, the deployment's own, and `echo`. */
  get names(): { readonly provider: string; readonly model: string }[] {
    const inTable = Object.entries(ROWS).flatMap(([provider, rows]) =>
      Object.keys(rows).map((model) => `${provider}/${model}`),
    );
    return [...new Set(['echo/echo', ...Object.keys(this.own), ...inTable])].map((name) => {
      const slash = name.indexOf('/');
      return { provider: name.slice(0, slash), model: name.slice(slash + 1) };
    });
  }

  /** `model` as the provider names it. */
  find(provider: string, model: string): ModelFacts {
    const name = `${provider}/${model}`;
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const facts = this.read(provider, model);
    // Callers choose the names: only those that say something are kept.
    if (facts.prices !== undefined) this.known.set(name, facts);
    return facts;
  }

  /** Whether it stands there by this very name: few do, and no caller can make one. */
  lists(provider: string, model: string): boolean {
    if (ownRow(this.own, `${provider}/${model}`) !== undefined) return true;
    return provider === 'echo' ? model === 'echo' : rowOf(provider, model) !== undefined;
  }

  private read(provider: string, model: string): ModelFacts {
    const own = ownRow(this.own, `${provider}/${model}`);
    // Our own provider, which asks nobody.
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
