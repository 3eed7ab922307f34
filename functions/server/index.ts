/** The HTTP server of the local run and the container. */
export { startHttpHost } from './http-host.ts';
export { startMetricsHost } from './metrics-host.ts';
export { withOwnHosts } from './own-hosts.ts';
