import type * as z from 'zod';
import type { RouteEntry } from '../../kernel/configuration/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { matchesGlob } from '../../kernel/model/index.ts';
import type { Providers } from './provider.ts';

const NOT_POSSIBLE = 'is not a valid model or deployment name';

/**
 * Adds an issue for each target whose model's name could not be sent to its provider.
 * @param path where the routes are in what is checked
 * @param protocolOf the protocol of a provider. Without it, as for settings, a provider is taken for one of the protocol with its name, and
 * globs that match no name that could be sent are left, so that a deployment starts
 */
export function checkRoutes(
  routes: readonly RouteEntry[],
  context: z.RefinementCtx,
  path: PropertyKey[] = [],
  protocolOf?: (provider: string) => string,
): void {
  for (const [at, { models, targets, fallbacks = [] }] of routes.entries()) {
    for (const [field, all] of Object.entries({ targets, fallbacks })) {
      for (const [index, { provider, model }] of all.entries()) {
        const sent = model ?? (protocolOf === undefined ? 'any' : models.replaceAll('*', 'a'));
        if (isCallable(protocolOf?.(provider) ?? provider, sent)) continue;
        const place = model === undefined ? ['models'] : [field, index, 'model'];
        context.addIssue({ code: 'custom', message: NOT_POSSIBLE, path: [...path, at, ...place] });
      }
    }
  }
}

/** A provider and model that can serve a request. */
export interface Target {
  readonly provider: string;
  /** The model's name there. */
  readonly model: string;
  /** Requests that may use it at the same time; any number if absent. */
  readonly maxConcurrent?: number | undefined;
}

/** A target among which one is chosen. */
export type Weighted = Target & { readonly weight?: number | undefined };

type RouteTarget = NonNullable<RouteEntry['fallbacks']>[number];

const to = (provider: string, ...globs: string[]): RouteEntry[] =>
  globs.map((models) => ({ models, targets: [{ provider }] }));

/** The first match decides. */
export const DEFAULT_ROUTES: readonly RouteEntry[] = [
  ...to('echo', 'echo'),
  ...to(
    'openai',
    'gpt-*',
    'chatgpt-*',
    'o1*',
    'o3*',
    'o4*',
    'text-embedding-*',
    'davinci-*',
    'babbage-*',
    'dall-e-*',
    'whisper-*',
    'tts-*',
  ),
  ...to('anthropic', 'claude-*'),
  ...to('gemini', 'gemini-*', 'gemma-*'),
  ...to('mistral', 'mistral-*', 'ministral-*', 'magistral-*', 'codestral-*', 'devstral-*', 'pixtral-*'),
  ...to('cohere', 'command-*', 'embed-*', 'rerank-*'),
  ...to('deepseek', 'deepseek-*'),
  ...to('xai', 'grok-*'),
  ...to('perplexity', 'sonar*'),
  ...to('moonshot', 'kimi-*', 'moonshot-*'),
  ...to('minimax', 'MiniMax-*'),
  ...to('zai', 'glm-*'),
  // By maker, by the region prefix of an inference profile, or by ARN.
  ...to(
    'bedrock',
    'ai21.*',
    'amazon.*',
    'anthropic.*',
    'cohere.*',
    'deepseek.*',
    'google.*',
    'meta.*',
    'minimax.*',
    'mistral.*',
    'moonshot.*',
    'moonshotai.*',
    'nvidia.*',
    'openai.*',
    'qwen.*',
    'writer.*',
    'xai.*',
    'zai.*',
  ),
  ...to('bedrock', 'global.*', 'us.*', 'us-gov.*', 'ca.*', 'eu.*', 'apac.*', 'au.*', 'jp.*', 'in.*'),
  ...to('bedrock', 'arn:aws:bedrock:*', 'arn:aws-*:bedrock:*'),
];

/** The targets of a request in the order of calls: each is called when the one before it fails. Never empty. */
export type Targets = readonly [Target, ...Target[]];

interface Way {
  readonly targets: Targets;
  /** Chosen among the route's targets; absent if the key may use none, so that a fallback is the first. */
  readonly chosen?: Target | undefined;
  /** Undefined for `provider/model` without a route. */
  readonly route: RouteEntry | undefined;
}

/** Chooses one of a route's targets; undefined if none has a weight. */
type Choose = (route: RouteEntry, targets: readonly Weighted[]) => Target | undefined;

/** For lists of models, whose requests are not sent. */
const first: Choose = (_, targets) => targets.find(({ weight = 1 }) => weight > 0);

/**
 * The targets of a model name: by the routes, or the provider of `provider/model`. Disabled targets, unavailable providers and targets that
 * the key may not use are left out.
 * @throws GatewayError `unknown_provider` or `model_not_found`, also for a disabled provider; `insufficient_permissions` if no target is allowed
 */
