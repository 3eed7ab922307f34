import type { BodyOf } from '../contract/index.ts';
import type { Caller } from '../control/audit/index.ts';
import type { DocumentVersion } from '../control/documents/index.ts';
import { findUrlFault } from '../control/webhooks/index.ts';
import { type ProvidersDocument, providersSchema, type StoredProvider } from '../kernel/configuration/index.ts';
import { GatewayError, toValidationError } from '../kernel/errors/index.ts';
import { describeProviders } from '../translation/index.ts';
import type { AdminDeps } from './admin-deps.ts';
import { changeDocument, type DocumentKind, readVersion } from './documents.ts';

export const PROVIDERS: DocumentKind<ProvidersDocument> = {
  name: 'providers',
  hasChanged: 'The providers have changed',
  target: 'providers',
  updated: 'providers.updated',
  store: ({ providers }) => providers,
};

/** Who changes the providers, and which version of them. */
interface Change {
  readonly ifMatch: string | undefined;
  readonly caller: Caller;
}
type Version = Promise<DocumentVersion<ProvidersDocument>>;

/** Stores a provider. @throws GatewayError `conflict` if there is one with its name */
export async function addProvider(
  { name, ...fields }: BodyOf<'createProvider'>,
  change: Change,
  deps: AdminDeps,
): Version {
  const known = await ofSettings(name, deps);
  const protocol = fields.protocol ?? known?.protocol ?? undefined;
  if (protocol === undefined) throw new GatewayError('missing_field', "'protocol' is required.", { param: 'protocol' });
  const made = merged({ name, protocol }, fields);
  await check(made, deps);
  const add = ({ providers }: ProvidersDocument) => {
    const isTaken = known?.isConfigured === true || providers.some((one) => one.name === name);
    if (isTaken)
      throw new GatewayError('conflict', `There is a provider '${name}' already: change it.`, { param: 'name' });
    return { providers: [...providers, made] };
  };
  return changeDocument(PROVIDERS, add, change, deps);
}

/** Changes a stored provider, or stores a change of one of the settings. @throws GatewayError `not_found` */
export async function changeProvider(
  name: string,
  fields: BodyOf<'updateProvider'>,
  change: Change,
  deps: AdminDeps,
): Version {
  const known = await ofSettings(name, deps);
  const { providers: stored } = (await deps.providers.current()).settings;
  const toChanged = (providers: readonly StoredProvider[]) => {
    const before =
      providers.find((one) => one.name === name) ?? (known?.protocol && { name, protocol: known.protocol });
    if (!before) throw noSuchProvider();
    return merged(before, fields);
  };
  await check(toChanged(stored), deps);
  const replace = ({ providers }: ProvidersDocument) => {
    const changed = toChanged(providers);
    const isStored = providers.some((one) => one.name === name);
    return {
      providers: isStored ? providers.map((one) => (one.name === name ? changed : one)) : [...providers, changed],
    };
  };
  return changeDocument(PROVIDERS, replace, change, deps);
}

/** Removes a stored provider. @throws GatewayError `not_found`, or `conflict` for one of the settings or one that a route names */
export async function removeProvider(name: string, change: Change, deps: AdminDeps): Promise<void> {
  const known = await ofSettings(name, deps);
  const named = await namedByRoutes(deps);
  const remove = (before: ProvidersDocument) => {
    const providers = before.providers.filter((one) => one.name !== name);
    if (providers.length === before.providers.length) {
      if (known?.isConfigured) throw new GatewayError('conflict', 'It is in the settings: disable it instead.');
      throw noSuchProvider();
    }
    if (known?.isConfigured !== true && named.has(name)) throw namedByRoute(name);
    return { providers };
  };
  await changeDocument(PROVIDERS, remove, change, deps);
}

