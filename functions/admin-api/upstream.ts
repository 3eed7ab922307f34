import { isDeepStrictEqual } from 'node:util';
import type { ModelRoute, ModelRouteList, ProviderList, ProviderTest, ProviderView } from '../contract/index.ts';
import { type HealthReport, NO_REQUESTS } from '../control/analytics/index.ts';
import { audit, type Caller } from '../control/audit/index.ts';
import type { DocumentVersion } from '../control/documents/index.ts';
import { type RouteEntry, type RoutesDocument, storedRoutes } from '../kernel/configuration/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { DEFAULT_ROUTES, describeProviders, isCallable, ModelCatalog } from '../translation/index.ts';
import type { AdminDeps, ProvidersInForce, Upstream, UpstreamConfig } from './admin-deps.ts';
import { listedModel, maxTestCostUsd, routedModel, testProvider } from './test-provider.ts';

const MAX_NAMES = 50;

/** `usedCredentialId`: the stored credential of its calls; null if they use the key of the settings, or none. */
type ProviderConfig = ReturnType<typeof describeProviders>[number] & { readonly usedCredentialId: string | null };

/** The providers, routes and prices in force. */
export async function upstreamNow(
  deps: Pick<AdminDeps, 'upstream' | 'routes' | 'providers' | 'prices' | 'clock'>,
): Promise<Upstream> {
  const [routes, providers, prices] = await Promise.all([
    deps.routes.current(),
    deps.providers.current(),
    deps.prices.current(),
  ]);
  const models = new ModelCatalog(prices.settings.prices, deps.clock.now());
  return { ...deps.upstream, routes: routes.settings.routes, stored: providers.settings.providers, models };
}

async function configsOf(upstream: ProvidersInForce): Promise<ProviderConfig[]> {
  const { settings: read, sharedCredentials, echo, bedrock, stored } = upstream;
  const [settings, shared] = await Promise.all([read(), sharedCredentials()]);
  const withCredential = (config: ReturnType<typeof describeProviders>[number]) => {
    const { name, stored: own, hasKey } = config;
    const usedCredentialId = own?.credentialId ?? shared.get(name) ?? null;
    return { ...config, usedCredentialId, hasKey: hasKey || usedCredentialId !== null };
  };
  return describeProviders(settings, echo, bedrock, stored).map(withCredential);
}

/** One provider. @throws GatewayError `not_found` */
export async function viewProvider(name: string, upstream: Upstream, report: HealthReport): Promise<ProviderView> {
  const config = (await configsOf(upstream)).find((one) => one.name === name);
  if (config === undefined) throw new GatewayError('not_found', 'There is no such provider.');
  return toView(config, upstream, await upstream.circuits(), report);
}

/** Configured providers and those of routes first. */
export async function listProviders(upstream: Upstream, report: HealthReport): Promise<ProviderList> {
  const [configs, circuits] = await Promise.all([configsOf(upstream), upstream.circuits()]);
  const views = configs.map((config) => toView(config, upstream, circuits, report));
  const isUsed = ({ isConfigured, routes, health: { requests } }: ProviderView) =>
    isConfigured || routes.length > 0 || requests > 0;
  const { from, to, records, isCut } = report;
  return {
    object: 'list',
    data: [...views.filter(isUsed), ...views.filter((view) => !isUsed(view))],
    health: { from, to, records, isCut },
  };
}

/** All routes in the order in which they are tried. */
export async function listRoutes(
  upstream: ProvidersInForce,
  { version, settings: { routes } }: DocumentVersion<RoutesDocument>,
): Promise<ModelRouteList> {
  const configs = await configsOf(upstream);
  const isUsable = (config: ProviderConfig) =>
    config.stored?.state !== 'disabled' && isCallableProvider(config, upstream);
  const callable = new Set(configs.filter(isUsable).map(({ name }) => name));
  return {
    object: 'list',
    data: [
      ...routes.map((route) => toRouteView(route, 'deployment', callable)),
      ...storedRoutes(upstream.stored).map((route) => toRouteView(route, 'provider', callable)),
      ...DEFAULT_ROUTES.map((route) => toRouteView(route, 'standard', callable)),
    ],
    version,
    isOverridden: version > 0 && upstream.routes.length > 0 && !isDeepStrictEqual(upstream.routes, routes),
  };
}

/** Sends one test request, which is in the audit log before. @throws GatewayError if it is not possible */
export async function runTest(
  name: string,
  asked: string | undefined,
  caller: Caller,
  deps: AdminDeps,
): Promise<ProviderTest> {
  const upstream = await upstreamNow(deps);
  const settings = await upstream.settings();
  const config = (await configsOf(upstream)).find((one) => one.name === name);
  if (config === undefined) throw new GatewayError('not_found', 'There is no such provider.');
  const reason = whyNotTestable(config, upstream);
  if (reason !== null) throw new GatewayError('conflict', reason);
  const model = asked ?? routedModel(name, upstream) ?? (await listedModel(name, settings, upstream));
  if (model === undefined) {
    throw new GatewayError('missing_field', "No model of this provider is known: name one in 'model'.", {
      param: 'model',
    });
  }
  if (!isCallable(config.protocol ?? undefined, model)) {
    throw new GatewayError('invalid_value', "'model' is not a valid model or deployment name.", { param: 'model' });
  }
  const target = { type: 'provider', id: name } as const;
  await audit(caller, { action: 'provider.tested', target, before: null, after: { model } }, deps);
  return testProvider(name, model, settings, upstream, deps.clock);
}

