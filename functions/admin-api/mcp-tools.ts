import type { RowOf } from '../contract/index.ts';
import type { StoredMcpServer } from '../kernel/configuration/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { ToolVersion } from '../kernel/model/index.ts';
import { inspectDefinition } from '../pipeline/index.ts';
import { isServed, kindOfName, type McpItem, PINNED_KINDS, servesKind, stateOf } from '../translation/index.ts';
import type { AdminDeps } from './admin-deps.ts';

type Tool = RowOf<'listMcpTools'>;

/** The tools, prompts and templates of a server as it lists them now, with the approved ones that it no longer lists. @throws GatewayError */
export async function viewTools(server: StoredMcpServer, deps: AdminDeps): Promise<Tool[]> {
  const [mcp, { inspector }] = await Promise.all([deps.mcp(), deps.engine()]);
  const kinds = PINNED_KINDS.filter((kind) => servesKind(server, kind));
  const lists = await Promise.all(kinds.map((kind) => mcp.list(server, kind)));
  const items = lists.flatMap((list) => [...list.values()]);
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
      findings: findingsIn(tool, inspector),
    };
  });
  const names = new Set(items.map(({ name }) => name));
  const removed = Object.keys(server.approved).filter((name) => !names.has(name));
  return [...listed, ...removed.map((name) => toRemoved(name, server))].sort((a, b) => (a.tool < b.tool ? -1 : 1));
}

/** The definition of a tool, prompt or template as its server has it now. @throws GatewayError `not_found` */
export async function versionOfTool(server: StoredMcpServer, tool: string, deps: AdminDeps): Promise<ToolVersion> {
  const list = await (await deps.mcp()).list(server, kindOfName(tool));
  const found = [...list.values()].find(({ name }) => name === tool);
  if (found === undefined) throw new GatewayError('not_found', 'The server lists no tool of this name.');
  return found.version;
}

function toRemoved(tool: string, server: StoredMcpServer): Tool {
  const gone = { state: 'removed', isServed: false, digest: null, definition: null } as const;
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
