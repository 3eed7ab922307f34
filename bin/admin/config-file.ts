import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { checkPolicy } from '../../functions/inspection/index.ts';
import {
  mcpServersSchema,
  modelPricesSchema,
  providersSchema,
  routesSchema,
} from '../../functions/kernel/configuration/index.ts';
import { issuersSchema } from '../../functions/kernel/identity/index.ts';
import {
  createKeySchema,
  createWebhookSchema,
  deploymentPolicySchema,
  importedSecretSchema,
  type KeyView,
  type WebhookView,
} from '../../functions/kernel/model/index.ts';
import { MAX_TEAMS } from '../../functions/kernel/teams/index.ts';
import { checkRoutes } from '../../functions/translation/index.ts';
import {
  type CredentialStep,
  type CredentialView,
  credentialEntrySchema,
  credentialReference,
  type MissingCredential,
  planCredentials,
  toCredentialEntry,
  withCredential,
  withServerCredential,
} from './config-credentials.ts';
import {
  type ChangedSince,
  type DeployedDocument,
  DOCUMENTS,
  type DocumentName,
  inOrder,
  issuerParts,
  type Parts,
  type PutDocument,
  partsByName,
  planDocument,
} from './config-documents.ts';
import {
  difference,
  planTeams,
  type TeamStep,
  type TeamView,
  teamEntrySchema,
  teamReference,
  toTeamEntry,
  withTeam,
} from './config-teams.ts';

/** A key in a file: its settings without its secret. Absent settings have their default; an absent `maxConcurrent` or `teamId` is not changed. */
const keyEntrySchema = createKeySchema.extend({
  credentialId: credentialReference.nullable().default(null),
  teamId: teamReference,
  state: z.enum(['active', 'disabled']).default('active'),
});
type KeySettings = z.infer<typeof keyEntrySchema>;

/** The same with the secret of another gateway, which only a new key takes. */
const newKeySchema = keyEntrySchema.extend({ importedSecret: importedSecretSchema.optional() });
export type KeyEntry = z.infer<typeof newKeySchema>;

const providerEntrySchema = providersSchema.shape.providers.element.extend({
  credentialId: credentialReference.optional(),
});

/** An MCP server in a file, with the definitions that are approved. */
const mcpServerEntrySchema = mcpServersSchema.shape.servers.element.extend({
  auth: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('credential'), credentialId: credentialReference }),
  ]),
});

/** A webhook in a file, identified by its URL. Those of chats and pagers are not in files: their addresses are secrets. */
const webhookEntrySchema = createWebhookSchema.omit({ format: true, routingKey: true }).extend({
  events: createWebhookSchema.shape.events.removeDefault().refine((list) => list.length > 0, 'must not be empty'),
  state: z.enum(['active', 'disabled']).default('active'),
});
export type WebhookEntry = z.infer<typeof webhookEntrySchema>;

/** The configuration that a team keeps in git. Absent parts stay unchanged in the deployment. */
const configFileSchema = z
  .strictObject({
    policy: deploymentPolicySchema.optional(),
    routes: routesSchema.optional(),
    prices: modelPricesSchema.optional(),
    identity: z.strictObject({ issuers: issuersSchema }).optional(),
    /** By their names, which are unique. */
    teams: z.array(teamEntrySchema).max(MAX_TEAMS).optional(),
    /** By their names, which are unique; without values. */
    credentials: z.array(credentialEntrySchema).max(100).optional(),
    /** Without keys: `credentialId` is the id or the name of a stored credential. */
    providers: z.array(providerEntrySchema).max(64).optional(),
    /** By their names. `auth.credentialId` is the id or the name of a stored credential. */
    mcpServers: z.array(mcpServerEntrySchema).max(64).optional(),
    /** The versions of the documents as exported or last applied: what others have changed since is not undone. */
    versions: z.partialRecord(z.enum(DOCUMENTS), z.int().min(0)).optional(),
    /** By their names, which are unique. */
    keys: z.array(newKeySchema).max(10_000).optional(),
    /** By their URLs. */
    webhooks: z.array(webhookEntrySchema).max(1_000).optional(),
  })
  .superRefine(
    (
      { policy, routes, identity, mcpServers = [], teams = [], credentials = [], keys = [], webhooks = [] },
      context,
    ) => {
      checkPolicy(policy, context, ['policy']);
      for (const [at, { rules }] of (identity?.issuers ?? []).entries()) {
        for (const [place, rule] of rules.entries())
          checkPolicy(rule.policy, context, ['identity', 'issuers', at, 'rules', place, 'policy']);
      }
      if (routes !== undefined) checkRoutes(routes, context, ['routes']);
      for (const [at, key] of keys.entries()) checkPolicy(key.policy, context, ['keys', at, 'policy']);
      for (const [at, team] of teams.entries()) checkPolicy(team.policy, context, ['teams', at, 'policy']);
      const tell = (path: PropertyKey[]) => context.addIssue({ code: 'custom', path, message: 'is not unique' });
      for (const at of repeated(mcpServers.map(({ name }) => name))) tell(['mcpServers', at, 'name']);
      for (const at of repeated(keys.map(({ name }) => name))) tell(['keys', at, 'name']);
      for (const at of repeated(teams.map(({ name }) => name))) tell(['teams', at, 'name']);
      for (const at of repeated(credentials.map(({ name }) => name))) tell(['credentials', at, 'name']);
      for (const at of repeated(webhooks.map(({ url }) => url))) tell(['webhooks', at, 'url']);
    },
  );