/** Restores an old version. @throws GatewayError `not_found`, `conflict` if a route names a provider that it lacks */
export async function rollBackProviders(version: number, change: Change, deps: AdminDeps): Version {
  const { settings } = await readVersion(PROVIDERS, version, deps);
  const checked = providersSchema.safeParse(settings);
  // An earlier release may have checked them by other rules.
  if (!checked.success) throw toValidationError(checked.error, settings);
  for (const one of settings.providers) await check(one, deps);
  const [named, kept] = [await namedByRoutes(deps), new Set(settings.providers.map(({ name }) => name))];
  const configured = await configuredNames(deps);
  const restore = ({ providers }: ProvidersDocument) => {
    const lost = providers.find(({ name }) => !kept.has(name) && !configured.has(name) && named.has(name));
    if (lost !== undefined) throw namedByRoute(lost.name);
    return settings;
  };
  return changeDocument(PROVIDERS, restore, change, deps);
}

/** The fields with changes; null removes one. */
function merged(before: StoredProvider, fields: Omit<BodyOf<'updateProvider'>, 'name'>): StoredProvider {
  const all = Object.entries({ ...before, ...fields }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(all) as unknown as StoredProvider;
}

/** @throws GatewayError for a provider that could not be called */
async function check(stored: StoredProvider, deps: AdminDeps): Promise<void> {
  const { baseUrl, capabilities, protocol, name } = stored;
  const refuse = (param: string, message: string) => new GatewayError('invalid_value', message, { param });
  if (baseUrl !== undefined) {
    const fault = baseUrl.includes('?') ? 'must hold no query' : findUrlFault(baseUrl, deps.endpointUrls);
    if (fault !== undefined) throw refuse('baseUrl', `'baseUrl' ${fault}.`);
  }
  if (capabilities !== undefined && protocol !== 'openai' && protocol !== 'azure')
    throw refuse('capabilities', "'capabilities' are only for the protocols openai and azure.");
  const { settings, echo, bedrock } = deps.upstream;
  const config = describeProviders(await settings(), echo, bedrock, [stored]).find((one) => one.name === name);
  if (config?.fault) {
    const code = baseUrl === undefined ? 'missing_field' : 'invalid_value';
    throw new GatewayError(code, `'baseUrl': ${config.fault}.`, { param: 'baseUrl' });
  }
  if (stored.credentialId !== undefined) await checkCredential(stored, config?.host ?? null, deps);
}

/** @throws GatewayError `invalid_value` for a credential that the provider could not be called with */
async function checkCredential(
  { name, credentialId }: StoredProvider,
  host: string | null,
  { credentials }: AdminDeps,
): Promise<void> {
  const refuse = (message: string) => new GatewayError('invalid_value', message, { param: 'credentialId' });
  const found = (await credentials.current()).settings.credentials.find(({ id }) => id === credentialId);
  if (found === undefined) throw refuse('There is no such credential.');
  if (found.provider !== name) throw refuse(`This credential is for the provider ${found.provider}.`);
  if (host !== null && !found.hosts.includes(host)) throw refuse(`This credential is not for the host ${host}.`);
}

/** The provider without stored changes. */
async function ofSettings(name: string, { upstream: { settings, echo, bedrock } }: AdminDeps) {
  return describeProviders(await settings(), echo, bedrock).find((one) => one.name === name);
}

async function configuredNames({ upstream: { settings, echo, bedrock } }: AdminDeps): Promise<ReadonlySet<string>> {
  const configs = describeProviders(await settings(), echo, bedrock);
  return new Set(configs.flatMap(({ name, isConfigured }) => (isConfigured ? [name] : [])));
}

async function namedByRoutes(deps: AdminDeps): Promise<ReadonlySet<string>> {
  const { routes } = (await deps.routes.current()).settings;
  return new Set(
    routes.flatMap(({ targets, fallbacks = [] }) => [...targets, ...fallbacks]).map(({ provider }) => provider),
  );
}

function namedByRoute(name: string): GatewayError {
  return new GatewayError('conflict', `A route names the provider '${name}': remove it from the routes first.`);
}

export function noSuchProvider(): GatewayError {
  return new GatewayError('not_found', 'There is no such provider.');
}
