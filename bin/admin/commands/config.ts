import { open } from 'node:fs/promises';
import type { BodyOf, KeyView, OperationId } from '../../../functions/contract/index.ts';
import type { AdminClient } from '../admin-client.ts';
import { type Command, type CommandInput, type Context, type Option, Refused } from '../command.ts';
import { withCredential, withServerCredential } from '../config-credentials.ts';
import {
  type ChangedSince,
  type DeployedDocument,
  DOCUMENTS,
  type DocumentName,
  issuerParts,
  type Parts,
  type PutDocument,
  partsByName,
} from '../config-documents.ts';
import type { ConfigFile, Deployed, KeyEntry, Plan, Step, WebhookEntry } from '../config-file.ts';
import { withTeam } from '../config-teams.ts';
import { setVersions, writeConfig } from '../config-text.ts';
import type { Output } from '../output.ts';

const PRUNE: Option = {
  help: 'Also revoke keys and delete webhooks, and credentials without a stored value, that are not in the file, except admin keys.',
};

const OVERWRITE: Option = {
  help: "Write the file's value where the file and another administrator have changed the same.",
};

const PROGRESS_EVERY = 100;

const ENDS = ['revoke key', 'delete webhook', 'delete credential'] as const;

/** The operations of the documents. */
const OPERATIONS: Readonly<Record<DocumentName, Readonly<Record<'read' | 'version' | 'put', OperationId>>>> = {
  policy: { read: 'getPolicy', version: 'getPolicyVersion', put: 'putPolicy' },
  routes: { read: 'getRoutes', version: 'getRoutesVersion', put: 'putRoutes' },
  prices: { read: 'getPrices', version: 'getPricesVersion', put: 'putPrices' },
  identity: { read: 'getIdentity', version: 'getIdentityVersion', put: 'putIdentity' },
  // The newest of the list.
  providers: { read: 'listProvidersVersions', version: 'getProvidersVersion', put: 'putProviders' },
  mcpServers: { read: 'listMcpServersVersions', version: 'getMcpServersVersion', put: 'putMcpServers' },
};

/** The deployment's policy, routes, prices, issuers, teams, stored providers and credentials, MCP servers, keys and webhooks as one file. */
export const CONFIG_COMMANDS: readonly Command[] = [
  {
    name: 'export',
    args: ['FILE'],
    argHelp: {
      FILE: { help: 'The file to write: YAML if it ends in .yaml or .yml, else JSON. An existing one is replaced.' },
    },
    summary:
      'Writes policy, routes, prices, issuers of tokens, teams, stored providers and credentials, MCP servers, keys and webhooks to a file, without secrets.',
    options: {},
    examples: ['export svc.json', 'export svc.yaml'],
    async run(input, { api, out }) {
      const deployed = await readDeployed(api(), {}, out);
      const { refusing, toConfigFile } = await asCode();
      const file = refusing(() => toConfigFile(deployed));
      await writeConfig(input.arg(0), file);
      const { documents, keys, webhooks } = deployed;
      const written = { keys: keys.length, webhooks: webhooks.length };
      if (out.json) out.objects([{ file: input.arg(0), ...written }]);
      const prices = Object.keys(documents.prices.parts).length;
      out.say(
        `Wrote the policy, the routes, ${prices} prices, ${written.keys} keys and ${written.webhooks} webhooks to ${input.arg(0)}.`,
      );
      return 0;
    },
  },
  {
    name: 'plan',
    args: ['FILE'],
    argHelp: { FILE: { help: 'A file as export writes it.' } },
    summary: 'Shows what apply would change, and what others have changed since the versions that the file names.',
    options: { prune: PRUNE },
    examples: ['plan svc.json', 'plan svc.yaml --prune --json'],
    async run(input, context) {
      print((await planOf(input, context, context.api())).plan, context.out);
      return 0;
    },
  },
  {
    name: 'apply',
    args: ['FILE'],
    argHelp: { FILE: { help: 'A file as export writes it.' } },
    summary: 'Applies the file to the deployment; prints secrets of new keys and webhooks once.',
    options: {
      prune: PRUNE,
      overwrite: OVERWRITE,
      secrets: {
        value: 'FILE',
        help: 'A new file for the secrets, one JSON object a line, readable only to you. Default: standard output.',
      },
    },
    examples: ['apply svc.json --secrets new-keys.jsonl', 'apply svc.json --prune --yes'],
    async run(input, context) {
      const { api, out, confirm } = context;
      const client = api();
      const { plan, file } = await planOf(input, context, client);
      print(plan, out);
      const conflicts = plan.since.filter(({ isKept }) => !isKept);
      if (conflicts.length > 0 && !input.flag('overwrite')) {
        throw new Refused(
          'Nothing was applied: the file and the deployment have changed the same. Take the deployed values into the file, or pass --overwrite.',
        );
      }
      const lacking = plan.missing.filter(({ usedBy }) => usedBy.length > 0);
      if (lacking.length > 0) {
        throw new Refused(
          'Nothing was applied: providers or keys of the file name credentials that are to be added first.',
        );
      }
      const ended = plan.steps.filter(({ do: does }) => ENDS.some((one) => one === does));
      if (ended.length > 0) await confirm(`Revoke keys, delete webhooks or credentials, ${ended.length} in all?`);
      const versions = await apply(plan, client, input.text('secrets'), out);
      if (file.versions !== undefined) await setVersions(input.arg(0), { ...file.versions, ...versions });
      return 0;
    },
  },
];

