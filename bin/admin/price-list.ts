import type { BodyOf, ResponseOf } from '../../functions/contract/index.ts';

/** A price in force. */
export type ModelPriceView = Extract<ResponseOf<'getPrices'>, { readonly object: 'list' }>['data'][number];
type Prices = BodyOf<'putPrices'>['prices'];
type Price = Prices[string];

/** The fields of a price that published lists have. */
const COMPARED = ['input', 'output', 'cachedInput', 'cacheWriteInput', 'inputAudio', 'outputAudio'] as const;
type ListedPrice = { readonly [Name in (typeof COMPARED)[number]]?: number | undefined } & {
  readonly validFrom?: string | undefined;
};

/** The prices of a published list by `provider/model`, and the models whose prices our format cannot express. */
export interface PriceList {
  readonly prices: ReadonlyMap<string, { readonly current: ListedPrice; readonly later: readonly ListedPrice[] }>;
  readonly skipped: readonly string[];
}

/** The list has another form. */
export class PriceListError extends Error {}

/** A price of the list that differs from the one in force. */
export interface PriceChange {
  readonly model: string;
  readonly kind: 'new' | 'changed' | 'later';
  /** It is free now or was, or a price is ten times higher or lower. */
  readonly isSuspect: boolean;
  /** `input: 3 -> 2.5`. */
  readonly differences: readonly string[];
  readonly price: Price;
}

const NONE: Partial<ModelPriceView> = {};
/** From this ratio on a change is more likely to be a mistake of the list. */
const SUSPECT_RATIO = 10;

/** What writing the list would change: of models with a price, and of new ones. */
export function comparePrices(list: PriceList, inForce: readonly ModelPriceView[]): PriceChange[] {
  const known = new Map(inForce.map((price) => [price.model, price]));
  return [...list.prices].flatMap(([model, { current, later }]) => {
    const now = known.get(model);
    const { object: _, model: __, source: ___, later: ours = [], validFrom: ____, ...before } = now ?? NONE;
    const after = { ...before, ...withoutDate(current) } as Price;
    const differences = COMPARED.flatMap((name) => {
      const [was, is] = [priceOfKind(before, name), priceOfKind(after, name)];
      // What neither sets follows from input and output.
      const isSet = before[name] !== undefined || after[name] !== undefined;
      return was === is || !isSet ? [] : [`${name}: ${was ?? 'none'} -> ${is ?? 'none'}`];
    });
    const isNewDate = later.some(({ validFrom }) => !ours.some((one) => one.validFrom === validFrom));
    if (differences.length === 0 && !isNewDate) return [];
    const kept = ours.filter(({ validFrom }) => !later.some((one) => one.validFrom === validFrom));
    const changes = [...kept, ...later.map((one) => ({ ...after, ...one }))] as NonNullable<Price['changes']>;
    return {
      model,
      kind: now === undefined ? 'new' : differences.length === 0 ? 'later' : 'changed',
      isSuspect: now !== undefined && isSuspect(before, after),
      differences: [
        ...differences,
        ...later.map(({ validFrom, input, output }) => `from ${validFrom}: ${input}, ${output}`),
      ],
      price: { ...after, ...(changes.length > 0 && { changes }) },
    } as const;
  });
}

function withoutDate({ validFrom: _, ...price }: ListedPrice): ListedPrice {
  return price;
}

/** What tokens without their own price cost. */
function priceOfKind(price: ListedPrice, name: (typeof COMPARED)[number]): number | undefined {
  return price[name] ?? (name === 'output' || name === 'outputAudio' ? price.output : price.input);
}

function isSuspect(before: ListedPrice, after: ListedPrice): boolean {
  return (['input', 'output'] as const).some((name) => {
    const [was = 0, is = 0] = [before[name], after[name]];
    if (was === 0 || is === 0) return was !== is;
    return Math.max(was / is, is / was) >= SUSPECT_RATIO;
  });
}

/**
 * Reads a published list: `prices/data_slim.json` of github.com/pydantic/genai-prices, or `model_prices_and_context_window.json` of
 * github.com/BerriAI/litellm. @throws PriceListError
 */
export function readPriceList(value: unknown, providers: ReadonlySet<string>, nowMs: number): PriceList {
  const rows = Array.isArray(value) ? genaiRows(value, nowMs) : litellmRows(value);
  // LiteLLM has rows of regions, such as `bedrock/*/...`, which name no model.
  const ofOurs = rows.filter(({ provider, model }) => providers.has(provider) && !/[*\s]/.test(model));
  if (rows.length === 0) {
    throw new PriceListError(
      'This is no list of prices in a known form: data_slim.json of genai-prices, or model_prices_and_context_window.json of LiteLLM.',
    );
  }
  const prices = new Map<string, NonNullable<Row['price']>>();
  const skipped = new Set<string>();
  for (const { provider, model, price } of ofOurs) {
    const name = `${provider}/${model}`;
    if (price === undefined) skipped.add(name);
    else prices.set(name, price);
  }
  return { prices, skipped: [...skipped] };
}

