import { GatewayError } from '../../kernel/errors/index.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../../kernel/http/index.ts';

/** The hosts of a value that may be sent to these only; undefined for any other text. */
export type HostsOf = (value: string) => ReadonlySet<string> | undefined;

/**
 * Sends the value of a credential to the hosts of the credential only, whatever the base URL of a provider is by now. This is checked for the
 * address that is called, after which no redirect is followed.
 */
export class BoundHttpClient implements HttpClient {
  private readonly http: HttpClient;
  private readonly hostsOf: HostsOf;

  constructor(http: HttpClient, hostsOf: HostsOf) {
    this.http = http;
    this.hostsOf = hostsOf;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    for (const header of Object.values(request.headers)) {
      const hosts = this.hostsOf(withoutScheme(header));
      if (hosts !== undefined && !hosts.has(new URL(request.url).host)) throw wrongHost();
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