/** Indexes of texts that occur before. */
function repeated(texts: readonly string[]): number[] {
  return [...texts.keys()].filter((at) => texts.indexOf(texts[at] as string) < at);
}
export type ConfigFile = z.infer<typeof configFileSchema>;

/** The file is ambiguous, or a deployment cannot be written as a file. */
export class ConfigError extends Error {}

/** @throws ConfigError with the place of each error */
export function readConfigFile(value: unknown): ConfigFile {
  const file = configFileSchema.safeParse(value);
  if (file.success) return file.data;
  const faults = file.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
  throw new ConfigError(faults.join('\n'));
}

/** The settings of a key for a file. The previous state of an expired key is unknown: it counts as active. */
function toEntry(key: KeyView): KeySettings {
  const settings = Object.keys(keyEntrySchema.shape)
    .map((name) => [name, key[name as keyof KeyView]] as const)
    // Absent, it stays unchanged.
    .filter(([name, value]) => name !== 'teamId' || value != null);
  return { ...Object.fromEntries(settings), state: key.state === 'disabled' ? 'disabled' : 'active' } as KeySettings;
}

/**
 * The settings of a webhook for a file. A webhook that was disabled by its failures counts as active, since the file does not control that.
 */
export function toWebhookEntry({ url, events, description, filter, state, disabledReason }: WebhookView): WebhookEntry {
  const isDisabled = state === 'disabled' && disabledReason === 'admin';
  return {
    url,
    events: events as WebhookEntry['events'],
    description,
    filter,
    state: isDisabled ? 'disabled' : 'active',
  };
}

/** A document as the file has it; undefined if the file leaves it out. */
function wantedParts(
  { policy, routes, prices, providers, identity, mcpServers }: ConfigFile,
  document: DocumentName,
): Parts | undefined {
  if (document === 'routes') return routes && { routes };
  if (document === 'providers') return providers && partsByName(providers);
  if (document === 'identity') return identity && issuerParts(identity.issuers);
  if (document === 'mcpServers') return mcpServers && partsByName(mcpServers);
  return document === 'prices' ? prices : policy;
}

/**
 * The configuration file of a deployment: keys by name and webhooks by URL, without default values. @throws ConfigError if names or URLs
 * are not unique
 */
