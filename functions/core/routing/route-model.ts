import { matchesGlob } from '../access/glob.ts';
import { GatewayError } from '../errors.ts';

export interface RouteEntry {
  /** Glob over the model's name. */
  readonly models: string;
  readonly provider: string;
}

/** The first entry that fits decides. */
export const DEFAULT_ROUTES: readonly RouteEntry[] = [
  { models: 'echo', provider: 'echo' },
  { models: 'gpt-*', provider: 'openai' },
  { models: 'chatgpt-*', provider: 'openai' },
  { models: 'o1*', provider: 'openai' },
  { models: 'o3*', provider: 'openai' },
  { models: 'o4*', provider: 'openai' },
  { models: 'text-embedding-*', provider: 'openai' },
  { models: 'davinci-*', provider: 'openai' },
  { models: 'babbage-*', provider: 'openai' },
  { models: 'claude-*', provider: 'anthropic' },
  { models: 'mistral-*', provider: 'mistral' },
  { models: 'ministral-*', provider: 'mistral' },
  { models: 'magistral-*', provider: 'mistral' },
  { models: 'codestral-*', provider: 'mistral' },
  { models: 'devstral-*', provider: 'mistral' },
  { models: 'pixtral-*', provider: 'mistral' },
  { models: 'command-*', provider: 'cohere' },
  { models: 'embed-*', provider: 'cohere' },
  { models: 'deepseek-*', provider: 'deepseek' },
  { models: 'grok-*', provider: 'xai' },
  { models: 'sonar*', provider: 'perplexity' },
];

export interface Route {
  readonly provider: string;
  /** The model's name at the provider. */
  readonly model: string;
}

/**
 * The provider that a model names: `provider/model`, or the table.
 * @throws GatewayError `unknown_provider` or `model_not_found`
 */
export function routeModel(model: string, routes: readonly RouteEntry[], providers: ReadonlySet<string>): Route {
  const slash = model.indexOf('/');
  if (slash >= 0) {
    const provider = model.slice(0, slash);
    if (!providers.has(provider))
      throw new GatewayError('unknown_provider', `Unknown provider '${provider}'.`, { param: 'model' });
    if (slash + 1 < model.length) return { provider, model: model.slice(slash + 1) };
  }
  const entry = routes.find((route) => matchesGlob(route.models, model));
  if (!entry || !providers.has(entry.provider)) throw modelNotFound(model);
  return { provider: entry.provider, model };
}

export function modelNotFound(model: string): GatewayError {
  return new GatewayError('model_not_found', `The model '${model}' does not exist or is not offered here.`, {
    param: 'model',
  });
}
