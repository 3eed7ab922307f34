import type { IncomingRequest, Route } from '../kernel/http/index.ts';
import { errorShapeOf, loadApi } from '../translation/index.ts';
import { BEDROCK } from './operations/bedrock.ts';
import type { GatewayRouteDeps } from './operations/gateway-operation.ts';
import { GATEWAY_OPERATIONS } from './operations/index.ts';
import { ANTHROPIC } from './operations/messages.ts';
import { isAnthropicClient } from './operations/models.ts';
import { generationRoute, inspectionRoute } from './pipeline-routes.ts';

/** The path as sent, also one that is refused because parsers could read it differently. */
const SENT_PATH = /^https?:\/\/[^/?#]*([^?#]*)/;

/** How the API that a client seems to use shows the error of an unknown path. */
export function errorsOfUnknownPath({
  url,
  headers,
}: Pick<IncomingRequest, 'url' | 'headers'>): Pick<Route, 'errorShape' | 'requestIdHeader'> {
  const path = `${SENT_PATH.exec(url)?.[1] ?? ''}/`;
  if (path.startsWith('/model/')) return BEDROCK;
  if (path.startsWith('/v1beta/') || path.startsWith('/upload/v1beta/')) return { errorShape: errorShapeOf('gemini') };
  return path.startsWith('/v1/messages/') || isAnthropicClient(headers) ? ANTHROPIC : {};
}

const NO_SESSIONS =
  'WebSocket and Realtime sessions are not served: the gateway could not inspect what passes through them before it is heard. Use streams over HTTP, such as /v1/responses.';
const NO_FILES =
  'Files and batches are not served here: the gateway would not inspect what is uploaded, nor the results. Send each request on its own, with its files in it, or batches of messages at /v1/messages/batches.';

/** Paths of OpenAI, Anthropic and Gemini. */
const SESSION_PATH = /^\/v1\/realtime(?:\/|$)/;
const FILE_PATH = /^(?:\/v1\/(?:files|uploads|batches)|(?:\/upload)?\/v1beta\/(?:files|batches))(?:[/:]|$)/;

/** Why a request that no route takes is not served; undefined without a particular reason. */
export function reasonForNoRoute({ url, headers }: Pick<IncomingRequest, 'url' | 'headers'>): string | undefined {
  const path = SENT_PATH.exec(url)?.[1] ?? '';
  if (headers.get('upgrade')?.toLowerCase() === 'websocket' || SESSION_PATH.test(path)) return NO_SESSIONS;
  return FILE_PATH.test(path) ? NO_FILES : undefined;
}

/** The routes of all operations, in their order. */
export function gatewayRoutes(deps: GatewayRouteDeps): Route[] {
  return Object.values(GATEWAY_OPERATIONS).flatMap((operation): Route[] => {
    const { method, path } = operation;
    if ('inspect' in operation) return [inspectionRoute(path, operation.inspect, deps)];
    if ('handlers' in operation) {
      const { open, handlers } = operation;
      const shared = { method, path, ...(open && { open }) };
      return handlers.map(({ handler, ...format }) => ({ ...shared, ...format, handle: handler(deps) }));
    }
    const { access: permission, operation: name, reads: body, errorShape, requestIdHeader, takesRest } = operation;
    const options = { method: operation.method, path, permission, errorShape, requestIdHeader, body, takesRest };
    return [generationRoute({ ...options, api: () => loadApi(name) }, deps)];
  });
}
