import type * as z from 'zod';
import type { BodyOf, ResponseOf } from '../contract/index.ts';
import type { StoredCredential } from '../control/credentials/index.ts';
import type { DocumentVersion } from '../control/documents/index.ts';
import { findUrlFault } from '../control/webhooks/index.ts';
import { type ProvidersDocument, providersSchema, type StoredProvider } from '../kernel/configuration/index.ts';
import { GatewayError, toValidationError } from '../kernel/errors/index.ts';
import { describeProviders, isCallable } from '../translation/index.ts';
import type { AdminDeps } from './admin-deps.ts';
import {
  changeDocument,
  type DocumentKind,
  documentHandlers,
  readVersion,
  validContent,
  type Write,
} from './documents.ts';

const PROVIDERS: DocumentKind<ProvidersDocument, ResponseOf<'rollbackProviders'>> = {
  name: 'providers',
  hasChanged: 'The providers have changed',
  store: ({ providers }) => providers,
  toView: ({ settings: { providers }, ...version }) =>
    ({ object: 'providers', ...version, providers }) as unknown as ResponseOf<'rollbackProviders'>,
  schema: providersSchema as unknown as z.ZodType<ProvidersDocument>,
};
/** Of versions, except to roll back. */
export const providerVersions = documentHandlers(PROVIDERS);

type Version = Promise<DocumentVersion<ProvidersDocument>>;

/** Stores a provider. @throws GatewayError `conflict` if there is one with its name */
export async function addProvider(
  { name, ...fields }: BodyOf<'createProvider'>,
  change: Write,
  deps: AdminDeps,
): Version {
  const { ofSettings, check } = await readSettings(deps);
  const known = ofSettings.get(name);
  const protocol = fields.protocol ?? known?.protocol;
  if (!protocol) throw new GatewayError('missing_field', "'protocol' is required.", { param: 'protocol' });
  const made = merged({ name, protocol }, fields);
  check(made);
  const add = ({ providers }: ProvidersDocument) => {
    if (known?.isConfigured || providers.some((one) => one.name === name))
      throw new GatewayError('conflict', `There is a provider '${name}' already: change it.`, { param: 'name' });
    return validated({ providers: [...providers, made] });
  };
  return changeDocument(PROVIDERS, add, change, deps);
}

/** Changes a stored provider, or stores a change of one of the settings. @throws GatewayError `not_found` */
export async function changeProvider(
  name: string,
  fields: BodyOf<'updateProvider'>,
  change: Write,
  deps: AdminDeps,
): Version {
  const { ofSettings, check } = await readSettings(deps);
  const known = ofSettings.get(name);
  if (known?.protocol === null) throw new GatewayError('conflict', `The provider '${name}' cannot be changed.`);
  const replace = ({ providers }: ProvidersDocument) => {
    const stored = providers.find((one) => one.name === name);
    const before = stored ?? (known?.protocol && { name, protocol: known.protocol });
    if (!before) throw noSuchProvider();
    const changed = merged(before, fields);
    check(changed);
    const others = providers.map((one) => (one === stored ? changed : one));
    return validated({ providers: stored === undefined ? [...providers, changed] : others });
  };
  return changeDocument(PROVIDERS, replace, change, deps);
}

