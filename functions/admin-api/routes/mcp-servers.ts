import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import type { mcpServerOperations, ResponseOf, RowOf } from '../../contract/index.ts';
import { audit } from '../../control/audit/index.ts';
import type { DocumentVersion } from '../../control/documents/index.ts';
import { findUrlFault } from '../../control/webhooks/index.ts';
import {
  MCP_TARGET,
  type McpServersDocument,
  mcpServersSchema,
  type ShownTools,
  type StoredMcpServer,
} from '../../kernel/configuration/index.ts';
import { GatewayError, toValidationError } from '../../kernel/errors/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import {
  changeDocument,
  type DocumentKind,
  documentHandlers,
  readVersion,
  validContent,
  type Write,
  withETag,
} from '../documents.ts';
import type { Handlers } from '../operation-routes.ts';

const SERVERS: DocumentKind<McpServersDocument, ResponseOf<'rollbackMcpServers'>> = {
  name: 'mcp_servers',
  hasChanged: 'The MCP servers have changed',
  store: ({ mcpServers }) => mcpServers,
  toView: ({ settings: { servers }, ...version }) =>
    ({ object: 'mcp_servers', ...version, servers }) as unknown as ResponseOf<'rollbackMcpServers'>,
  schema: mcpServersSchema as unknown as z.ZodType<McpServersDocument>,
};
const versions = documentHandlers(SERVERS);

type Change = (server: StoredMcpServer) => StoredMcpServer;

/** MCP servers and approvals of their tools; each change is a version, and in the audit log. */
export const MCP_SERVER_HANDLERS: Handlers<typeof mcpServerOperations, AdminDeps> = {
  async listMcpServers(_, deps) {
    const [current, circuitOf] = await Promise.all([deps.mcpServers.current(), readCircuits(deps)]);
    const data = current.settings.servers.map((server) => toView(server, circuitOf));
    return withETag({ object: 'list' as const, data, nextCursor: null }, current);
  },
  async createMcpServer({ headers, body, caller }, deps) {
    const created = { ...body, approved: {} };
    await refuseFault(created, deps);
    const add = ({ servers }: McpServersDocument) => {
      if (servers.some(({ name }) => name === body.name))
        throw new GatewayError('conflict', `There is an MCP server '${body.name}' already: change it.`, {
          param: 'name',
        });
      return validated({ servers: [...servers, created] });
    };
    return viewOf(body.name, await changeDocument(SERVERS, add, { headers, caller }, deps), deps);
  },
  async putMcpServers({ headers, body: { servers }, caller }, deps) {
    for (const [at, server] of servers.entries()) await refuseFault(server, deps, `servers[${at}].`);
    return versions.change(() => ({ servers }), { headers, caller }, deps);
  },
  async rollbackMcpServers({ headers, body, caller }, deps) {
    const { servers } = validContent(SERVERS, await readVersion(SERVERS, body.version, deps));
    for (const server of servers) await refuseFault(server, deps, undefined, 'version');
    return versions.change(() => ({ servers }), { headers, caller }, deps);
  },
  listMcpServersVersions: versions.versions,
  getMcpServersVersion: versions.version,
  getMcpServer: async ({ params: { name } }, deps) => viewOf(name, await deps.mcpServers.current(), deps),
  async updateMcpServer({ params: { name }, headers, body, caller }, deps) {
    // An absent field is not in the parsed changes, so it stays unchanged.
    const update: Change = (server) => ({ ...server, ...(body as Partial<StoredMcpServer>) });
    await refuseFault(update(find(await deps.mcpServers.current(), name)), deps);
    return viewOf(name, await changeOne(name, update, { headers, caller }, deps), deps);
  },
  async deleteMcpServer({ params: { name }, headers, caller }, deps) {
    const remove = (document: McpServersDocument) => {
      const servers = document.servers.filter((one) => one.name !== name);
      if (servers.length === document.servers.length) throw noSuchServer();
      return { servers };
    };
    await changeDocument(SERVERS, remove, { headers, caller }, deps);
    await deps.shownTools.delete(name);
    return { object: 'mcp.server.deletion', name, deleted: true };
  },
  async listMcpTools({ params: { name } }, deps) {
    const server = find(await deps.mcpServers.current(), name);
    const { viewTools } = await import('../mcp-tools.ts');
    const { data, unavailable } = await viewTools(server, deps);
    await rememberShown(name, data, deps);
    return { object: 'list', data, nextCursor: null, unavailable };
  },
  async approveMcpTool({ params: { name, tool }, body: { digest }, caller }, deps) {
    const { currentTool, keepDefinition, viewItems } = await import('../mcp-tools.ts');
    const current = await currentTool(find(await deps.mcpServers.current(), name), tool, deps);
    const { version } = current;
    if (version.digest !== (digest ?? (await shownDigest(name, tool, deps)))) {
      const message = 'The server has another definition of this tool by now. List the tools and read it again.';
      throw new GatewayError('conflict', message, { param: 'digest' });
    }
    const approve: Change = (server) => ({ ...server, approved: { ...server.approved, [tool]: version } });
    const changed = await changeTool({ name, tool, action: 'mcp_tool.approved' }, approve, caller, deps);
    await keepDefinition(name, current, deps);
    const [shown] = await viewItems([current], find(changed, name), deps);
    return shown as RowOf<'listMcpTools'>;
  },
  /** The test is in the audit log before its token is returned. */
  async testMcpTool({ params: { name: server, tool }, body: { keyId }, caller }, deps) {
    find(await deps.mcpServers.current(), server);
    const key = (await deps.keys.get(keyId))?.key;
    if (key === undefined) throw new GatewayError('not_found', 'There is no such key.', { param: 'keyId' });
    const target = { type: 'mcp_tool', id: `${server}/${tool}` } as const;
    const fact = { action: 'mcp_tool.tested', target, before: null, after: { keyId } } as const;
    await audit(caller, { ...fact, teams: [key.teamId] }, deps);
    const { token, expiresAt } = await deps.mcpTests.token({ keyId, server, tool });
    return { object: 'mcp.test', server, tool, keyId, token, expiresAt };
  },
  async withdrawMcpTool({ params: { name, tool }, caller }, deps) {
    const withdraw: Change = (server) => {
      const { [tool]: approved, ...others } = server.approved;
      if (approved === undefined) throw new GatewayError('not_found', 'This server has no approved tool of this name.');
      return { ...server, approved: others };
    };
    await changeTool({ name, tool, action: 'mcp_tool.withdrawn' }, withdraw, caller, deps);
    return { object: 'mcp.tool.withdrawal', tool, withdrawn: true };
  },
};

