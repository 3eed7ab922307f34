import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { priceOperations, type ResponseOf } from '../../contract/index.ts';
import type { DocumentVersion } from '../../control/documents/index.ts';
import { type DatedPrice, modelPricesSchema, type PricesDocument, pricesAt } from '../../kernel/configuration/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { toUsd } from '../../kernel/model/index.ts';
import { isCallable, ModelCatalog } from '../../translation/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { type DocumentKind, documentHandlers } from '../documents.ts';
import type { Handlers } from '../operation-routes.ts';

const PRICES: DocumentKind<PricesDocument, ResponseOf<'putPrices'>> = {
  name: 'prices',
  hasChanged: 'The prices have changed',
  store: ({ prices }) => prices,
  toView: ({ settings: { prices }, version, createdAt, createdBy }) => ({
    object: 'prices',
    version,
    createdAt,
    createdBy,
    prices,
  }),
  schema: priceOperations.putPrices.body.schema.superRefine(checkNames),
};
const handlers = documentHandlers(PRICES);

const NO_MODEL = 'is no name that a model can have, as provider/model';

/** Adds an issue for each price that no request could have. */
function checkNames({ prices }: PricesDocument, context: z.RefinementCtx): void {
  for (const model of Object.keys(prices)) {
    if (!isNameOfModel(model)) context.addIssue({ code: 'custom', message: NO_MODEL, path: ['prices', model] });
  }
}

function isNameOfModel(name: string): boolean {
  const slash = name.indexOf('/');
  return /^[a-z0-9-]+$/.test(name.slice(0, slash)) && isCallable(undefined, name.slice(slash + 1));
}

/** The deployment's prices of models and their versions. */
export const PRICE_HANDLERS: Handlers<typeof priceOperations, AdminDeps> = {
  async getPrices({ query: { effective } }, deps) {
    return effective ? listPrices(await deps.prices.current(), deps) : handlers.read(deps);
  },
  putPrices: {
    check: checkNames,
    handle: ({ body: { prices }, ...write }, deps) => handlers.change(() => ({ prices }), write, deps),
  },
  rollbackPrices: handlers.rollback,
  listPricesVersions: handlers.versions,
  getPricesVersion: handlers.version,
  setPrice({ body: { model, ...price }, ...write }, deps) {
    if (!isNameOfModel(model)) throw new GatewayError('invalid_value', `'model' ${NO_MODEL}.`, { param: 'model' });
    const change = ({ prices }: PricesDocument) => ({ prices: withPrice(prices, model, price, deps.clock.now()) });
    return handlers.change(change, write, deps);
  },
  removePrice({ body: { model }, ...write }, deps) {
    const change = ({ prices }: PricesDocument) => {
      const { [model]: removed, ...others } = prices;
      if (removed !== undefined) return { prices: others };
      throw new GatewayError('not_found', 'The deployment sets no price of this model.', { param: 'model' });
    };
    return handlers.change(change, write, deps);
  },
};

type Prices = PricesDocument['prices'];
type ModelPriceList = Extract<ResponseOf<'getPrices'>, { readonly object: 'list' }>;

/**
 * The prices with another one of a model, from its `validFrom` on if that is later than now. Prices that have ended are left out.
 * @throws GatewayError for a later price that is one too many
 */
function withPrice(prices: Prices, model: string, price: DatedPrice, nowMs: number): Prices {
  const known = Object.hasOwn(prices, model) ? prices[model] : undefined;
  const { current, later = [] } = known === undefined ? {} : pricesAt(known, nowMs);
  const isLater = price.validFrom !== undefined && Date.parse(price.validFrom) > nowMs;
  const others = later.filter(
    ({ validFrom }) => !isLater || Date.parse(validFrom ?? '') !== Date.parse(price.validFrom ?? ''),
  );
  const [first, ...changes] = isLater && current !== undefined ? [current, price, ...others] : [price, ...others];
  const changed = { [model]: { ...first, ...(changes.length > 0 && { changes }) } as Prices[string] };
  if (modelPricesSchema.safeParse(changed).success) return { ...prices, ...changed };
  const message =
    'This model has as many later prices as can be stored. Remove its price, and set those that are needed.';
  throw new GatewayError('invalid_value', message, { param: 'validFrom' });
}

/** Every price in force: the deployment's, then the table's. */
function listPrices({ version, settings }: DocumentVersion<PricesDocument>, deps: AdminDeps): ModelPriceList {
  const models = new ModelCatalog(settings.prices, deps.clock.now());
  const ofSettings = deps.upstream.prices;
  const own = new Map(
    Object.entries(settings.prices).map(([name, price]) => [name, pricesAt(price, deps.clock.now())]),
  );
  const views = models.names.map(({ provider, model }): ModelPriceList['data'][number] => {
    const name = `${provider}/${model}`;
    const { current, later = [] } = own.get(name) ?? {};
    const ofDeployment = version === 0 ? 'settings' : 'api';
    const price = current === undefined ? tablePrice(models, provider, model) : shown(current);
    const source = current === undefined ? 'table' : ofDeployment;
    return { object: 'price', model: name, source, ...price, later: later.map(shown) };
  });
  return {
    object: 'list',
    data: views,
    version,
    tableDate: models.date,
    isOverridden: version > 0 && Object.keys(ofSettings).length > 0 && !isDeepStrictEqual(ofSettings, settings.prices),
  };
}

/** Without the earlier name of a field. */
function shown({ cacheWrite, cacheWriteInput = cacheWrite, ...price }: DatedPrice): Omit<DatedPrice, 'cacheWrite'> {
  return { ...price, ...(cacheWriteInput !== undefined && { cacheWriteInput }) };
}

/** What the table knows, without what follows from the other prices. */
function tablePrice(models: ModelCatalog, provider: string, model: string): ReturnType<typeof shown> {
  const { prices, contextTokens, maxOutputTokens, charges } = models.find(provider, model);
  const { input = 0, output = 0 } = prices ?? {};
  const others = ['cachedInput', 'cacheWriteInput', 'cacheWriteInputHour', 'inputAudio', 'outputAudio'] as const;
  const known = others.flatMap((name) => {
    const price = prices?.[name];
    return price === undefined || price === input ? [] : [[name, toUsd(price)]];
  });
  return {
    input: toUsd(input),
    output: toUsd(output),
    ...Object.fromEntries(known),
    ...(charges.perSearch !== undefined && { perSearch: charges.perSearch }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}