/** Removes a stored provider. @throws GatewayError `not_found`, or `conflict` for one of the settings or one that a route names */
export async function removeProvider(name: string, change: Write, deps: AdminDeps): Promise<void> {
  const [{ ofSettings }, named] = await Promise.all([readSettings(deps), namedByRoutes(deps)]);
  const known = ofSettings.get(name);
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

/** Restores an old version. @throws GatewayError `not_found`, and as `replaceProviders` does */
export async function rollBackProviders(version: number, change: Write, deps: AdminDeps) {
  const { providers } = validContent(PROVIDERS, await readVersion(PROVIDERS, version, deps));
  return replaceProviders({ providers }, change, deps, () => 'version');
}

/**
 * Replaces all stored providers. @param fieldOf the field of the request that has a field of one of them
 * @throws GatewayError `conflict` if a route names one that is missing
 */
export async function replaceProviders(
  settings: ProvidersDocument,
  change: Write,
  deps: AdminDeps,
  fieldOf = (at: number, field: string) => `providers[${at}].${field}`,
) {
  const [{ ofSettings, check }, named] = await Promise.all([readSettings(deps), namedByRoutes(deps)]);
  for (const [at, one] of settings.providers.entries()) check(one, (field) => fieldOf(at, field));
  const kept = new Set(settings.providers.map(({ name }) => name));
  const replace = ({ providers }: ProvidersDocument) => {
    const isLost = (name: string) => !kept.has(name) && !ofSettings.get(name)?.isConfigured && named.has(name);
    const lost = providers.find(({ name }) => isLost(name));
    if (lost !== undefined) throw namedByRoute(lost.name);
    return settings;
  };
  return providerVersions.change(replace, change, deps);
}

/** @throws GatewayError for a document that could not be restored */
function validated(document: ProvidersDocument): ProvidersDocument {
  const checked = providersSchema.safeParse(document);
  if (!checked.success) throw toValidationError(checked.error, document);
  return document;
}

/** The fields with changes; null removes one. */
function merged(before: StoredProvider, fields: Omit<BodyOf<'updateProvider'>, 'name'>): StoredProvider {
  const all = Object.entries({ ...before, ...fields }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(all) as unknown as StoredProvider;
}

/** The providers without stored changes, and a check that throws a GatewayError for a stored one that could not be called. */
async function readSettings({ upstream, endpointUrls, credentials: store }: AdminDeps) {
  const { echo, bedrock } = upstream;
  const settings = await upstream.settings();
  const { credentials } = (await store.current()).settings;
  const configsOf = (...stored: StoredProvider[]) =>
    new Map(describeProviders(settings, echo, bedrock, stored).map((config) => [config.name, config]));
  const check = (stored: StoredProvider, fieldOf?: (field: string) => string) => {
    const { baseUrl, capabilities, protocol, name, models = [] } = stored;
    const place = fieldOf === undefined ? '' : `The provider '${name}': `;
    const refuse = (field: string, message: string, code: 'invalid_value' | 'missing_field' = 'invalid_value') =>
      new GatewayError(code, `${place}${message}`, { param: fieldOf?.(field) ?? field });
    if (baseUrl !== undefined) {
      const fault = baseUrl.includes('?') ? 'must hold no query' : findUrlFault(baseUrl, endpointUrls);
      if (fault !== undefined) throw refuse('baseUrl', `'baseUrl' ${fault}.`);
    }
    const { workspaceId, ...ofOpenAi } = capabilities ?? {};
    if (Object.keys(ofOpenAi).length > 0 && protocol !== 'openai' && protocol !== 'azure')
      throw refuse('capabilities', "'capabilities' but 'workspaceId' are only for the protocols openai and azure.");
    if (workspaceId !== undefined && protocol !== 'anthropic')
      throw refuse('capabilities.workspaceId', "'workspaceId' is only for the protocol anthropic.");
    const never = models.findIndex((glob) => !isCallable(protocol, glob.replaceAll('*', 'a')));
    if (never >= 0) throw refuse(`models[${never}]`, `'models[${never}]' matches no name that a model can have.`);
    const { fault, host = null } = configsOf(stored).get(name) ?? {};
    if (fault) throw refuse('baseUrl', `'baseUrl': ${fault}.`, baseUrl === undefined ? 'missing_field' : undefined);
    const wrong = credentialFault(stored, host, credentials);
    if (wrong !== undefined) throw refuse('credentialId', wrong);
  };
  return { ofSettings: configsOf(), check };
}

/** Why a provider could not be called with the credential that it names; undefined if it can, or names none. */
function credentialFault(
  { name, credentialId }: StoredProvider,
  host: string | null,
  credentials: readonly StoredCredential[],
): string | undefined {
  if (credentialId === undefined) return undefined;
  const found = credentials.find(({ id }) => id === credentialId);
  if (found === undefined) return 'There is no such credential.';
  if (found.provider !== name) return `This credential is for the provider ${found.provider}.`;
  return host === null || found.hosts.includes(host) ? undefined : `This credential is not for the host ${host}.`;
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

function noSuchProvider(): GatewayError {
  return new GatewayError('not_found', 'There is no such provider.');
}
