import * as z from 'zod';
import type { ApiKey } from '../model/api-key.ts';
import type { ModelCatalog } from './model-catalog.ts';
import { defaultTargets, entryFor, matchesGlob, type RouteEntry, routeModel, type Target } from './route-model.ts';

export interface ListDeps {
  readonly models: ModelCatalog;
  readonly routes: readonly RouteEntry[];
  /** The providers that can be called now. */
  readonly available: ReadonlySet<string>;
}

/** The known models that a key may use; a provider may serve more, as `provider/model`. */
export function listModels({ allowedModels }: ApiKey, { models, routes, available }: ListDeps): Model[] {
  const created = Math.floor(Date.parse(models.date) / 1000);
  const allows = allowedBy(allowedModels, routes);
  return models.names
    .filter(({ provider }) => available.has(provider))
    .map(({ provider, model }) => ({ provider, model, id: shortest(provider, model, routes, available) }))
    .filter(({ id, ...target }) => allows(target, id))
    .map(({ provider, id }) => ({ id, object: 'model', created, owned_by: provider }));
}

/** The bare model name, if it routes to its provider. */
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
    // The bare name does not route there.
  }
  return `${provider}/${model}`;
}

export const modelSchema = z
  .object({
    id: z.string().meta({
      description: '`provider/model`, which every route accepts; the bare name if the routes know it.',
    }),
    object: z.literal('model'),
    created: z.int().meta({ description: 'Unix seconds: when the table of models was made.' }),
    owned_by: z.string().meta({ description: 'The provider.' }),
  })
  .meta({ id: 'Model' });
export type Model = z.infer<typeof modelSchema>;

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) }).meta({
  id: 'ModelList',
  description: "In OpenAI's format: models of the configured providers that the key may use.",
});

/** Whether a key may use a target for a request with this model name. */
export type Allows = (target: Target, asked: string) => boolean;

/**
 * The rule of a key's `allowedModels`; an empty list allows all. A pattern with `/` matches the resolved `provider/model`. A bare
 * pattern matches a model at its default provider, and the alias of a route, which allows all of the route's targets.
 */
export function allowedBy(patterns: readonly string[], routes: readonly RouteEntry[]): Allows {
  if (patterns.length === 0) return () => true;
  const resolved = patterns.filter((pattern) => pattern.includes('/'));
  const bare = patterns.filter((pattern) => !pattern.includes('/'));
  return (target, asked) => {
    const { provider, model } = target;
    if (matchesAny(resolved, `${provider}/${model}`)) return true;
    if (isAlias(asked, routes) && matchesAny(bare, asked)) return true;
    return matchesAny(bare, model) && isDefault(target, routes);
  };
}

function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesGlob(pattern, name));
}

/** Whether a route has exactly this name. */
function isAlias(asked: string, routes: readonly RouteEntry[]): boolean {
  return !asked.includes('/') && entryFor(asked, routes)?.models === asked;
}

/** Whether the bare model name routes to this target, without fallbacks. */
function isDefault({ provider, model }: Target, routes: readonly RouteEntry[]): boolean {
  return defaultTargets(model, routes).some((one) => one.provider === provider && one.model === model);
}