/** Writes a change of an approval; the audit log has the tool and its digests. */
function changeTool(
  {
    name,
    tool,
    action,
  }: { readonly name: string; readonly tool: string; readonly action: 'mcp_tool.approved' | 'mcp_tool.withdrawn' },
  change: Change,
  caller: Write['caller'],
  deps: AdminDeps,
): Promise<DocumentVersion<McpServersDocument>> {
  const digestIn = ({ servers }: McpServersDocument) => {
    const approved = servers.find((one) => one.name === name)?.approved ?? {};
    return Object.hasOwn(approved, tool) ? { tool, digest: approved[tool]?.digest } : null;
  };
  const factOf = (before: McpServersDocument, after: McpServersDocument) => ({
    action,
    target: { type: 'mcp_tool', id: `${name}/${tool}` } as const,
    before: digestIn(before),
    after: digestIn(after),
  });
  return changeOne(name, change, { headers: {}, caller, factOf }, deps);
}

/** Keeps what a list has shown: an approval without a digest is of that, whatever the server has by then. */
async function rememberShown(name: string, tools: readonly RowOf<'listMcpTools'>[], deps: AdminDeps): Promise<void> {
  const digests = Object.fromEntries(tools.flatMap(({ tool, digest }) => (digest === null ? [] : [[tool, digest]])));
  const [before] = (await deps.shownTools.read([name])) as [ShownTools];
  if (isDeepStrictEqual(before.digests, digests)) return;
  // Of two lists at once, either was the last.
  await deps.shownTools.replace(name, before, { version: before.version + 1, digests }, undefined);
}

