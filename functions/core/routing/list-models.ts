import * as z from 'zod';
import type { ApiKey } from '../model/api-key.ts';
import { allowedBy } from './allowed-models.ts';
import type { ModelCatalog } from './model-catalog.ts';
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

export const modelSchema = z
  .object({
    id: z.string().meta({
      description: '`provider/model`, which every route takes; the name alone where the table of routes knows it.',
    }),
    object: z.literal('model'),
    created: z.int().meta({ description: 'Unix seconds; when the table of models was gathered.' }),
    owned_by: z.string().meta({ description: 'The provider.' }),
  })
  .meta({ id: 'Model' });
export type Model = z.infer<typeof modelSchema>;

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) }).meta({
  id: 'ModelList',
  description: "As OpenAI's: the models of the providers that are set up, which the key may use.",
});
