import { setTimeout } from 'node:timers/promises';
import type { FrontDoor } from '../adapters/aws/front-door.ts';
import type { DeployedGateway } from '../gateway/deployed-gateway.ts';
import { isIpAddress, MAX_BODY_BYTES } from '../kernel/http/index.ts';
import { type ClientOf, type HttpHost, startHttpHost } from './http-host.ts';

/** Lambda kills the process a second after SIGTERM. */
const STOP_MS = 900;

/**
 * Serves the gateway as a Lambda Web Function: on the address in `AWS_LAMBDA_HTTP_ENDPOINT`, many requests at once.
 * https://docs.aws.amazon.com/lambda/latest/dg/web-functions-env-lifecycle.html
 */
export async function startWebFunction(
  { app, frontDoor, backgroundTasks }: DeployedGateway,
  endpoint: string | undefined,
): Promise<HttpHost> {
  const host = await startHttpHost(app, {
    ...readEndpoint(endpoint),
    maxBodyBytes: MAX_BODY_BYTES,
    client: clientThrough(frontDoor),
    frozenAfter: backgroundTasks,
  });
  return {
    ...host,
    /** Cancels running requests, so that their clients get an error and their use is settled before the process is killed. */
    stop: async () => {
      await Promise.race([host.stop(0).then(() => backgroundTasks.idle()), setTimeout(STOP_MS)]);
    },
  };
}

/** `127.0.0.1:8080` */
export function readEndpoint(endpoint = ''): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(endpoint) ?? [];
  if (host === '') throw new Error('AWS_LAMBDA_HTTP_ENDPOINT must be the host and port to listen on.');
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/**
 * The connecting client of a Web Function, or behind a load balancer, is the last address in `X-Forwarded-For`, which AWS appends; those
 * before it come from the client. Behind a distribution that is an address of CloudFront's, and the front door finds the client.
 * https://docs.aws.amazon.com/lambda/latest/dg/web-functions-http.html
 */
export function clientThrough(frontDoor: FrontDoor): ClientOf {
  return (headers) => frontDoor(headers, lastForwarded(headers['x-forwarded-for']));
}

/** Empty, which matches no allow-list, if the header is missing, repeated or does not end with an address. */
export function lastForwarded(header = ''): string {
  const last = header.slice(header.lastIndexOf(',') + 1).trim();
  // A repeated header has a line for each: which of them Lambda extends is not documented.
  return !header.includes('\n') && isIpAddress(last) ? last : '';
}