type Circuits = Awaited<ReturnType<UpstreamConfig['circuits']>>;

function toView(
  config: ProviderConfig,
  upstream: Upstream,
  circuits: Circuits,
  { byProvider }: HealthReport,
): ProviderView {
  const { name, isBuiltIn, protocol, keyVariable, host, isConfigured, stored, isOverridden = false } = config;
  const models = upstream.models.ofProvider(name).map(({ model }) => model);
  const reason = whyNotTestable(config, upstream);
  const suggested = routedModel(name, upstream) ?? null;
  return {
    object: 'provider',
    name,
    isBuiltIn,
    credentials: credentialsOf(config, upstream),
    keyVariable,
    host,
    isConfigured,
    isCallable: stored?.state !== 'disabled' && isCallableProvider(config, upstream),
    routes: upstream.routes.filter((route) => isNamedBy(name, route)).map((route) => route.models),
    circuit: circuitsOf(name, circuits),
    health: byProvider.get(name) ?? NO_REQUESTS,
    models: {
      count: models.length,
      data: models.slice(0, MAX_NAMES).map((model) => ({
        name: model,
        maxTestCostUsd: maxTestCostUsd(name, model, upstream.models),
      })),
      globs: [...(stored?.models ?? [])],
    },
    test: {
      isPossible: reason === null,
      reason,
      model: suggested,
      maxCostUsd: suggested === null ? null : maxTestCostUsd(name, suggested, upstream.models),
    },
    ...{ source: stored === undefined ? 'settings' : 'api', isOverridden, protocol },
    state: stored?.state ?? 'active',
    baseUrl: stored?.baseUrl ?? null,
    credentialId: stored?.credentialId ?? null,
    usedCredentialId: config.usedCredentialId,
    capabilities: stored?.capabilities ?? null,
  };
}

function circuitsOf(name: string, circuits: Circuits): ProviderView['circuit'] {
  return circuits
    .filter(({ provider }) => provider === name)
    .map(({ model, state, failures, openUntil }) => ({ model, state, failures, openUntil }));
}

function credentialsOf({ protocol, hasKey, needsKey }: ProviderConfig, { bedrock }: UpstreamConfig) {
  if (hasKey) return 'present';
  if (protocol === 'bedrock' && bedrock) return 'aws_role';
  return needsKey ? 'absent' : 'not_needed';
}

/** Whether the gateway can send it requests; `ollama` also at its default address. */
function isCallableProvider(config: ProviderConfig, upstream: UpstreamConfig): boolean {
  const needsNone = config.name === 'echo' || (config.protocol === 'bedrock' && config.fault === null);
  const hasAddress = config.host !== null || needsNone;
  return hasAddress && credentialsOf(config, upstream) !== 'absent';
}

/** The role of the admin API may call no model: a test would end with an error of AWS. */
const MISSING_PERMISSION =
  "The role of the admin API lacks the IAM action bedrock:InvokeModel, which only the gateway's role has. " +
  'Test through the gateway: send a request for a model such as bedrock/MODEL to /v1/chat/completions, or use the playground.';

function whyNotTestable(config: ProviderConfig, upstream: UpstreamConfig): string | null {
  if (config.fault !== null) return `It is not configured correctly: ${config.fault}.`;
  if (!isCallableProvider(config, upstream)) return 'It has no credentials or no address.';
  if (config.protocol === 'bedrock' && !config.hasKey && !upstream.signsBedrock) {
    return MISSING_PERMISSION;
  }
  return null;
}

function isNamedBy(name: string, { targets, fallbacks = [] }: RouteEntry): boolean {
  return [...targets, ...fallbacks].some(({ provider }) => provider === name);
}

function toRouteView(
  { models, targets, fallbacks = [], choose, sticky, state = 'active' }: RouteEntry,
  source: ModelRoute['source'],
  callable: ReadonlySet<string>,
): ModelRoute {
  const toTarget = ({ provider, model, state: own = 'active' }: RouteEntry['targets'][number]) => ({
    provider,
    model: model ?? null,
    isCallable: callable.has(provider),
    state: own,
  });
  const weightOf = (target: RouteEntry['targets'][number]) =>
    callable.has(target.provider) && target.state !== 'disabled' ? (target.weight ?? 1) : 0;
  const total = targets.reduce((sum, target) => sum + weightOf(target), 0);
  return {
    object: 'route',
    models,
    source,
    targets: targets.map((target) => ({ ...toTarget(target), share: total === 0 ? 0 : weightOf(target) / total })),
    fallbacks: fallbacks.map(toTarget),
    ...(choose && { choose }),
    ...(sticky && { sticky }),
    state,
  };
}