async function planOf(
  input: CommandInput,
  { readJson, out }: Context,
  client: AdminClient,
): Promise<{ readonly plan: Plan; readonly file: ConfigFile }> {
  const { planConfig, readConfigFile, refusing } = await asCode();
  const content = await readJson(input.arg(0));
  const file = refusing(() => readConfigFile(content));
  const deployed = await readDeployed(client, file.versions ?? {}, out);
  return { plan: refusing(() => planConfig(file, deployed, input.flag('prune'))), file };
}

/** Loaded only if needed: the schemas of keys and policies are large. */
async function asCode() {
  const { ConfigError, planConfig, readConfigFile, toConfigFile } = await import('../config-file.ts');
  /** Reports an invalid file to the operator. */
  const refusing = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof ConfigError ? new Refused(error.message) : error;
    }
  };
  return { planConfig, readConfigFile, refusing, toConfigFile };
}

/** @param versions those that the file names */
async function readDeployed(
  client: AdminClient,
  versions: NonNullable<ConfigFile['versions']>,
  out: Output,
): Promise<Deployed> {
  const keys: KeyView[] = [];
  for await (const key of client.list('listKeys', {})) {
    if (keys.push(key) % PROGRESS_EVERY === 0) out.progress(`Read ${keys.length} keys`);
  }
  out.progress(`Read ${keys.length} keys`);
  const webhooks = (await client.all('listWebhooks', {})).filter(({ format = 'svc' }) => format === 'svc');
  const { data: credentials } = await client.call('listCredentials', {});
  const { data: teams } = await client.call('listTeams', {});
  const documents = await Promise.all(
    DOCUMENTS.map(async (name) => [name, await readDocument(client, name, versions[name])] as const),
  );
  return { documents: Object.fromEntries(documents) as Deployed['documents'], teams, credentials, keys, webhooks };
}

/** A version as every document shows it, with its content. */
interface Shown extends Omit<DeployedDocument, 'parts' | 'base'> {
  readonly object: string;
}

async function readDocument(
  client: AdminClient,
  name: DocumentName,
  base: number | undefined,
): Promise<DeployedDocument> {
  const read = async (id: OperationId, call: object) => (await client.call(id, call as never)) as unknown as Shown;
  const { read: current, version: ofVersion } = OPERATIONS[name];
  const isNamed = name === 'providers' || name === 'mcpServers';
  const shown = isNamed ? await readNewest(client, current, name) : await read(current, {});
  const { version, createdAt, createdBy } = shown;
  if (base !== undefined && base > version) {
    const message = `The file has version ${base} of the ${name}, and the deployment only ${version}: it was exported from another deployment. Remove its versions.`;
    throw new Refused(message);
  }
  const parts = partsOf(name, shown);
  const isOlder = base !== undefined && base < version;
  const old = isOlder ? await read(ofVersion, { params: { version: String(base) } }) : shown;
  return { version, parts, createdAt, createdBy, base: base === undefined ? undefined : partsOf(name, old) };
}

/** The newest version of providers or MCP servers; without one none of them. */
async function readNewest(client: AdminClient, list: OperationId, name: 'providers' | 'mcpServers'): Promise<Shown> {
  const { data } = (await client.call(list, { query: { limit: 1 } } as never)) as unknown as { readonly data: Shown[] };
  const none = { object: name, version: 0, createdAt: null, createdBy: null, [NAMED[name]]: [] };
  return data[0] ?? none;
}

/** The member of a version with its parts. */
const NAMED = { providers: 'providers', mcpServers: 'servers' } as const;