export function toConfigFile({ documents, teams, credentials, keys, webhooks }: Deployed): object {
  const living = keys.filter(({ state }) => state !== 'revoked').sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [at, { name, id }] of living.entries()) {
    if (living[at - 1]?.name === name) {
      throw new ConfigError(`Two keys are named '${name}', ${living[at - 1]?.id} and ${id}: rename one.`);
    }
  }
  const endpoints = [...webhooks].sort((a, b) => (a.url < b.url ? -1 : 1));
  for (const [at, { url, id }] of endpoints.entries()) {
    if (endpoints[at - 1]?.url === url) {
      throw new ConfigError(`Two webhooks have the URL ${url}, ${endpoints[at - 1]?.id} and ${id}: delete one.`);
    }
  }
  for (const [at, { name }] of credentials.entries()) {
    const twin = credentials.slice(0, at).find((one) => one.name === name);
    if (twin !== undefined) {
      throw new ConfigError(`Two credentials are named '${name}', ${twin.id} and ${credentials[at]?.id}: rename one.`);
    }
  }
  for (const [at, { name }] of teams.entries()) {
    const twin = teams.slice(0, at).find((one) => one.name === name);
    if (twin !== undefined)
      throw new ConfigError(`Two teams are named '${name}', ${twin.id} and ${teams[at]?.id}: rename one.`);
  }
  const names = new Map(credentials.map(({ id, name }) => [id, name]));
  const teamNames = new Map(teams.map(({ id, name }) => [id, name]));
  const { policy, routes, prices, providers, identity, mcpServers } = documents;
  const servers = Object.values(mcpServers.parts) as { readonly auth: object }[];
  return {
    versions: Object.fromEntries(DOCUMENTS.map((name) => [name, documents[name].version])),
    policy: policy.parts,
    ...routes.parts,
    prices: prices.parts,
    identity: { issuers: Object.values(identity.parts) },
    ...(teams.length > 0 && {
      teams: teams.map((team) => without(toTeamEntry(team), teamEntrySchema.parse({ name: team.name }), ['name'])),
    }),
    ...(credentials.length > 0 && {
      credentials: credentials.map((one) => withTeam(toCredentialEntry(one), teamNames)),
    }),
    providers: Object.values(providers.parts).map((provider) => withCredential(provider as object, names)),
    ...(servers.length > 0 && { mcpServers: servers.map((server) => withServerCredential(server, names)) }),
    keys: living.map((key) => {
      const entry = withTeam(withCredential(toEntry(key), names), teamNames);
      return without(entry, keyEntrySchema.parse({ name: key.name }), ['name']);
    }),
    ...(endpoints.length > 0 && {
      webhooks: endpoints.map((webhook) => {
        const entry = toWebhookEntry(webhook);
        return without(entry, webhookEntrySchema.parse({ url: entry.url, events: entry.events }), ['url', 'events']);
      }),
    }),
  };
}

/** An entry without default values, except the members that every entry needs. */
function without<T extends object>(entry: T, defaults: T, needed: readonly (keyof T)[]): Partial<T> {
  const own = Object.entries(entry).filter(
    ([name, value]) => needed.includes(name as keyof T) || !isDeepStrictEqual(value, defaults[name as keyof T]),
  );
  return Object.fromEntries(own) as Partial<T>;
}

/** The current state of a deployment. */
export interface Deployed {
  readonly documents: Readonly<Record<DocumentName, DeployedDocument>>;
  /** Oldest first. */
  readonly teams: readonly TeamView[];
  readonly credentials: readonly CredentialView[];
  readonly keys: readonly KeyView[];
  readonly webhooks: readonly WebhookView[];
}

export type Step =
  | PutDocument
  | TeamStep
  | CredentialStep
  | { readonly do: 'create key'; readonly entry: KeyEntry }
  | {
      readonly do: 'update key';
      readonly id: string;
      readonly name: string;
      readonly before: Partial<KeySettings>;
      readonly after: Partial<KeySettings>;
    }
  | { readonly do: 'revoke key'; readonly id: string; readonly name: string }
  | { readonly do: 'create webhook'; readonly entry: WebhookEntry }
  | {
      readonly do: 'update webhook';
      readonly id: string;
      readonly url: string;
      readonly before: Partial<WebhookEntry>;
      readonly after: Partial<WebhookEntry>;
    }
  | { readonly do: 'delete webhook'; readonly id: string; readonly url: string };

export interface Plan {
  readonly steps: readonly Step[];
  /** Teams, keys, webhooks and credentials that are not in the file and stay. */
  readonly extraneous: readonly (TeamView | KeyView | WebhookView | CredentialView)[];
  /** Sealed credentials of the file that the deployment lacks. */
  readonly missing: readonly MissingCredential[];
  /** What others have changed in documents since the versions that the file names. */
  readonly since: readonly ChangedSince[];
}

/**
 * The steps that make the deployment match the file; none if it already does. With `prune`, webhooks and credentials without a stored value that
 * are not in the file are deleted and keys revoked, except administrators' keys, which only a person should revoke. @throws ConfigError if two
 * keys share a name in the file, or two webhooks a URL
 */
