import type { RouteEntry } from '../../kernel/configuration/index.ts';
import { type ApiKey, matchesGlob } from '../../kernel/model/index.ts';
import type { ListedModel } from '../protocols/model-formats.ts';
import type { ModelCatalog } from './model-catalog.ts';
import type { ProviderModel } from './provider-models.ts';
import { defaultTargets, entryFor, routeModel, type Target } from './route-model.ts';

interface ListDeps {
  readonly models: ModelCatalog;
  /** The models of the available providers. */
  readonly known: readonly ProviderModel[];
  readonly routes: readonly RouteEntry[];
  /** The providers that can be called now. */
  readonly available: ReadonlySet<string>;
}

/** The aliases of routes, then the models of the providers, as far as a key may use them. */
export function listModels(key: ApiKey, { models, known, routes, available }: ListDeps): ListedModel[] {
  const createdMs = Date.parse(models.date);
  const allows = allowedTo(key, routes);
  const entry = (id: string, { provider, model, methods }: ProviderModel): ListedModel => ({
    ...{ id, provider, createdMs },
    facts: models.find(provider, model),
    ...(methods && { methods }),
  });
  const aliases = routes.flatMap(({ models: name }) => {
    const target = name.includes('*') ? undefined : firstTarget(name, routes, available, allows);
    return target === undefined ? [] : [entry(name, target)];
  });
  const ofProviders = known
    .filter(({ provider }) => available.has(provider))
    .map((target) => ({ target, id: shortest(target, routes, available) }))
    .filter(({ target, id }) => allows(target, id))
    .map(({ target, id }) => entry(id, target));
  // Of two with one name the first is called.
  return [...Map.groupBy([...aliases, ...ofProviders], ({ id }) => id).values()].flatMap(([first]) => first ?? []);
}

/** The bare model name, if it routes to its provider. */
function shortest(target: Target, routes: readonly RouteEntry[], available: ReadonlySet<string>): string {
  const { provider, model } = target;
  const first = firstTarget(model, routes, available);
  return first?.provider === provider && first.model === model ? model : `${provider}/${model}`;
}

/** The target that a request with this model name calls first; undefined if it would be refused. */
function firstTarget(
  name: string,
  routes: readonly RouteEntry[],
  available: ReadonlySet<string>,
  allows?: Allows,
): Target | undefined {
  try {
    return routeModel(name, routes, available, undefined, allows).targets[0];
  } catch {
    return undefined;
  }
}

/** Whether a key may use a target for a request with this model name. */
export type Allows = (target: Target, asked: string) => boolean;

/** The rule of a key: its own list and its team's must both allow a model. */
export function allowedTo(
  { allowedModels, team }: Pick<ApiKey, 'allowedModels' | 'team'>,
  routes: readonly RouteEntry[],
): Allows {
  const own = allowedBy(allowedModels, routes);
  if (team === undefined) return own;
  const ofTeam = allowedBy(team.allowedModels, routes);
  return (target, asked) => own(target, asked) && ofTeam(target, asked);
}

/**
 * The rule of a list of `allowedModels`; an empty list allows all. A pattern with `/` matches the resolved `provider/model`. A bare
 * pattern matches a model at its default provider, and the alias of a route, which allows all of the route's targets.
 */
function allowedBy(patterns: readonly string[], routes: readonly RouteEntry[]): Allows {
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