/** A roll-out is no part of the policy in force. */
function partsOf(
  name: DocumentName,
  {
    object: _,
    version: __,
    createdAt: ___,
    createdBy: ____,
    rollout: _____,
    ...content
  }: Shown & { readonly rollout?: unknown },
): Parts {
  if (name === 'prices') return (content as unknown as { prices: Parts }).prices;
  if (name === 'identity') {
    return issuerParts((content as unknown as { readonly issuers: readonly { readonly issuer: string }[] }).issuers);
  }
  if (name !== 'providers' && name !== 'mcpServers') return content as unknown as Parts;
  const named = content as unknown as Readonly<Record<string, readonly { readonly name: string }[]>>;
  return partsByName(named[NAMED[name]] ?? []);
}

function print({ steps, extraneous, since, missing }: Plan, out: Output): void {
  const kept = extraneous.map((one) => ({
    do: 'keep',
    id: one.id,
    ...('name' in one ? { name: one.name } : { url: one.url }),
  }));
  const changed = since.map((one) => ({ do: one.isKept ? 'keep' : 'conflict', ...one }));
  const added = missing.map((one) => ({ do: 'add credential', ...one }));
  if (out.json) out.objects([...steps.map(withoutSecret), ...kept, ...changed, ...added]);
  for (const one of since) out.line(sinceLine(one));
  for (const { name, provider, usedBy } of missing) {
    const users = usedBy.length === 0 ? '' : ` (named by ${usedBy.join(', ')})`;
    out.line(`! credential '${name}'${users} is to be added: svc admin credentials create ${provider} '${name}'`);
  }
  for (const step of steps) for (const line of linesOf(step)) out.line(line);
  for (const one of extraneous) out.line(`  ${nameOf(one.object, one)} (${one.id}) is not in the file and stays`);
  if (steps.length === 0) out.line('No changes.');
}

/** A plan may be kept in a log, where guesses of an imported secret could be tested. */
function withoutSecret(step: Step): object {
  if (step.do !== 'create key') return step;
  const { importedSecret, ...entry } = step.entry;
  return { ...step, entry: { ...entry, ...(importedSecret && { importedSecret: { last4: importedSecret.last4 } }) } };
}

function sinceLine({ document, part, isKept, inFile, deployed, version, createdAt, createdBy }: ChangedSince): string {
  const changed = `set to ${shown(deployed)} by version ${version} at the latest (${createdAt ?? 'unknown time'}, ${createdBy ?? 'an operator'})`;
  const place = document === part ? document : `${document} ${part}`;
  return isKept
    ? `! ${place}: ${changed}, and stays; the file has ${shown(inFile)}`
    : `! ${place}: ${changed}; the file changes it to ${shown(inFile)}`;
}

/** Such as `key 'shop'`. */
function nameOf(kind: string, one: { readonly name: string } | { readonly url: string }): string {
  return 'url' in one ? `${kind} ${one.url}` : `${kind} '${one.name}'`;
}

function linesOf(step: Step): string[] {
  const kind = step.do.split(' ').at(-1) ?? '';
  if ('entry' in step) return [`+ ${nameOf(kind, step.entry)}`];
  if (!('before' in step)) return [`- ${nameOf(kind, step)} (${step.id})`];
  const head = 'document' in step ? `~ ${step.document}` : `~ ${nameOf(kind, step)} (${step.id})`;
  const [before, after] = [new Map(Object.entries(step.before)), new Map(Object.entries(step.after))];
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].map((name) => [name, shown(before.get(name)), shown(after.get(name))]);
  return [
    head,
    ...changed.filter(([, was, is]) => was !== is).map(([name, was, is]) => `    ${name}: ${was} -> ${is}`),
  ];
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

/** @returns the new versions of documents. Each step is whole, and the rest is what a second call would do. */
async function apply(
  { steps }: Plan,
  client: AdminClient,
  secrets: string | undefined,
  out: Output,
): Promise<Partial<Record<DocumentName, number>>> {
  const makesSecrets = steps.some(
    (step) => (step.do === 'create key' && !step.entry.importedSecret) || step.do === 'create webhook',
  );
  // Before anything is changed: a secret that could not be written would be lost.
  const file = secrets !== undefined && makesSecrets ? await open(secrets, 'wx', 0o600) : undefined;
  const keep = async (secret: object) => {
    if (file === undefined) out.objects([secret]);
    else await file.write(`${JSON.stringify(secret)}\n`);
  };
  const versions: Partial<Record<DocumentName, number>> = {};
  /** The ids of new teams and credentials by their names. */
  const created = { teams: new Map<string, string>(), credentials: new Map<string, string>() };
  let done = 0;
  try {
    for (const planned of steps) {
      const step = withIds(planned, created);
      out.progress(`Applied ${done} of ${steps.length} changes`);
      if ('document' in step) versions[step.document] = await putDocument(step, client);
      else if (step.do === 'create team') {
        const { id } = await client.call('createTeam', { body: step.entry as BodyOf<'createTeam'> });
        created.teams.set(step.entry.name, id);
      } else if (step.do === 'create credential') {
        const { id } = await client.call('createCredential', { body: step.entry as BodyOf<'createCredential'> });
        created.credentials.set(step.entry.name, id);
      } else await applyStep(step, client, keep);
      done += 1;
    }
  } catch (error) {
    const names = steps.slice(0, done).map((step) => (linesOf(step)[0] ?? '').slice(2));
    const applied =
      done === 0 ? 'Nothing was applied.' : `Applied ${done} of ${steps.length} changes: ${names.join(', ')}.`;
    out.say(`${applied} Apply the file again for the rest.`);
    throw error;
  } finally {
    await file?.close();
  }
  if (steps.length > 0) out.line(`Applied: ${steps.length} ${steps.length === 1 ? 'change' : 'changes'}.`);
  return versions;
}

