import type { StoredMcpServer } from '../../kernel/configuration/index.ts';
import { isMcpCall } from './mcp-call.ts';
import { listedBy, type McpKind } from './mcp-item.ts';
import { unknownMethod } from './mcp-message.ts';

type Served = Pick<StoredMcpServer, 'resources'> | undefined;

/** Whether an address serves a kind; `server` is undefined at the address of all servers, which has their tools alone. */
export function servesKind(server: Served, kind: McpKind): boolean {
  if (kind === 'tool') return true;
  return server !== undefined && (kind === 'prompt' || server.resources === 'on');
}

/** Whether a method goes to a server. @throws McpError for one that the address does not serve */
export function reachesServer(server: Served, method: string): boolean {
  const kind = listedBy(method) ?? KIND_OF_CALL[method];
  const isServed =
    method === 'completion/complete' ? server !== undefined : kind === undefined || servesKind(server, kind);
  if (!isServed) throw unknownMethod();
  return kind !== undefined || isMcpCall(method);
}

const KIND_OF_CALL: Readonly<Record<string, McpKind | undefined>> = {
  'tools/call': 'tool',
  'prompts/get': 'prompt',
  'resources/read': 'resource',
};

/** What the gateway passes on at an address, whatever its server has. */
export function capabilitiesAt(server: Served): object {
  if (server === undefined) return { tools: {} };
  return { tools: {}, prompts: {}, completions: {}, ...(server.resources === 'on' && { resources: {} }) };
}
