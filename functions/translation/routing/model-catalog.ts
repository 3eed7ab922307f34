import { LRUCache } from 'lru-cache';
import { type DatedPrice, type PricesDocument, pricesAt } from '../../kernel/configuration/index.ts';
import type { PolicySettings, UnknownCharge, Usage } from '../../kernel/model/index.ts';
import { chargesOf, type ModelCharges } from './charges.ts';
import { costBound, costOf, unknownChargesOf } from './cost.ts';
import type { ModelFacts, TokenPrices } from './model-facts.ts';
import table from './models.generated.json' with { type: 'json' };
import type { Target } from './route-model.ts';

type Row = readonly (number | null | readonly (readonly (number | null)[])[])[];

const ROWS = table.models as unknown as Readonly<Record<string, Readonly<Record<string, Row>>>>;
const NOT_LISTED: Readonly<Record<string, readonly string[]>> = table.notListed;
const AUDIO = table.audio as unknown as Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;
type TableFacts = Omit<ModelFacts, 'charges'>;
const NOTHING: TableFacts = { prices: undefined, tiers: [], contextTokens: undefined, maxOutputTokens: undefined };
const FREE: TokenPrices = {
  ...{ input: 0, output: 0, cachedInput: 0, cacheWriteInput: 0 },
  ...{ cacheWriteInputHour: 0, inputAudio: 0, outputAudio: 0 },
};
/** A dated version of a model, which has the model's price unless the table has its own. */
const VERSION = /[-@](?:\d{4}-\d\d-\d\d|\d{8}|latest)$/;

/** Models whose facts are kept: a request needs them some ten times. Callers choose names. */
const MAX_KNOWN = 1_000;

/** What a usage costs. */
export interface Cost {
  /** The known part in nano-dollars; null if nothing is known: unknown is not free. */
  readonly nanoUsd: number | null;
  /** The charges that it does not contain, or only by an estimate. */
  readonly unknown: readonly UnknownCharge[];
}

/** What is done about a model or a charge without a price: a field of the policy. */
type UnknownPrice = NonNullable<PolicySettings['unknownPrice']>;

/**
 * Prices and limits of models at a time: the deployment's first, then the dated table (scripts/model-prices). A request uses one catalog from
 * its reservation to its record, so that a change of prices while it runs costs no more than was reserved.
 */
export class ModelCatalog {
  private readonly own: Readonly<Record<string, DatedPrice>>;
  private readonly known = new LRUCache<string, ModelFacts>({ max: MAX_KNOWN });
  private readonly byUnknownPrice = new Map<UnknownPrice, ModelCatalog>();
  private dearest: ReadonlyMap<string, TokenPrices> | undefined;
  /** When the next of the deployment's prices becomes valid, milliseconds since 1970; Infinity if none does. */
  readonly changesAt: number;
  /** What requests do about a price that is not known; `refuse` by default. */
  readonly unknownPrice: UnknownPrice;

  /** @param nowMs milliseconds since 1970: a price that becomes valid later does not count */
  constructor(prices: PricesDocument['prices'] = {}, nowMs = 0, unknownPrice: UnknownPrice = 'refuse') {
    const dated = Object.entries(prices).map(([name, price]) => [name, pricesAt(price, nowMs)] as const);
    this.own = Object.fromEntries(dated.flatMap(([name, { current }]) => (current ? [[name, current]] : [])));
    this.changesAt = Math.min(...dated.flatMap(([, { later }]) => later.map((one) => Date.parse(one.validFrom ?? ''))));
    this.unknownPrice = unknownPrice;
  }

  /** The same prices under a policy's `unknownPrice`. */
  under(unknownPrice: UnknownPrice = 'refuse'): ModelCatalog {
    if (unknownPrice === this.unknownPrice) return this;
    const known = this.byUnknownPrice.get(unknownPrice);
    if (known !== undefined) return known;
    const catalog = new ModelCatalog(this.own, Number.POSITIVE_INFINITY, unknownPrice);
    this.byUnknownPrice.set(unknownPrice, catalog);
    return catalog;
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
    const read = this.read(provider, model);
    const isAlias = this.unknownPrice === 'alias' && read.prices === undefined && read.charges.reportsCost !== true;
    const prices = isAlias ? this.aliasPrices(model) : undefined;
    const facts = prices === undefined ? read : { ...read, prices, isEstimated: true as const };
    this.known.set(name, facts);
    return facts;
  }

