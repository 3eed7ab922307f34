import { definitionReport, type Policy, type Redaction } from '../inspection/index.ts';
import { MCP_TARGET, type StoredMcpServer } from '../kernel/configuration/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { matchesGlob } from '../kernel/model/index.ts';
import { runInSlices, type Steps } from '../kernel/tasks/index.ts';
import {
  isServed,
  isServerFault,
  joinedName,
  kindOfName,
  listOf,
  type McpItem,
  type McpKind,
  type McpServers,
  stateOf,
} from '../translation/index.ts';
import { inspectListed } from './inspect-mcp.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { ToolNotices } from './request-events.ts';
import { askingRequest, type RunningRequest } from './request-outcome.ts';

/** Dependencies of requests to MCP servers. */
export interface McpDeps extends PipelineDeps {
  readonly mcp: Pick<McpServers, 'all' | 'list' | 'send'>;
  readonly toolNotices: ToolNotices;
}

/** How texts of servers are inspected. */
export interface McpStage {
  readonly policy: Policy;
  readonly past: Promise<number>;
  readonly redaction: Redaction;
}

type WithKey = { readonly context: Pick<RunningRequest['context'], 'key'> };

function globsOf({ context: { key } }: WithKey): readonly (readonly string[])[] {
  return [key.allowedTools ?? [], key.team?.allowedTools ?? []].filter((globs) => globs.length > 0);
}

/** Whether a key or its team is bound to some tools. */
export function hasToolLists(request: WithKey): boolean {
  return globsOf(request).length > 0;
}

/** Whether a key and its team may use `server/tool`, or another kind by its name. */
export function mayUse(request: WithKey, name: string): boolean {
  return globsOf(request).every((globs) => globs.some((glob) => matchesGlob(glob, name)));
}

/** Whether a key and its team may use anything of a server, whatever that has. To another key the server is unknown. */
export function mayReach(request: WithKey, { name }: Pick<StoredMcpServer, 'name'>): boolean {
  const begin = `${name}/`;
  const reaches = (glob: string) => {
    const [literal = '', ...wild] = glob.split('*');
    return literal.startsWith(begin) || (wild.length > 0 && begin.startsWith(literal));
  };
  return globsOf(request).every((globs) => globs.some(reaches));
}

/** How long clients may believe a list: an approval is in force within this time. */
const LIST_TTL_MS = 10_000;
/** How long a list of all servers waits for one of them, whose own list goes on. */
const LIST_WAIT_MS = 5_000;
/** The definitions in a list of all servers, as each of these may have. */
const MAX_LIST_CHARS = 4 * 1024 * 1024;

/** What is listed: of one server, or the tools of all. */
export interface McpListing {
  readonly server: StoredMcpServer | undefined;
  readonly kind: McpKind;
  readonly isModern: boolean;
}

/**
 * The result of a list, as JSON: what the key may use. What no administrator approved is inspected; what the policy blocks is withheld. Of a
 * list of all servers, one that failed, was late, or whose definitions do not fit is named.
 */
export async function listMcp(
  request: RunningRequest,
  { server, kind, isModern }: McpListing,
  stage: McpStage,
  deps: McpDeps,
): Promise<string> {
  const lists =
    server === undefined
      ? await listAll(request, kind, deps)
      : [{ server, items: (await itemsOf(request, server, kind, deps)).values() }];
  const { listed, unavailable } = await runInSlices(readSteps(), deps.scheduler);
  const unapproved = listed.filter(({ isApproved }) => !isApproved);
  const inspected = await inspectListed(request.outcome, unapproved, stage, askingRequest(request), deps);
  const shown = listed
    .map(({ isApproved, json }) => (isApproved ? json : inspected.shift()))
    .filter((json) => json !== undefined);
  const more = JSON.stringify({
    ...(isModern && { resultType: 'complete', ttlMs: LIST_TTL_MS, cacheScope: 'private' }),
    ...(unavailable.length > 0 && { _meta: { 'svc/unavailable': unavailable } }),
  }).slice(1);
  return `{"${listOf(kind).member}":[${shown.join()}]${more === '}' ? '' : ','}${more}`;

  function* readSteps(): Steps<{ readonly listed: Listed[]; readonly unavailable: string[] }> {
    const listed: Listed[] = [];
    const unavailable: string[] = [];
    let left = MAX_LIST_CHARS;
    for (const { server: one, items } of lists) {
      const open: Listed[] = [];
      for (const item of items ?? []) {
        const isOpen = mayUse(request, `${one.name}/${item.name}`)
          ? openness(request, one, item, stage, deps)
          : 'withheld';
        if (isOpen === 'withheld') continue;
        open.push({ ...(server === undefined ? renamed(one, item) : item), isApproved: isOpen === 'approved' });
        yield;
      }
      const chars = open.reduce((sum, { json }) => sum + json.length, 0);
      if (items === undefined || chars > left) unavailable.push(one.name);
      else {
        left -= chars;
        listed.push(...open);
      }
    }
    return { listed, unavailable };
  }
}

interface Listed extends Pick<McpItem, 'definition' | 'json'> {
  readonly isApproved: boolean;
}

