import { isIP } from 'node:net';
import { GatewayError } from '../core/base/errors.ts';
import type { App } from '../core/http/router.ts';

/** Names that public DNS cannot point anywhere (RFC 6761), and Docker's for the machine that runs the container. */
const OWN_NAMES: ReadonlySet<string> = new Set(['localhost', 'host.docker.internal']);

/**
 * Refuses requests that name another host: a web page whose domain was pointed at this machine (DNS rebinding) sends its own
 * domain as `Host`, and its browser would let it read the responses. IP addresses and local names pass.
 * @param dashboardUrl the address of a reverse proxy, where one is configured; its host passes too
 */
export function withOwnHosts(app: App, dashboardUrl: string | undefined): App {
  const own = new Set(OWN_NAMES);
  if (dashboardUrl !== undefined) own.add(new URL(dashboardUrl).hostname);
  return (request, context) => {
    if (isOwn(request.headers.get('host'), own)) return app(request, context);
    const message =
      'The Host header does not name this service. Use 127.0.0.1 or localhost, or set SVC_DASHBOARD_URL to the address of your reverse proxy.';
    return app(request, { ...context, refusal: new GatewayError('insufficient_permissions', message) });
  };
}

function isOwn(host: string | null, own: ReadonlySet<string>): boolean {
  if (host === null || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return own.has(hostname) || hostname.endsWith('.localhost') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