  /** The highest price of each kind of token that any provider has for a model of this name; undefined if none has one. */
  private aliasPrices(model: string): TokenPrices | undefined {
    this.dearest ??= dearestByName(this.names, (one) => this.read(one.provider, one.model));
    return this.dearest.get(bareName(model)) ?? this.dearest.get(bareName(model.replace(VERSION, '')));
  }

  /** What is known of the cost of a usage. */
  costOf({ provider, model }: Target, usage: Usage | null): Cost {
    const facts = this.find(provider, model);
    return { nanoUsd: costOf(facts, usage), unknown: unknownChargesOf(facts, usage) };
  }

  /** The highest cost of these tokens, in nano-dollars; undefined if the model's price is unknown. */
  costBound({ provider, model }: Target, inputTokens: number, outputTokens: number): number | undefined {
    const facts = this.find(provider, model);
    return facts.prices && costBound(facts, inputTokens, outputTokens);
  }

  /**
   * The model with a price above which no listed provider of a model of this name is likely to be: for a provider that reports what a request
   * costs, before it does.
   */
  presumed(model: string): ModelFacts {
    presumed ??= presumedByName();
    const prices = presumed.get(bareName(model)) ?? PRESUMED_OTHERWISE;
    return { ...NOTHING, charges: chargesOf('', []), prices };
  }

  /** Whether the table has exactly this name, so that callers cannot create metric dimensions. */
  lists(provider: string, model: string): boolean {
    if (Object.hasOwn(this.own, `${provider}/${model}`)) return true;
    return provider === 'echo' ? model === 'echo' : rowOf(ROWS, provider, model) !== undefined;
  }

  private read(provider: string, model: string): ModelFacts {
    const own = Object.hasOwn(this.own, `${provider}/${model}`) ? this.own[`${provider}/${model}`] : undefined;
    const base = VERSION.test(model) ? this.read(provider, model.replace(VERSION, '')) : undefined;
    const ofModel = chargesOf(provider, [model.replace(VERSION, ''), model]);
    const listed = listedFacts(provider, model, ofModel);
    const isOfBase = listed.prices === undefined && base !== undefined;
    const priced = isOfBase ? base : listed;
    const charges = withOwn(isOfBase ? base.charges : ofModel, own);
    return {
      prices: own === undefined ? priced.prices : ownPrices(own, charges),
      tiers: own === undefined ? priced.tiers : [],
      contextTokens: own?.contextTokens ?? listed.contextTokens ?? base?.contextTokens,
      maxOutputTokens: own?.maxOutputTokens ?? listed.maxOutputTokens ?? base?.maxOutputTokens,
      charges,
    };
  }
}

function withOwn(charges: ModelCharges, own: DatedPrice | undefined): ModelCharges {
  if (own === undefined) return charges;
  const { perSearch, serviceTiers, batchFactor } = own;
  const fees = perSearch === undefined ? {} : { perSearch, perOtherSearch: perSearch };
  const ofBatches = batchFactor === undefined ? {} : { batch: batchFactor };
  return { ...charges, ...fees, factors: { ...charges.factors, ...ofBatches, ...serviceTiers } };
}

/** Resellers add to the list prices, and choose dearer providers. */
const PRESUMED_FACTOR = 2;
/** US dollars per million tokens: the dearest models that are not made for research. */
const PRESUMED_OTHERWISE = toPrices({ input: 30, output: 180 }, chargesOf('', []));
/** Twice the dearest list price at any provider, by the model's name; made at the first use. */
let presumed: ReadonlyMap<string, TokenPrices> | undefined;

function presumedByName(): Map<string, TokenPrices> {
  const dearest = new Map<string, TokenPrices>();
  for (const rows of Object.values(ROWS)) {
    for (const [name, row] of Object.entries(rows)) {
      const known = dearest.get(bareName(name));
      const { input: knownInput, output: knownOutput } = known ?? { input: 0, output: 0 };
      const { prices, tiers } = toFacts(row, undefined, chargesOf('', []));
      const all = [prices as TokenPrices, ...tiers.map((tier) => tier.prices)];
      const input = Math.max(
        knownInput,
        ...all.map((one) => PRESUMED_FACTOR * Math.max(one.input, one.cacheWriteInput)),
      );
      const output = Math.max(knownOutput, ...all.map((one) => PRESUMED_FACTOR * one.output));
      dearest.set(bareName(name), { ...FREE, input, output, cachedInput: input, cacheWriteInput: input });
    }
  }
  return dearest;
}

