export { startHttpHost } from './http-host.ts';
export { startMetricsHost } from './metrics-host.ts';
export { withOwnHosts } from './own-hosts.ts';
