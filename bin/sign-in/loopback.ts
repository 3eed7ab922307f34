import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignInError } from './sign-in-error.ts';

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  connection: 'close',
};
/** IPv6 is off on this machine. */
const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Receives the redirect of a browser on this machine (RFC 8252, 7.3). Any page and any local user can send requests to it: only one with
 * the secret `state` counts, and others change nothing.
 */
export class Loopback {
  readonly redirectUri: string;
  private readonly servers: readonly http.Server[];
  private readonly redirected: Promise<URL>;

  private constructor(servers: readonly http.Server[], redirectUri: string, redirected: Promise<URL>) {
    this.servers = servers;
    this.redirectUri = redirectUri;
    this.redirected = redirected;
  }

  /** Listens at a registered address, on a free port if that names none. Throws SignInError if the port is in use. */
  static async listen(registered: string, state: string): Promise<Loopback> {
    const { promise, resolve } = Promise.withResolvers<URL>();
    const address = new URL(registered);
    const answer = (request: http.IncomingMessage, response: http.ServerResponse) => {
      const url = URL.parse(request.url ?? '', address.href);
      const isOurs = request.method === 'GET' && url?.pathname === address.pathname;
      if (!isOurs || url.searchParams.get('state') !== state) {
        response.writeHead(isOurs ? 400 : 404, HEADERS).end('This is not the sign-in that svc waits for.\n');
        return;
      }
      response.writeHead(200, HEADERS).end('Close this window and go back to the terminal.\n', () => resolve(url));
    };
    const hosts = address.hostname === 'localhost' ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
    const servers: http.Server[] = [];
    try {
      for (const host of hosts) {
        const server = await open(host, Number(address.port), answer);
        if (server !== undefined) servers.push(server);
        // A name may resolve to either address, and another user must not have the second one.
        if (server !== undefined) address.port = String((server.address() as AddressInfo).port);
      }
    } catch (error) {
      for (const server of servers) server.close();
      const { code } = error as NodeJS.ErrnoException;
      throw new SignInError(`svc cannot listen at ${address.origin} (${code}). End the program that uses this port.`);
    }
    return new Loopback(servers, address.href, promise);
  }

  /** The address with which the browser comes back. Throws SignInError if it does not within a time. */
  async redirect(waitMs: number): Promise<URL> {
    const stopped = once(AbortSignal.timeout(waitMs), 'abort').then((): never => {
      throw new SignInError(`You did not sign in within ${waitMs / 60_000} minutes.`);
    });
    return Promise.race([this.redirected, stopped]);
  }

  close(): void {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

async function open(host: string, port: number, answer: http.RequestListener): Promise<http.Server | undefined> {
  const server = http.createServer({ requestTimeout: 10_000 }, answer);
  try {
    await once(server.listen(port, host), 'listening');
    return server;
  } catch (error) {
    if (host === '::1' && NO_SUCH_ADDRESS.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