/** The highest price of each kind of token by the model's name. */
function dearestByName(names: readonly Target[], read: (name: Target) => ModelFacts): Map<string, TokenPrices> {
  const dearest = new Map<string, TokenPrices>();
  for (const name of names) {
    const { prices, tiers } = read(name);
    const bare = bareName(name.model);
    for (const one of [prices, ...tiers.map((tier) => tier.prices)]) {
      if (one !== undefined && name.provider !== 'echo') dearest.set(bare, dearer(one, dearest.get(bare) ?? one));
    }
  }
  return dearest;
}

function dearer(one: TokenPrices, other: TokenPrices): TokenPrices {
  const most = (name: keyof TokenPrices) => Math.max(one[name] ?? 0, other[name] ?? 0);
  const mostIfAny = (name: keyof TokenPrices) =>
    one[name] === undefined && other[name] === undefined ? undefined : most(name);
  return {
    input: most('input'),
    output: most('output'),
    cachedInput: most('cachedInput'),
    cacheWriteInput: most('cacheWriteInput'),
    cacheWriteInputHour: mostIfAny('cacheWriteInputHour'),
    inputAudio: mostIfAny('inputAudio'),
    outputAudio: mostIfAny('outputAudio'),
  };
}

/** `claude-opus-5-5` of `anthropic/claude-opus-5.5:nitro`. */
function bareName(model: string): string {
  const [name = ''] = model.slice(model.lastIndexOf('/') + 1).split(':', 1);
  return name.replaceAll('.', '-').toLowerCase();
}

function listedFacts(provider: string, model: string, charges: ModelCharges): TableFacts {
  // Our test provider, which makes no calls.
  if (provider === 'echo') return { ...NOTHING, prices: FREE };
  const row = rowOf(ROWS, provider, model);
  return row === undefined ? NOTHING : toFacts(row, rowOf(AUDIO, provider, model), charges);
}

function rowOf<Value>(
  rows: Readonly<Record<string, Readonly<Record<string, Value>>>>,
  provider: string,
  model: string,
): Value | undefined {
  const ofProvider = Object.hasOwn(rows, provider) ? rows[provider] : undefined;
  return ofProvider !== undefined && Object.hasOwn(ofProvider, model) ? ofProvider[model] : undefined;
}

/** The columns that scripts/model-prices/generate.mjs writes. */
function toFacts(row: Row, audio: readonly (number | null)[] | undefined, charges: ModelCharges): TableFacts {
  const [input, output, cachedInput, cacheWriteInput, contextTokens, maxOutputTokens, tiers] = row as (number | null)[];
  const known = { inputAudio: audio?.[0], outputAudio: audio?.[1] };
  const isOnePrice = known.inputAudio === input;
  return {
    prices: toPrices({ input, output, cachedInput, cacheWriteInput, ...known }, charges),
    tiers: ((tiers ?? []) as unknown as (number | null)[][]).map(([above, ...prices]) => ({
      inputTokensAbove: above as number,
      prices: toPrices(
        {
          ...{ input: prices[0], output: prices[1], cachedInput: prices[2], cacheWriteInput: prices[3] },
          inputAudio: isOnePrice ? prices[0] : undefined,
        },
        charges,
      ),
    })),
    contextTokens: contextTokens ?? undefined,
    maxOutputTokens: maxOutputTokens ?? undefined,
  };
}

function ownPrices(own: DatedPrice, charges: ModelCharges): TokenPrices {
  const { input, output, cacheWriteInput = own.cacheWrite ?? input, inputAudio = input, outputAudio = output } = own;
  const hour = own.cacheWriteInputHour ?? (charges.cacheWriteHourFactor === undefined ? cacheWriteInput : undefined);
  return toPrices({ ...own, cacheWriteInput, cacheWriteInputHour: hour, inputAudio, outputAudio }, charges);
}

type DollarPrices = { readonly [Name in keyof TokenPrices]?: number | null | undefined };

function toPrices({ input, output, ...others }: DollarPrices, { cacheWriteHourFactor }: ModelCharges): TokenPrices {
  const nanos = (dollars: number | null | undefined) => (dollars == null ? undefined : Math.round(dollars * 1e9));
  const base = nanos(input) ?? 0;
  return {
    input: base,
    output: nanos(output) ?? base,
    cachedInput: nanos(others.cachedInput) ?? base,
    cacheWriteInput: nanos(others.cacheWriteInput) ?? base,
    cacheWriteInputHour:
      nanos(others.cacheWriteInputHour) ??
      (cacheWriteHourFactor === undefined ? undefined : Math.round(base * cacheWriteHourFactor)),
    inputAudio: nanos(others.inputAudio),
    outputAudio: nanos(others.outputAudio),
  };
}
