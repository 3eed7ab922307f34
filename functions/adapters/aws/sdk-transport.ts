import { buildQueryString } from '@smithy/core/protocols';
import { StandardRetryStrategy } from '@smithy/core/retry';
import type {
  HttpHandlerOptions,
  HttpRequest,
  HttpResponse,
  RequestHandler,
  RetryErrorInfo,
  StandardRetryToken,
} from '@smithy/types';
import { type HttpClient, HttpFailure } from '../../kernel/http/index.ts';

/** Above the largest response: 16 MB of items in a BatchGetItem, plus JSON overhead. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Options of one call: the second argument of a client's `send`. */
export interface CallOptions extends HttpHandlerOptions {
  /** As in `HttpRequest`. */
  readonly onSent?: (() => void) | undefined;
}

interface SdkHttpOptions {
  readonly http: HttpClient;
  /** Maximum wait for the response head, and for each further chunk. */
  readonly timeoutMs: number;
  /** Whether a call that met a closed connection may be sent again at once on a new one. */
  readonly repeatable: boolean;
}

/** Sends the SDK's calls through the gateway's HTTP client, so that all calls share deadlines and failures. */
export class SdkHttpHandler implements RequestHandler<HttpRequest, HttpResponse, HttpHandlerOptions> {
  readonly metadata = { handlerProtocol: 'http/1.1' };
  private readonly options: SdkHttpOptions;

  constructor(options: SdkHttpOptions) {
    this.options = options;
  }

  /** @throws HttpFailure */
  async handle(request: HttpRequest, { abortSignal, onSent }: CallOptions = {}): Promise<{ response: HttpResponse }> {
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
      onSent,
      ...(abortSignal instanceof AbortSignal && { signal: abortSignal }),
    });
    return { response: { statusCode: response.status, headers: response.headers, body: response.body } };
  }

  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {};
  }
}

/** The SDK's `streamCollector` for the bodies of this handler. @throws if a response is larger than any of AWS's */
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

const FIRST_BACKOFF_MS = 50;
const LONGEST_BACKOFF_MS = 1_000;
/** A transient error that the SDK does not retry, and that says nothing was done. */
const REFUSED_FOR_NOW = 'TransactionConflictException';

export interface RetryRule {
  readonly attempts: number;
  /** Whether the call may be executed twice. If not, an attempt that may have been executed is the last one. */
  readonly repeatable: boolean;
}

/** The SDK's retry strategy and quota, with pauses of at most a second and the HTTP client's classification of failures. */
export class CallRetries extends StandardRetryStrategy {
  private readonly repeatable: boolean;

  constructor({ attempts, repeatable }: RetryRule) {
    const computeNextBackoffDelay = (retries: number) =>
      Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retries);
    super({
      maxAttempts: attempts,
      baseDelay: FIRST_BACKOFF_MS,
      backoff: { computeNextBackoffDelay, setDelayBase() {} },
    });
    this.repeatable = repeatable;
  }

  override refreshRetryTokenForRetry(token: StandardRetryToken, info: RetryErrorInfo) {
    return super.refreshRetryTokenForRetry(token, { ...info, errorType: this.typeOf(info) });
  }

  private typeOf({ error, errorType }: RetryErrorInfo): RetryErrorInfo['errorType'] {
    if (error instanceof HttpFailure)
      return error.reason !== 'aborted' && (this.repeatable || !error.sent) ? 'TRANSIENT' : 'CLIENT_ERROR';
    if (errorType === 'THROTTLING' || error?.name === REFUSED_FOR_NOW) return 'THROTTLING';
    // An unreadable response counts as no response.
    const isFailing = errorType !== 'CLIENT_ERROR' || error?.name === 'SyntaxError';
    return isFailing && this.repeatable ? 'TRANSIENT' : 'CLIENT_ERROR';
  }
}