/** A definition under its name among those of all servers. */
function renamed(server: StoredMcpServer, { id, definition: given }: McpItem): Pick<McpItem, 'definition' | 'json'> {
  const definition = { ...given, name: joinedName(server.name, id) };
  return { definition, json: JSON.stringify(definition) };
}

/** The lists of all servers that the key can reach, in the order of their names; `items` is undefined for one that failed, or was late. */
async function listAll(
  request: RunningRequest,
  kind: McpKind,
  deps: McpDeps,
): Promise<{ readonly server: StoredMcpServer; readonly items: Iterable<McpItem> | undefined }[]> {
  const ended = new AbortController();
  const late = deps.sleep(LIST_WAIT_MS, ended.signal).then(() => undefined);
  const reachable = (await deps.mcp.all()).filter((server) => mayReach(request, server));
  try {
    return await Promise.all(
      reachable
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(async (server) => {
          const asked = itemsOf(request, server, kind, deps).catch(() => undefined);
          return { server, items: (await Promise.race([asked, late]))?.values() };
        }),
    );
  } finally {
    ended.abort();
  }
}

/** Whether a definition may be shown: `inspected` if the policy does not block it. */
function openness(
  request: RunningRequest,
  server: StoredMcpServer,
  item: McpItem,
  { policy }: McpStage,
  deps: McpDeps,
): 'approved' | 'inspected' | 'withheld' {
  if (item.kind === 'resource') return 'inspected';
  const { state, fields } = knownState(request, server, item, deps);
  if (!isServed(state, server)) return 'withheld';
  if (state === 'approved') return 'approved';
  if (state === 'changed' && server.onChange === 'flag') {
    const changed = { tool: { field: `result.${listOf(item.kind).member}` }, fields };
    definitionReport(policy, request.outcome.inspection).changed([changed], 'flag');
  }
  return 'inspected';
}

/** The state of a definition. A change that this process has not reported yet is reported by the request. */
export function knownState(
  { outcome }: RunningRequest,
  server: StoredMcpServer,
  item: McpItem,
  { toolNotices }: McpDeps,
): ReturnType<typeof stateOf> {
  const found = stateOf(item, server);
  const { digest } = item.version;
  const change = `${server.name}/${item.name} ${digest}`;
  if (found.state === 'changed' && server.onChange !== 'off' && !toolNotices.has(change)) {
    const approvedDigest = server.approved[item.name]?.digest as string;
    const data = { server: server.name, tool: item.name, digest, approvedDigest, fields: found.fields };
    outcome.changedTool = { data, published: () => toolNotices.add(change) };
  }
  return found;
}

/** What a server has of a kind now. The first request that finds an approved definition gone reports it. @throws GatewayError */
export async function itemsOf(
  request: RunningRequest,
  server: StoredMcpServer,
  kind: McpKind,
  deps: McpDeps,
): Promise<ReadonlyMap<string, McpItem>> {
  const items = await callServer(request, server, deps, () => deps.mcp.list(server, kind));
  if (server.onChange === 'off') return items;
  for (const [tool, approvedDigest] of removedFrom(items, server, kind)) {
    const removal = `${server.name}/${tool} removed ${approvedDigest}`;
    if (deps.toolNotices.has(removal)) continue;
    const data = { server: server.name, tool, digest: null, approvedDigest, fields: [] };
    request.outcome.changedTool = { data, published: () => deps.toolNotices.add(removal) };
    break;
  }
  return items;
}

type Removed = readonly (readonly [tool: string, approvedDigest: string])[];
/** Lists and settings are the same objects for many calls. */
const known = new WeakMap<
  ReadonlyMap<string, McpItem>,
  { readonly server: StoredMcpServer; readonly removed: Removed }
>();

/** The approved definitions that a list no longer has. */
function removedFrom(items: ReadonlyMap<string, McpItem>, server: StoredMcpServer, kind: McpKind): Removed {
  const before = known.get(items);
  if (before?.server === server) return before.removed;
  const names = new Set([...items.values()].map(({ name }) => name));
  const removed = Object.entries(server.approved).flatMap(([tool, { digest }]) =>
    kindOfName(tool) === kind && !names.has(tool) ? [[tool, digest] as const] : [],
  );
  known.set(items, { server, removed });
  return removed;
}

/** Runs a call of a server, under its circuit breaker. @throws GatewayError */
export async function callServer<T>(
  { lifetime, outcome }: RunningRequest,
  server: StoredMcpServer,
  { breaker, clock }: McpDeps,
  call: () => Promise<T>,
): Promise<T> {
  const target = targetOf(server);
  if (breaker.decide(target) === 'skip')
    throw new GatewayError(
      'provider_error',
      `The MCP server ${server.name} failed several times: it is not called now.`,
      {
        headers: { 'retry-after': '15' },
        internal: `mcp server ${server.name}: circuit open`,
      },
    );
  outcome.times.providerCalled();
  const startedAt = clock.monotonic();
  try {
    return await call();
  } catch (error) {
    // A client that leaves says nothing about the server, which others call too.
    if (isServerFault(error) && !lifetime.signal.aborted) breaker.failed(target, startedAt);
    throw error;
  }
}

/** A server in the circuit breaker. */
export function targetOf({ name }: Pick<StoredMcpServer, 'name'>) {
  return { provider: `${MCP_TARGET}${name}`, model: name };
}
