import type { ApiKey } from '../model/api-key.ts';
import type { Model } from '../model/model-list.ts';
import type { ModelCatalog } from '../prices/model-catalog.ts';
import { allowedBy } from './allowed-models.ts';
import { type RouteEntry, routeModel } from './route-model.ts';

export interface ListDeps {
  readonly models: ModelCatalog;
  readonly routes: readonly RouteEntry[];
  /** The providers that could be called now. */
  readonly available: ReadonlySet<string>;
}

/** The models that a key may use and that are known by name; a provider may serve more, under `provider/model`. */
export function listModels({ allowedModels }: ApiKey, { models, routes, available }: ListDeps): Model[] {
  const created = Math.floor(Date.parse(models.date) / 1000);
  const allows = allowedBy(allowedModels, routes);
  return models.names
    .filter(({ provider }) => available.has(provider))
    .map(({ provider, model }) => ({ provider, model, id: shortest(provider, model, routes, available) }))
    .filter(({ id, ...target }) => allows(target, id))
    .map(({ provider, id }) => ({ id, object: 'model', created, owned_by: provider }));
}

/** The model's name alone where that leads to its provider. */
function shortest(
  provider: string,
  model: string,
  routes: readonly RouteEntry[],
  available: ReadonlySet<string>,
): string {
  try {
    const [first] = routeModel(model, routes, available, () => 0);
    if (first.provider === provider && first.model === model) return model;
  } catch {
    // Nothing leads there by the name alone.
  }
  return `${provider}/${model}`;
}
