import type { StoredMcpServer } from '../kernel/configuration/index.ts';
import { GatewayError, toGatewayError } from '../kernel/errors/index.ts';
import { jsonResponse, type OutgoingResponse, type RoutedRequest } from '../kernel/http/index.ts';
import { type IdentityDocument, mcpMetadataUrl } from '../kernel/identity/index.ts';
import {
  type McpDeps,
  type McpRequestToRun,
  mayReach,
  type RunningRequest,
  runMcp,
  stopFailure,
} from '../pipeline/index.ts';
import {
  capabilitiesAt,
  McpError,
  mcpErrors,
  ownMcpResult,
  type Protocol,
  reachesServer,
  readMcpMessage,
} from '../translation/index.ts';
import { EventStream } from './event-stream.ts';
import { errorResponseTo, openRequest, securityHeaders } from './open-request.ts';
import { becomesStream, beginWhole, type GenerationRouteDeps, keepInBounds } from './pipeline-routes.ts';

export interface McpRouteDeps extends GenerationRouteDeps, McpDeps {
  readonly version: string;
  /** The issuers in force. */
  readonly identity: { settings(): Promise<IdentityDocument> };
}

export const MCP_PATH = '/v1/mcp/{server}';
/** The tools of all servers. */
export const MCP_ALL_PATH = '/v1/mcp';
const OPTIONS = { permission: 'mcp', errorShape: mcpErrors() } as const;

/** Each line of the JSON is a line of the event. */
const FRAMING: Protocol<unknown>['framing'] = {
  event: (json) => `event: message\ndata: ${json.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`,
  end: '',
};

/**
 * `POST /v1/mcp/{server}` and `POST /v1/mcp`: a message of an MCP client. Only lists and calls reach a server and count as requests of the
 * key; the gateway responds to all other messages itself.
 */
export function handleMcp(deps: McpRouteDeps): (routed: RoutedRequest) => Promise<OutgoingResponse> {
  return async (routed) => {
    const { recorded, params, request } = routed;
    const opened = await openWithMetadata(routed, deps);
    if ('status' in opened) {
      recorded();
      return opened;
    }
    const { document } = opened;
    const { context } = opened.running;
    const running = { ...opened.running, context: { ...context, errorShape: mcpErrors(document) } };
    let asked: McpRequestToRun;
    try {
      const server = params.server === undefined ? undefined : await findServer(params.server, running, deps);
      const message = readMcpMessage(document, request.headers);
      const { id, method } = message;
      if (id === undefined) return { status: 202, headers: {}, body: '' };
      if (!reachesServer(server, method)) {
        const identity = { name: server?.name ?? 'svc', version: deps.version, capabilities: capabilitiesAt(server) };
        return jsonResponse(200, { jsonrpc: '2.0', id, result: ownMcpResult(message, identity) });
      }
      asked = { server, message: { ...message, id }, document, headers: request.headers };
    } catch (thrown) {
      return errorResponseTo(running, toGatewayError(thrown), deps);
    }
    recorded();
    keepInBounds({ ...opened, running }, routed, deps);
    return respond(running, routed, asked, deps);
  };
}

/** @throws GatewayError `not_found` for a server that there is not, or of which the key may use nothing */
async function findServer(name: string, running: RunningRequest, { mcp }: McpRouteDeps): Promise<StoredMcpServer> {
  const server = (await mcp.all()).find((one) => one.name === name);
  if (server !== undefined && mayReach(running, server)) return server;
  throw new GatewayError('not_found', 'There is no such MCP server.', { param: 'server' });
}

/** A client without a valid token learns where it gets one (RFC 9728, 5.1). @throws GatewayError like `openRequest` */
async function openWithMetadata(routed: RoutedRequest, deps: McpRouteDeps) {
  const { server } = routed.params;
  const path = server === undefined ? MCP_ALL_PATH : MCP_PATH;
  const metadataUrl = async () => mcpMetadataUrl(server, (await deps.identity.settings()).issuers);
  try {
    const opened = await openRequest({ ...routed, recorded: () => {} }, { ...OPTIONS, path }, deps);
    const { mcpServers = ['*'] } = 'status' in opened ? {} : opened.running.context.key;
    if (mcpServers.includes('*') || (server !== undefined && mcpServers.includes(server))) return opened;
    throw new GatewayError('invalid_api_key', "The token is refused: its audience ('aud') is another MCP server.");
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const url = error.status === 401 ? await metadataUrl() : undefined;
    if (url === undefined) throw error;
    const headers = { ...error.headers, 'www-authenticate': `Bearer resource_metadata="${url}"` };
    throw new GatewayError('invalid_api_key', error.message, { headers });
  }
}

async function respond(
  running: RunningRequest,
  routed: RoutedRequest,
  asked: McpRequestToRun,
  deps: McpRouteDeps,
): Promise<OutgoingResponse> {
  const { context, lifetime, outcome } = running;
  const begun = beginWhole(lifetime, routed, deps);
  const source = runMcp(running, asked, deps);
  const first = source.next();
  try {
    const turn = await first;
    begun();
    if (!outcome.asked.stream) {
      await source.next();
      return jsonResponse(outcome.status ?? 200, turn.value?.[0] ?? '', securityHeaders(running));
    }
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const response = await errorResponseTo(running, error, deps);
    // Clients of older revisions read errors of a tool from a 200 only.
    return error instanceof McpError && !asked.message.isModern ? { ...response, status: 200 } : response;
  }
  const body = new EventStream(source, first, {
    framing: FRAMING,
    errorBody: (error) => context.errorShape(error, context.requestId),
    keepaliveMs: deps.keepaliveMs,
    cutShort: () => stopFailure(lifetime),
    onCancel: becomesStream(running, source, deps),
  });
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    ...securityHeaders(running),
  };
  return { status: 200, headers, body };
}