export function routeModel(
  model: string,
  routes: readonly RouteEntry[],
  providers: Pick<Providers, 'has' | 'isDisabled'>,
  choose: Choose = first,
  allows: (target: Target, asked: string) => boolean = () => true,
): Way {
  const entry = entryFor(model, routes);
  if (entry !== undefined) {
    if (entry.state === 'disabled') throw routeDisabled(model);
    const here = <T extends RouteTarget>(all: readonly T[]) =>
      all
        .filter(({ provider, state }) => state !== 'disabled' && providers.has(provider))
        .map((one) => ({ ...one, ...toTarget(one, model) }));
    const [targets, fallbacks] = [here(entry.targets), here(entry.fallbacks ?? [])];
    const isAllowed = (target: Target) => allows(target, model);
    const chosen = choose(entry, targets.filter(isAllowed));
    const [called, ...others] = [...(chosen ? [chosen] : []), ...fallbacks.filter(isAllowed)].map(placeOf);
    if (called !== undefined) return { targets: [called, ...others], chosen, route: entry };
    if (targets.some(({ weight = 1 }) => weight > 0) || fallbacks.length > 0) throw modelNotAllowed(model);
    const all = [...entry.targets, ...(entry.fallbacks ?? [])];
    if (all.some(({ state }) => state === 'disabled')) throw routeDisabled(model);
    const stopped = all.find(({ provider }) => providers.isDisabled?.(provider));
    if (stopped !== undefined) throw providerDisabled(stopped.provider);
    if (!model.includes('/')) throw modelNotFound(model);
  }
  const slash = model.indexOf('/');
  const provider = model.slice(0, Math.max(slash, 0));
  if (slash >= 0 && providers.isDisabled?.(provider)) throw providerDisabled(provider);
  if (slash >= 0 && !providers.has(provider))
    throw new GatewayError('unknown_provider', `Unknown provider '${provider}'.`, { param: 'model' });
  if (slash < 0 || slash + 1 === model.length) throw modelNotFound(model);
  const target = { provider, model: model.slice(slash + 1) };
  if (!allows(target, model)) throw modelNotAllowed(model);
  return { targets: [target], route: undefined };
}

/** The route of a model name. */
export function entryFor(model: string, routes: readonly RouteEntry[]): RouteEntry | undefined {
  return routes.find((route) => matchesGlob(route.models, model));
}

/** The targets of the bare name, without fallbacks. */
export function defaultTargets(model: string, routes: readonly RouteEntry[]): Target[] {
  return entryFor(model, routes)?.targets.map((target) => toTarget(target, model)) ?? [];
}

/** The error if the key's `allowedModels` allows no target. */
export function modelNotAllowed(model: string, param = 'model'): GatewayError {
  return new GatewayError('insufficient_permissions', `This API key may not use the model '${model}'.`, { param });
}

export function modelNotFound(model: string): GatewayError {
  return new GatewayError(
    'model_not_found',
    `The model '${model}' does not exist or is not available here. See GET /v1/models.`,
    {
      param: 'model',
    },
  );
}

function routeDisabled(model: string): GatewayError {
  const message = `The route of the model '${model}' is disabled: an administrator has stopped it.`;
  return new GatewayError('model_not_found', message, { param: 'model' });
}

function providerDisabled(provider: string): GatewayError {
  const message = `The provider '${provider}' is disabled: an administrator has stopped it.`;
  return new GatewayError('model_not_found', message, { param: 'model' });
}

function placeOf({ provider, model, maxConcurrent }: Target): Target {
  return { provider, model, ...(maxConcurrent !== undefined && { maxConcurrent }) };
}

function toTarget({ provider, model }: RouteTarget, asked: string): Target {
  if (model !== undefined) return { provider, model };
  const prefix = `${provider}/`;
  return { provider, model: asked.startsWith(prefix) ? asked.slice(prefix.length) : asked };
}

/** Model names of all catalogs, such as `accounts/me/models/x#y`, `ft:gpt-4o:me::id` and `@cf/meta/llama-3`. */
const MODEL_NAME = /^[\w.:@+~#/-]{1,256}$/;
/** Characters in names of models, deployments and inference profiles; none of them ends a path segment. */
const SEGMENT = /^[\w.:@+~-]{1,256}$/;
/** Relative path segments. */
const ONLY_DOTS = /^\.+$/;

/** Protocols with the model name in the URL path. */
const WITH_MODEL_IN_PATH: ReadonlySet<string> = new Set(['azure', 'gemini', 'bedrock', 'vertex']);

/**
 * The name encoded as one path segment.
 * @throws GatewayError `invalid_value` for a name that could lead to another path
 */
export function modelSegment(model: string): string {
  if (!isSegment(model)) throw invalidName();
  return encodeURIComponent(model);
}

/**
 * The name with slashes allowed, as in an ARN.
 * @throws GatewayError `invalid_value` for a name that could lead to another path
 */
export function modelPath(model: string): string {
  if (!model.split('/').every(isSegment)) throw invalidName();
  return model;
}

/** Whether the name can be used in a call of a provider of the protocol. */
export function isCallable(protocol: string | undefined, model: string): boolean {
  return WITH_MODEL_IN_PATH.has(protocol ?? '') ? model.split('/').every(isSegment) : MODEL_NAME.test(model);
}

function isSegment(name: string): boolean {
  return SEGMENT.test(name) && !ONLY_DOTS.test(name);
}

export function invalidName(): GatewayError {
  return new GatewayError('invalid_value', "'model' is not a valid model or deployment name.", { param: 'model' });
}
