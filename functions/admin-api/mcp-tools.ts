import { FairScheduler } from '../adapters/node/process-time.ts';
import type { ResponseOf, RowOf } from '../contract/index.ts';
import type { ApprovedDefinition, StoredMcpServer } from '../kernel/configuration/index.ts';
import { GatewayError, toGatewayError } from '../kernel/errors/index.ts';
import { runInSlices, type Steps } from '../kernel/tasks/index.ts';
import { inspectDefinition } from '../pipeline/index.ts';
import { isServed, kindOfName, type McpItem, PINNED_KINDS, servesKind, stateOf } from '../translation/index.ts';
import type { AdminDeps } from './admin-deps.ts';

type Tool = RowOf<'listMcpTools'>;

/** Definitions that are read at once, the most that the store allows. */
const MAX_READ = 100;
/** A longer definition is not kept: a change of it is shown by the names of its fields. */
const MAX_DEFINITION_CHARS = 65_536;

/** What a server lists, and the kinds of which it has no list now. */
type Listed = Pick<ResponseOf<'listMcpTools'>, 'data' | 'unavailable'>;

/**
 * The tools, prompts and templates of a server as it lists them now, with the approved ones that it no longer lists. A kind whose list fails is
 * named with the reason. @throws GatewayError if all fail
 */
export async function viewTools(server: StoredMcpServer, deps: AdminDeps): Promise<Listed> {
  const mcp = await deps.mcp();
  const kinds = PINNED_KINDS.filter((kind) => servesKind(server, kind));
  const asked = await Promise.allSettled(kinds.map((kind) => mcp.list(server, kind)));
  const unavailable = asked.flatMap((list, at) => {
    if (list.status === 'fulfilled') return [];
    const { message } = toGatewayError(list.reason);
    return [{ kind: kinds[at] as Tool['kind'], message }];
  });
  const [first] = asked;
  if (first?.status === 'rejected' && unavailable.length === kinds.length) throw first.reason;
  const items = asked.flatMap((list) => (list.status === 'fulfilled' ? [...list.value.values()] : []));
  const listed = await viewItems(items, server, deps);
  const names = new Set(items.map(({ name }) => name));
  const isKnown = (name: string) =>
    kinds.some((kind, at) => asked[at]?.status === 'fulfilled' && kind === kindOfName(name));
  const removed = Object.keys(server.approved).filter((name) => isKnown(name) && !names.has(name));
  const data = [...listed, ...removed.map((name) => toRemoved(name, server))];
  return { data: data.sort((a, b) => (a.tool < b.tool ? -1 : 1)), unavailable };
}

/** Some of what a server lists, with their states and what the rules find in them. */
export async function viewItems(items: readonly McpItem[], server: StoredMcpServer, deps: AdminDeps): Promise<Tool[]> {
  const { inspector } = await deps.engine();
  const changed = items.filter((item) => stateOf(item, server).state === 'changed');
  const before = await approvedDefinitions(server, changed, deps);
  return runInSlices(viewSteps(), new FairScheduler());

  function* viewSteps(): Steps<Tool[]> {
    const views: Tool[] = [];
    for (const item of items) {
      const { state, fields } = stateOf(item, server);
      views.push({
        object: 'mcp.tool',
        server: server.name,
        tool: item.name,
        kind: item.kind as Tool['kind'],
        state,
        isServed: isServed(state, server),
        digest: item.version.digest,
        approvedDigest: approvedOf(server, item.name),
        fields: [...fields],
        definition: { ...item.definition },
        approvedDefinition: before.get(item.name) ?? null,
        findings: findingsIn(item, inspector),
      });
      yield;
    }
    return views;
  }
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