interface Row {
  readonly provider: string;
  readonly model: string;
  /** undefined if it depends on the length of a request or the time of day. */
  readonly price: { readonly current: ListedPrice; readonly later: readonly ListedPrice[] } | undefined;
}

/** Our names of the lists' providers, where they differ. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'gemini',
  aws: 'bedrock',
  bedrock_converse: 'bedrock',
  'x-ai': 'xai',
  cohere_chat: 'cohere',
  together_ai: 'together',
  fireworks_ai: 'fireworks',
};
const ourName = (provider: string) => PROVIDERS[provider] ?? provider;

interface GenaiModel {
  readonly id: string;
  readonly match?: { readonly or?: readonly { readonly equals?: string }[]; readonly equals?: string };
  readonly prices?:
    | GenaiPrice
    | readonly { readonly constraint?: { readonly start_date?: string }; readonly prices: GenaiPrice }[];
}
type GenaiPrice = Readonly<Record<string, unknown>>;

function genaiRows(list: readonly unknown[], nowMs: number): Row[] {
  const providers = objectsIn<{ readonly id?: string; readonly models?: unknown }>(list);
  return providers.flatMap(({ id: provider, models }) => {
    if (typeof provider !== 'string') return [];
    return objectsIn<GenaiModel>(models).flatMap((model) => {
      const price = genaiPrice(model, nowMs);
      const names = [model.id, ...(model.match?.or ?? [model.match ?? {}]).flatMap(({ equals }) => equals ?? [])];
      return [...new Set(names)].map((name) => ({ provider: ourName(provider), model: name, price }));
    });
  });
}

function objectsIn<T extends object>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}

/** The last price whose time has come, and the later ones. */
function genaiPrice({ prices = {} }: GenaiModel, nowMs: number): Row['price'] {
  const all = Array.isArray(prices) ? prices : [{ prices }];
  const dated = all.map(({ constraint, prices: price }) => {
    const read = priceOf(price, GENAI);
    const start = constraint?.start_date;
    if (constraint !== undefined && start === undefined) return undefined;
    return read && { ...read, ...(start !== undefined && { validFrom: start }) };
  });
  if (dated.some((one) => one === undefined)) return undefined;
  const known = dated as ListedPrice[];
  const startOf = ({ validFrom }: ListedPrice) => (validFrom === undefined ? 0 : Date.parse(validFrom));
  const current = known.findLast((one) => startOf(one) <= nowMs);
  return current && { current, later: known.filter((one) => startOf(one) > nowMs) };
}

const GENAI = {
  input: 'input_mtok',
  output: 'output_mtok',
  cachedInput: 'cache_read_mtok',
  cacheWriteInput: 'cache_write_mtok',
  inputAudio: 'input_audio_mtok',
  outputAudio: 'output_audio_mtok',
} as const;
const LITELLM = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cachedInput: 'cache_read_input_token_cost',
  cacheWriteInput: 'cache_creation_input_token_cost',
  inputAudio: 'input_cost_per_audio_token',
  outputAudio: 'output_cost_per_audio_token',
} as const;
/** Modes of models that are billed by tokens of text. */
const TEXT_MODES = new Set(['chat', 'completion', 'responses', 'embedding']);

function litellmRows(list: unknown): Row[] {
  return Object.entries((list ?? {}) as Readonly<Record<string, GenaiPrice>>).flatMap(([name, entry]) => {
    const { litellm_provider: provider, mode } = entry ?? {};
    if (typeof provider !== 'string' || !TEXT_MODES.has(String(mode))) return [];
    const dependsOnLength = Object.keys(entry).some((field) => /_above_\d+k_tokens$/.test(field));
    const current = dependsOnLength ? undefined : priceOf(entry, LITELLM, 1e6);
    const model = name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name;
    return [{ provider: ourName(provider), model, price: current && { current, later: [] } }];
  });
}

/** A price of the list in US dollars per million tokens; undefined if one of its parts is no number, or input has none. */
function priceOf(entry: GenaiPrice, names: Readonly<Record<string, string>>, factor = 1): ListedPrice | undefined {
  const parts = Object.entries(names).flatMap(([name, listed]) =>
    entry[listed] == null ? [] : [[name, entry[listed]] as const],
  );
  if (!parts.every(([, price]) => typeof price === 'number' && price >= 0)) return undefined;
  // Twelve digits: 1.5e-7 times a million is 0.15.
  const price = Object.fromEntries(
    parts.map(([name, value]) => [name, Number(((value as number) * factor).toPrecision(12))]),
  );
  return price.input === undefined ? undefined : { output: 0, ...price };
}
