import type { RowOf } from '../contract/index.ts';
import type { ApprovedDefinition, StoredMcpServer } from '../kernel/configuration/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { inspectDefinition } from '../pipeline/index.ts';
import { isServed, kindOfName, type McpItem, PINNED_KINDS, servesKind, stateOf } from '../translation/index.ts';
import type { AdminDeps } from './admin-deps.ts';

type Tool = RowOf<'listMcpTools'>;

/** Definitions that are read at once, the most that the store allows. */
const MAX_READ = 100;
/** A longer definition is not kept: a change of it is shown by the names of its fields. */
const MAX_DEFINITION_CHARS = 65_536;

/** The tools, prompts and templates of a server as it lists them now, with the approved ones that it no longer lists. @throws GatewayError */
export async function viewTools(server: StoredMcpServer, deps: AdminDeps): Promise<Tool[]> {
  const [mcp, { inspector }] = await Promise.all([deps.mcp(), deps.engine()]);
  const kinds = PINNED_KINDS.filter((kind) => servesKind(server, kind));
  const lists = await Promise.all(kinds.map((kind) => mcp.list(server, kind)));
  const items = lists.flatMap((list) => [...list.values()]);
  const changed = items.filter((item) => stateOf(item, server).state === 'changed');
  const before = await approvedDefinitions(server, changed, deps);
  const listed = items.map((tool): Tool => {
    const { state, fields } = stateOf(tool, server);
    return {
      object: 'mcp.tool',
      server: server.name,
      tool: tool.name,
      kind: tool.kind as Tool['kind'],
      state,
      isServed: isServed(state, server),
      digest: tool.version.digest,
      approvedDigest: approvedOf(server, tool.name),
      fields: [...fields],
      definition: { ...tool.definition },
      approvedDefinition: before.get(tool.name) ?? null,
      findings: findingsIn(tool, inspector),
    };
  });
  const names = new Set(items.map(({ name }) => name));
  const isListed = (name: string) => kinds.some((kind) => kind === kindOfName(name));
  const removed = Object.keys(server.approved).filter((name) => isListed(name) && !names.has(name));
  return [...listed, ...removed.map((name) => toRemoved(name, server))].sort((a, b) => (a.tool < b.tool ? -1 : 1));
}

/** The approved definitions of those tools for which they are kept. */
async function approvedDefinitions(
  server: StoredMcpServer,
  tools: readonly McpItem[],
  deps: AdminDeps,
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const read = tools.slice(0, MAX_READ);
  const kept = await deps.approvedDefinitions.read(read.map(({ name }) => `${server.name}/${name}`));
  return new Map(
    read.flatMap(({ name }, at) => {
      const { digest, definition } = kept[at] as ApprovedDefinition;
      return digest === approvedOf(server, name) ? [[name, JSON.parse(definition)]] : [];
    }),
  );
}

/** Keeps the text of an approved definition, so that a change of it can be shown. */
export async function keepDefinition(server: string, { name, version, definition }: McpItem, deps: AdminDeps) {
  const id = `${server}/${name}`;
  const text = JSON.stringify(definition);
  const [before] = (await deps.approvedDefinitions.read([id])) as [ApprovedDefinition];
  if (before.digest === version.digest || text.length > MAX_DEFINITION_CHARS) return;
  const next = { version: before.version + 1, digest: version.digest, definition: text };
  // Of two approvals at once, the digest says whose text is kept.
  await deps.approvedDefinitions.replace(id, before, next, undefined);
}

/** The definition of a tool, prompt or template as its server has it now. @throws GatewayError `not_found` */
export async function currentTool(server: StoredMcpServer, tool: string, deps: AdminDeps): Promise<McpItem> {
  const list = await (await deps.mcp()).list(server, kindOfName(tool));
  const found = [...list.values()].find(({ name }) => name === tool);
  if (found === undefined) throw new GatewayError('not_found', 'The server lists no tool of this name.');
  return found;
}

function toRemoved(tool: string, server: StoredMcpServer): Tool {
  const gone = { state: 'removed', isServed: false, digest: null, definition: null, approvedDefinition: null } as const;
  const approvedDigest = approvedOf(server, tool);
  const kind = kindOfName(tool) as Tool['kind'];
  return { object: 'mcp.tool', server: server.name, tool, kind, ...gone, approvedDigest, fields: [], findings: [] };
}

function approvedOf({ approved }: StoredMcpServer, tool: string): string | null {
  return (Object.hasOwn(approved, tool) ? approved[tool]?.digest : undefined) ?? null;
}

function findingsIn({ definition }: McpItem, inspector: Parameters<typeof inspectDefinition>[1]): Tool['findings'] {
  return inspectDefinition(definition, inspector).map(({ type, rule, severity, score, message, location }) => {
    const { field, start, end } = location;
    return { type, rule, severity, score, message, field, start, end };
  });
}
