import type { RowOf } from '../contract/index.ts';
import type { StoredMcpServer } from '../kernel/configuration/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { ToolVersion } from '../kernel/model/index.ts';
import { inspectDefinition } from '../pipeline/index.ts';
import { isServed, type McpTool, stateOf } from '../translation/index.ts';
import type { AdminDeps } from './admin-deps.ts';

type Tool = RowOf<'listMcpTools'>;

/** The tools of a server as it lists them now, with the approved ones that it no longer lists. @throws GatewayError */
export async function viewTools(server: StoredMcpServer, deps: AdminDeps): Promise<Tool[]> {
  const [mcp, { inspector }] = await Promise.all([deps.mcp(), deps.engine()]);
  const { tools } = await mcp.tools(server);
  const listed = [...tools.values()].map((tool): Tool => {
    const { state, fields } = stateOf(tool, server);
    return {
      object: 'mcp.tool',
      server: server.name,
      tool: tool.name,
      state,
      isServed: isServed(state, server),
      digest: tool.version.digest,
      approvedDigest: approvedOf(server, tool.name),
      fields: [...fields],
      definition: { ...tool.definition },
      findings: findingsIn(tool, inspector),
    };
  });
  const removed = Object.keys(server.approved).filter((name) => !tools.has(name));
  return [...listed, ...removed.map((name) => toRemoved(name, server))].sort((a, b) => (a.tool < b.tool ? -1 : 1));
}

/** The definition of a tool as its server has it now. @throws GatewayError `not_found` */
export async function versionOfTool(server: StoredMcpServer, tool: string, deps: AdminDeps): Promise<ToolVersion> {
  const { tools } = await (await deps.mcp()).tools(server);
  const found = tools.get(tool);
  if (found === undefined) throw new GatewayError('not_found', 'The server lists no tool of this name.');
  return found.version;
}

function toRemoved(tool: string, server: StoredMcpServer): Tool {
  const gone = { state: 'removed', isServed: false, digest: null, definition: null } as const;
  const approvedDigest = approvedOf(server, tool);
  return { object: 'mcp.tool', server: server.name, tool, ...gone, approvedDigest, fields: [], findings: [] };
}

function approvedOf({ approved }: StoredMcpServer, tool: string): string | null {
  return (Object.hasOwn(approved, tool) ? approved[tool]?.digest : undefined) ?? null;
}

function findingsIn({ definition }: McpTool, inspector: Parameters<typeof inspectDefinition>[1]): Tool['findings'] {
  return inspectDefinition(definition, inspector).map(({ type, rule, severity, score, message, location }) => {
    const { field, start, end } = location;
    return { type, rule, severity, score, message, field, start, end };
  });
}