type Ids = ReadonlyMap<string, string>;

/** The step with the ids of teams and credentials that an earlier step has created. */
function withIds(step: Step, created: Readonly<Record<'teams' | 'credentials', Ids>>): Step {
  const { teams, credentials } = created;
  if ('document' in step) {
    if (step.document !== 'providers' && step.document !== 'mcpServers') return step;
    const named = (one: unknown) =>
      step.document === 'providers'
        ? withCredential(one as object, credentials)
        : withServerCredential(one as { readonly auth: object }, credentials);
    const after = Object.entries(step.after).map(([name, one]) => [name, named(one)]);
    return { ...step, after: Object.fromEntries(after) };
  }
  if (step.do === 'create credential') return { ...step, entry: withTeam(step.entry, teams) };
  if (step.do === 'update credential') return { ...step, after: withTeam(step.after, teams) };
  if (step.do === 'create key') return { ...step, entry: withTeam(withCredential(step.entry, credentials), teams) };
  return step.do === 'update key' ? { ...step, after: withTeam(withCredential(step.after, credentials), teams) } : step;
}

/** @returns the new version */
async function putDocument({ document, after, version }: PutDocument, client: AdminClient): Promise<number> {
  const call = { body: bodyOf(document, after), headers: { 'if-match': `"${version}"` } };
  const saved = (await client.call(OPERATIONS[document].put, call as never)) as unknown as Shown;
  return saved.version;
}

function bodyOf(document: DocumentName, parts: Parts): object {
  if (document === 'prices') return { prices: parts };
  if (document === 'identity') return { issuers: Object.values(parts) };
  if (document === 'mcpServers') return { servers: Object.values(parts) };
  return document === 'providers' ? { providers: Object.values(parts) } : parts;
}

type OtherStep = Exclude<Step, PutDocument | { readonly do: 'create team' | 'create credential' }>;

async function applyStep(step: OtherStep, client: AdminClient, keep: KeepSecret): Promise<void> {
  switch (step.do) {
    case 'update team':
      await client.call('updateTeam', { params: { id: step.id }, body: step.after });
      break;
    case 'create key':
      await createKey(step.entry, client, keep);
      break;
    case 'update key':
      await client.call('updateKey', { params: { id: step.id }, body: step.after });
      break;
    case 'revoke key':
      await client.call('revokeKey', { params: { id: step.id } });
      break;
    case 'update credential':
      await client.call('updateCredential', { params: { id: step.id }, body: step.after });
      break;
    case 'delete credential':
      await client.call('deleteCredential', { params: { id: step.id } });
      break;
    case 'create webhook':
      await createWebhook(step.entry, client, keep);
      break;
    case 'update webhook':
      await client.call('updateWebhook', { params: { id: step.id }, body: step.after });
      break;
    case 'delete webhook':
      await client.call('deleteWebhook', { params: { id: step.id } });
      break;
  }
}

type KeepSecret = (secret: object) => Promise<void>;

async function createKey(entry: KeyEntry, client: AdminClient, keep: KeepSecret): Promise<void> {
  const { state, importedSecret, ...fields } = entry;
  if (importedSecret !== undefined) {
    await client.call('importKey', { body: { ...fields, importedSecret, state } as BodyOf<'importKey'> });
    return;
  }
  const { id, name, key } = await client.call('createKey', { body: fields as BodyOf<'createKey'> });
  await keep({ id, name, key });
  if (state === 'disabled') await client.call('updateKey', { params: { id }, body: { state } });
}

async function createWebhook({ state, ...fields }: WebhookEntry, client: AdminClient, keep: KeepSecret): Promise<void> {
  const { id, url, secret } = await client.call('createWebhook', { body: fields as BodyOf<'createWebhook'> });
  await keep({ id, url, secret });
  if (state === 'disabled') await client.call('updateWebhook', { params: { id }, body: { state } });
}
