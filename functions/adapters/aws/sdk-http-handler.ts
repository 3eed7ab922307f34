import { buildQueryString } from '@smithy/core/protocols';
import type { HttpHandlerOptions, HttpRequest, HttpResponse, RequestHandler } from '@smithy/types';
import type { HttpClient } from '../../core/ports/http-client.ts';

/** Carries the SDK's calls over the gateway's own HTTP client, so that deadlines and failures are those of every other call. */
export class SdkHttpHandler implements RequestHandler<HttpRequest, HttpResponse, HttpHandlerOptions> {
  readonly metadata = { handlerProtocol: 'http/1.1' };
  private readonly http: HttpClient;
  private readonly timeoutMs: number;

  /** @param timeoutMs longest wait for a response's head, and for each further piece of it */
  constructor(http: HttpClient, timeoutMs: number) {
    this.http = http;
    this.timeoutMs = timeoutMs;
  }

  /** @throws HttpFailure */
  async handle(request: HttpRequest, { abortSignal }: HttpHandlerOptions = {}): Promise<{ response: HttpResponse }> {
    const { method, protocol, hostname, port, path, query, headers, body } = request;
    const search = query === undefined ? '' : buildQueryString(query);
    const response = await this.http.send({
      method: method as 'POST',
      url: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${search && `?${search}`}`,
      headers,
      ...(body !== undefined && { body }),
      // The SDK repeats calls by its own rules.
      once: true,
      headTimeoutMs: this.timeoutMs,
      idleTimeoutMs: this.timeoutMs,
      ...(abortSignal instanceof AbortSignal && { signal: abortSignal }),
    });
    return { response: { statusCode: response.status, headers: response.headers, body: response.body } };
  }

  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {};
  }
}

/** The SDK's `streamCollector` for the bodies of this handler. */
export async function collectBody(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
}
