import type { KeyView, OperationId } from '../../functions/contract/index.ts';
import type { AdminClient } from './admin-client.ts';
import { Refused } from './command.ts';
import {
  type DeployedDocument,
  DOCUMENTS,
  type DocumentName,
  issuerParts,
  type Parts,
  type PutDocument,
  partsByName,
} from './config-documents.ts';
import type { ConfigFile, Deployed } from './config-file.ts';
import type { Output } from './output.ts';

const PROGRESS_EVERY = 100;

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

/** The deployment's configuration. @param versions those that the file names */
export async function readDeployed(
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

/** Writes a document. @returns its new version */
export async function putDocument({ document, after, version }: PutDocument, client: AdminClient): Promise<number> {
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
