import type { RouteEntry } from '../../kernel/configuration/index.ts';
import type { ApiKey } from '../../kernel/model/index.ts';
import type { ApiName } from '../protocols/error-shapes.ts';
import { type ListedModel, MODEL_FORMATS } from '../protocols/model-formats.ts';
import {
  listModels,
  type ModelCatalog,
  modelNotFound,
  ProviderModels,
  type ProviderModelsDeps,
  type Target,
} from '../routing/index.ts';
import { availableProviders, type ProviderSettings } from './configured-providers.ts';

interface ModelListDeps extends ProviderModelsDeps {
  /** The routes in force. Throws StoreUnavailable if they were never read. */
  readonly routes: () => Promise<readonly RouteEntry[]>;
  /** The prices in force. Throws StoreUnavailable if they were never read. */
  readonly models: () => Promise<ModelCatalog>;
  /** Read each time: a provider without a key lists no models. */
  readonly settings: () => Promise<ProviderSettings>;
}

/** The models that a key may use, as an API shows them. */
export class ModelList {
  private readonly deps: ModelListDeps;
  private readonly reported: ProviderModels;

  constructor(deps: ModelListDeps) {
    this.deps = deps;
    this.reported = new ProviderModels(deps);
  }

  /** All of them, or a page. @throws GatewayError `invalid_value` for a query that the API cannot serve */
  async list(key: ApiKey, api: ApiName, query: URLSearchParams): Promise<object> {
    return MODEL_FORMATS[api].list(await this.modelsFor(key, await this.deps.models()), query);
  }

  /** The model with this name. @throws GatewayError `model_not_found` */
  async get(key: ApiKey, api: ApiName, name: string): Promise<object> {
    // A provider lists only some of the names that it accepts.
    const catalog = await this.deps.models();
    const priced = catalog.names.filter((one) => name === one.model || name === `${one.provider}/${one.model}`);
    const models = await this.modelsFor(key, catalog, priced);
    const model = models.find((one) => one.id === name) ?? models.find((one) => `${one.provider}/${one.id}` === name);
    if (model === undefined) throw modelNotFound(name);
    return MODEL_FORMATS[api].one({ ...model, id: name });
  }

  /** @param further models that are not listed */
  private async modelsFor(key: ApiKey, models: ModelCatalog, further: readonly Target[] = []): Promise<ListedModel[]> {
    const { providers, settings } = this.deps;
    const routes = await this.deps.routes();
    const available = availableProviders(providers, await settings());
    const known = [...(await this.reported.of(available, models)), ...further];
    return listModels(key, { models, routes, known, available });
  }
}
