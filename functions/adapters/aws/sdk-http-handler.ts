import { buildQueryString } from '@smithy/core/protocols';
import type { HttpHandlerOptions, HttpRequest, HttpResponse, RequestHandler } from '@smithy/types';
import type { HttpClient } from '../../core/base/http-client.ts';

/** Above the largest response, of BatchGetItem: 16 MB as items are counted, and what JSON adds. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

export interface SdkHttpOptions {
  readonly http: HttpClient;
  /** Longest wait for a response's head, and for each further piece of it. */
  readonly timeoutMs: number;
  /** Whether a call that met a closed connection may be sent again at once, on a new one. */
  readonly repeatable: boolean;
}

/** Carries the SDK's calls over the gateway's own HTTP client, so that deadlines and failures are those of every other call. */
export class SdkHttpHandler implements RequestHandler<HttpRequest, HttpResponse, HttpHandlerOptions> {
  readonly metadata = { handlerProtocol: 'http/1.1' };
  private readonly options: SdkHttpOptions;

  constructor(options: SdkHttpOptions) {
    this.options = options;
  }

  /** @throws HttpFailure */
  async handle(request: HttpRequest, { abortSignal }: HttpHandlerOptions = {}): Promise<{ response: HttpResponse }> {
    const { method, protocol, hostname, port, path, query, headers, body } = request;
    const { http, timeoutMs, repeatable } = this.options;
    const search = query === undefined ? '' : buildQueryString(query);
    const response = await http.send({
      method: method as 'POST',
      url: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${search && `?${search}`}`,
      headers,
      ...(body !== undefined && { body }),
      once: !repeatable,
      headTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
      ...(abortSignal instanceof AbortSignal && { signal: abortSignal }),
    });
    return { response: { statusCode: response.status, headers: response.headers, body: response.body } };
  }

  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {};
  }
}

/** The SDK's `streamCollector` for the bodies of this handler. @throws where a response is larger than any of AWS's */
export async function collectBody(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAX_RESPONSE_BYTES) throw new Error('response too large');
    parts.push(part);
  }
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
}