/** @throws GatewayError `missing_field` for a tool that no list has shown */
async function shownDigest(name: string, tool: string, { shownTools }: AdminDeps): Promise<string> {
  const [{ digests }] = (await shownTools.read([name])) as [ShownTools];
  const shown = Object.hasOwn(digests, tool) ? digests[tool] : undefined;
  if (shown !== undefined) return shown;
  const message = "'digest' is missing, and no list has shown this tool. List the tools first.";
  throw new GatewayError('missing_field', message, { param: 'digest' });
}

function changeOne(
  name: string,
  change: Change,
  write: Parameters<typeof changeDocument<McpServersDocument>>[2],
  deps: AdminDeps,
): Promise<DocumentVersion<McpServersDocument>> {
  const replace = ({ servers }: McpServersDocument) => {
    if (!servers.some((one) => one.name === name)) throw noSuchServer();
    return validated({ servers: servers.map((one) => (one.name === name ? change(one) : one)) });
  };
  return changeDocument(SERVERS, replace, write, deps);
}

/** @throws GatewayError for a document that could not be restored */
function validated(document: McpServersDocument): McpServersDocument {
  const checked = mcpServersSchema.safeParse(document);
  if (!checked.success) throw toValidationError(checked.error, document);
  return document;
}

/** @throws GatewayError `invalid_value` for a server that could not be called */
async function refuseFault(
  { url, auth }: Pick<StoredMcpServer, 'url' | 'auth'>,
  { endpointUrls, credentials }: AdminDeps,
  place = '',
  param?: string,
): Promise<void> {
  const refuse = (field: string, message: string) =>
    new GatewayError('invalid_value', message, { param: param ?? `${place}${field}` });
  const fault = url.includes('?') ? 'must hold no query' : findUrlFault(url, endpointUrls);
  if (fault !== undefined) throw refuse('url', `'url' ${fault}.`);
  if (auth.type === 'none') return;
  const isClient = auth.type === 'clientCredentials';
  const called = isClient ? auth.tokenUrl : url;
  const tokenFault = isClient && called !== undefined ? findUrlFault(called, endpointUrls) : undefined;
  if (tokenFault !== undefined) throw refuse('auth.tokenUrl', `'auth.tokenUrl' ${tokenFault}.`);
  const found = (await credentials.current()).settings.credentials.find(({ id }) => id === auth.credentialId);
  const field = 'auth.credentialId';
  if (found === undefined) throw refuse(field, 'There is no such credential.');
  if (found.teamId !== null) throw refuse(field, 'This credential belongs to a team: only its keys may name it.');
  // Without an address, the token endpoint is compared when it is known.
  const host = called === undefined ? undefined : new URL(called).host;
  if (host !== undefined && !found.hosts.includes(host))
    throw refuse(field, `This credential is not for the host ${host}.`);
}

function find({ settings: { servers } }: DocumentVersion<McpServersDocument>, name: string): StoredMcpServer {
  const found = servers.find((one) => one.name === name);
  if (found === undefined) throw noSuchServer();
  return found;
}

async function viewOf(name: string, version: DocumentVersion<McpServersDocument>, deps: AdminDeps) {
  return withETag(toView(find(version, name), await readCircuits(deps)), version);
}

type Circuit = RowOf<'listMcpServers'>['circuit'];

function toView(
  { approved, ...server }: StoredMcpServer,
  circuitOf: (server: StoredMcpServer) => Circuit,
): RowOf<'listMcpServers'> {
  const circuit = circuitOf({ approved, ...server });
  return { object: 'mcp.server', ...server, approvedTools: Object.keys(approved).length, circuit };
}

/** The circuits of the servers; those that are not known are closed. */
async function readCircuits({ upstream }: AdminDeps): Promise<(server: StoredMcpServer) => Circuit> {
  const circuits = await upstream.circuits();
  return ({ name }) => circuits.find(({ provider }) => provider === `${MCP_TARGET}${name}`)?.state ?? 'closed';
}

function noSuchServer(): GatewayError {
  return new GatewayError('not_found', 'There is no such MCP server.');
}
