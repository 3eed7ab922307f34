import { GatewayError } from '../../kernel/errors/index.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../../kernel/http/index.ts';

/** Where a value may be sent: to these hosts only. `expiresAt`: only of an access token. */
interface BoundValue {
  readonly hosts: ReadonlySet<string>;
  readonly expiresAt?: number | undefined;
}

/** How a value is bound; undefined for any other text. */
export type BoundOf = (value: string) => BoundValue | undefined;

/**
 * Sends the value of a credential to the hosts of the credential only, whatever the base URL of a provider is by now. This is checked for the
 * address that is called, after which no redirect is followed. An access token goes to https alone or this machine, and always in `Authorization`: providers' other
 * headers are for keys.
 */
export class BoundHttpClient implements HttpClient {
  private readonly http: HttpClient;
  private readonly boundOf: BoundOf;

  constructor(http: HttpClient, boundOf: BoundOf) {
    this.http = http;
    this.boundOf = boundOf;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    for (const [name, header] of Object.entries(request.headers)) {
      const value = withoutScheme(header);
      const bound = this.boundOf(value);
      if (bound === undefined) continue;
      const { protocol, host, hostname } = new URL(request.url);
      const isToken = bound.expiresAt !== undefined;
      if (!bound.hosts.has(host) || (isToken && protocol !== 'https:' && hostname !== '127.0.0.1')) throw wrongHost();
      if (!isToken || name === 'authorization') continue;
      const { [name]: _, ...others } = request.headers;
      return this.http.send({ ...request, headers: { ...others, authorization: `Bearer ${value}` } });
    }
    return this.http.send(request);
  }
}

/** Another target may be called. */
function wrongHost(): GatewayError {
  const message = 'The credential of the provider is not for the host of its base URL.';
  const headers = { 'x-should-retry': 'false' };
  return new GatewayError('provider_error', message, { headers, internal: message, fallback: 'now' });
}

/** `Bearer VALUE` is the value; other headers of providers are the value itself. */
function withoutScheme(header: string): string {
  return header.startsWith('Bearer ') ? header.slice('Bearer '.length) : header;
}