export function planConfig(written: ConfigFile, deployed: Deployed, prune: boolean): Plan {
  const report = (message: string): never => {
    throw new ConfigError(message);
  };
  const file = withIds(written, deployed);
  const teams = planTeams(file.teams, deployed.teams, report);
  const credentials = planCredentials(file.credentials, deployed.credentials, prune, report);
  const living = deployed.keys.filter(({ state }) => state !== 'revoked');
  const named = new Set(file.keys?.map(({ name }) => name));
  const others = file.keys === undefined ? [] : living.filter(({ name }) => !named.has(name));
  const pruned = prune ? others.filter(({ permissions }) => !permissions.includes('admin')) : [];
  const meant = new Set(file.webhooks?.map(({ url }) => url));
  const otherWebhooks = file.webhooks === undefined ? [] : deployed.webhooks.filter(({ url }) => !meant.has(url));
  const documents = DOCUMENTS.flatMap((name) => {
    const wanted = wantedParts(file, name);
    return wanted === undefined ? [] : [planDocument(name, wanted, deployed.documents[name])];
  });
  const isDeleted = (step: CredentialStep) => step.do === 'delete credential';
  return {
    since: documents.flatMap(({ since }) => since),
    missing: credentials.missing.map((one) => ({ ...one, usedBy: usersOf(one.name, file) })),
    steps: [
      ...teams.steps,
      ...credentials.steps.filter((step) => !isDeleted(step)),
      ...inOrder(documents.flatMap(({ steps }) => steps)),
      ...(file.keys ?? []).flatMap((entry) => keySteps(entry, living)),
      ...pruned.map(({ id, name }) => ({ do: 'revoke key', id, name }) as const),
      ...(file.webhooks ?? []).flatMap((entry) => webhookSteps(entry, deployed.webhooks)),
      ...(prune ? otherWebhooks.map(({ id, url }) => ({ do: 'delete webhook', id, url }) as const) : []),
      // The server refuses to delete one that a provider or a key names.
      ...credentials.steps.filter(isDeleted),
    ],
    extraneous: [
      ...teams.others,
      ...others.filter((key) => !pruned.includes(key)),
      ...(prune ? [] : otherWebhooks),
      ...credentials.others,
    ],
  };
}

/** The file with the ids of the credentials and teams that it names. A name that stays is of one that the file creates. */
function withIds(file: ConfigFile, deployed: Deployed): ConfigFile {
  const ids = new Map(deployed.credentials.map(({ id, name }) => [name, id]));
  const teamIds = new Map(deployed.teams.map(({ id, name }) => [name, id]));
  const { providers, mcpServers, keys, credentials } = file;
  const known = new Set([...deployed.teams.map(({ id }) => id), ...(file.teams ?? []).map(({ name }) => name)]);
  const ofTeam = <Entry extends { readonly name: string; readonly teamId?: string | null | undefined }>(one: Entry) => {
    const entry = withTeam(one, teamIds);
    if (entry.teamId == null || known.has(entry.teamId)) return entry;
    throw new ConfigError(`'${one.name}' names the team '${one.teamId}', which is neither in the file nor deployed.`);
  };
  return {
    ...file,
    ...(providers && { providers: providers.map((provider) => withCredential(provider, ids)) }),
    ...(mcpServers && { mcpServers: mcpServers.map((server) => withServerCredential(server, ids)) }),
    ...(credentials && { credentials: credentials.map(ofTeam) }),
    ...(keys && { keys: keys.map((key) => ofTeam(withCredential(key, ids))) }),
  };
}

/** Providers, MCP servers and keys that name a credential. */
function usersOf(credential: string, { providers = [], mcpServers = [], keys = [] }: ConfigFile): readonly string[] {
  const servers = mcpServers.map(({ name, auth }) => ({
    name,
    credentialId: 'credentialId' in auth ? auth.credentialId : null,
  }));
  return [...providers, ...servers, ...keys].filter((one) => one.credentialId === credential).map(({ name }) => name);
}

function keySteps(entry: KeyEntry, living: readonly KeyView[]): Step[] {
  const [key, other] = living.filter(({ name }) => name === entry.name);
  if (key === undefined) return [{ do: 'create key', entry }];
  if (other !== undefined) {
    throw new ConfigError(`Two keys are named '${entry.name}', ${key.id} and ${other.id}: rename or revoke one.`);
  }
  const now = toEntry(key);
  const { importedSecret: _, ...settings } = entry;
  const changed = difference(now, settings, key.state === 'expired' ? ['state'] : []);
  return changed === undefined ? [] : [{ do: 'update key', id: key.id, name: key.name, ...changed }];
}

function webhookSteps(entry: WebhookEntry, deployed: readonly WebhookView[]): Step[] {
  const [webhook, other] = deployed.filter(({ url }) => url === entry.url);
  if (webhook === undefined) return [{ do: 'create webhook', entry }];
  if (other !== undefined) {
    throw new ConfigError(`Two webhooks have the URL ${entry.url}, ${webhook.id} and ${other.id}: delete one.`);
  }
  const changed = difference(toWebhookEntry(webhook), entry, []);
  return changed === undefined ? [] : [{ do: 'update webhook', id: webhook.id, url: webhook.url, ...changed }];
}
