import { isIP } from 'node:net';
import { GatewayError } from '../kernel/errors/index.ts';
import type { App } from '../kernel/http/index.ts';

/** Names that public DNS cannot point anywhere (RFC 6761), and Docker's for the machine that runs the container. */
const OWN_NAMES: ReadonlySet<string> = new Set(['localhost', 'host.docker.internal']);

export const WRONG_HOST =
  'The Host header does not name this service. Use 127.0.0.1 or localhost, or add the name to SVC_ALLOWED_HOSTS; for a reverse proxy, set SVC_DASHBOARD_URL.';

/**
 * Refuses requests that name another host: a web page whose domain was pointed at this machine (DNS rebinding) sends its own
 * domain as `Host`, and its browser would let it read the responses. IP addresses and local names pass, and `names`.
 */
export function withOwnHosts(app: App, names: readonly string[]): App {
  let last: string | null = null;
  return (request, context) => {
    const host = request.headers.get('host');
    // Nearly all requests name the same host.
    if ((host !== null && host === last) || isOwnHost(host, names)) {
      last = host;
      return app(request, context);
    }
    return app(request, { ...context, refusal: new GatewayError('insufficient_permissions', WRONG_HOST) });
  };
}

/** A host and a port. The URL parser would also find a host in an address with a login or a path. */
const HOST = /^[\w.:[\]-]+$/;

/** Whether a `Host` names this machine by an IP address or a local name, or is one of `names`. */
export function isOwnHost(host: string | null, names: readonly string[]): boolean {
  if (host === null || !HOST.test(host) || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const isKnown = OWN_NAMES.has(hostname) || names.includes(hostname);
  return isKnown || hostname.endsWith('.localhost') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
