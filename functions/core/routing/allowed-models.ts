import { defaultTargets, entryFor, matchesGlob, type RouteEntry, type Target } from './route-model.ts';

/** Whether a key may use a target for a request that names the model so. */
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

/** Whether a row of the routes has exactly this name. */
function isAlias(asked: string, routes: readonly RouteEntry[]): boolean {
  return !asked.includes('/') && entryFor(asked, routes)?.models === asked;
}

/** Whether the model's name alone leads to this target, fallbacks not counted. */
function isDefault({ provider, model }: Target, routes: readonly RouteEntry[]): boolean {
  return defaultTargets(model, routes).some((one) => one.provider === provider && one.model === model);
}
