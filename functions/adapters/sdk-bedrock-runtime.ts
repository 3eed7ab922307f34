import { Readable } from 'node:stream';
import type { BedrockRuntimeClient, ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import {
  type BedrockAnswer,
  type BedrockCall,
  BedrockFailure,
  type BedrockRuntime,
  type BedrockStream,
} from '../core/ports/bedrock-runtime.ts';
import { type HttpClient, HttpFailure, type HttpResponse } from '../core/ports/http-client.ts';
import type { AwsIdentity } from './sign-aws-request.ts';

export interface SdkBedrockRuntimeOptions extends AwsIdentity {
  readonly http: HttpClient;
  /** In the place of AWS's own address, or of what AWS_ENDPOINT_URL_BEDROCK_RUNTIME says. */
  readonly endpoint?: string | undefined;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

const UTF8 = new TextDecoder();
/** Far above any model's longest answer. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Bedrock by AWS's own client, which is loaded at the first call: most deployments' cold starts never need it. It signs,
 * writes requests and reads event streams; the calls themselves go through our own HTTP client, so that deadlines, aborts
 * and broken connections are what they are with every other provider. Nothing is tried twice here.
 */
export class SdkBedrockRuntime implements BedrockRuntime {
  private readonly options: SdkBedrockRuntimeOptions;
  /** The client of the last key: another key has another client. */
  private last: { readonly apiKey: string | undefined; readonly client: Promise<BedrockRuntimeClient> } | undefined;

  constructor(options: SdkBedrockRuntimeOptions) {
    this.options = options;
  }

  async converse({ modelId, request, apiKey, signal }: BedrockCall): Promise<BedrockAnswer> {
    const { ConverseCommand } = await import('@aws-sdk/client-bedrock-runtime');
    try {
      const client = await this.clientFor(apiKey);
      const command = new ConverseCommand({ ...(request as ConverseCommandInput), modelId });
      const { $metadata, ...answer } = await client.send(command, { abortSignal: signal });
      return { requestId: $metadata.requestId ?? '', answer };
    } catch (error) {
      throw toFailure(error);
    }
  }

  async converseStream({ modelId, request, apiKey, signal }: BedrockCall): Promise<BedrockStream> {
    const { ConverseStreamCommand } = await import('@aws-sdk/client-bedrock-runtime');
    try {
      const client = await this.clientFor(apiKey);
      const command = new ConverseStreamCommand({ ...(request as ConverseCommandInput), modelId });
      const { $metadata, stream } = await client.send(command, { abortSignal: signal });
      return { requestId: $metadata.requestId ?? '', events: readEvents(stream ?? noEvents()) };
    } catch (error) {
      throw toFailure(error);
    }
  }

  private clientFor(apiKey: string | undefined): Promise<BedrockRuntimeClient> {
    if (this.last === undefined || this.last.apiKey !== apiKey) {
      const client = this.createClient(apiKey);
      this.last = { apiKey, client };
      // A failure is not kept: the next call tries again.
      client.catch(() => {
        if (this.last?.client === client) this.last = undefined;
      });
    }
    return this.last.client;
  }

  private async createClient(apiKey: string | undefined): Promise<BedrockRuntimeClient> {
    const { BedrockRuntimeClient } = await import('@aws-sdk/client-bedrock-runtime');
    const { region, credentials, endpoint, ...http } = this.options;
    return new BedrockRuntimeClient({
      region: await region(),
      maxAttempts: 1,
      requestHandler: new PortHandler(http),
      ...(endpoint !== undefined && { endpoint }),
      ...(apiKey === undefined
        ? { credentials, authSchemePreference: ['sigv4'] }
        : { token: { token: apiKey }, authSchemePreference: ['httpBearerAuth'] }),
    });
  }
}

interface SdkRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** The SDK's calls by our own HTTP client. */
class PortHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' };
  private readonly options: Pick<SdkBedrockRuntimeOptions, 'http' | 'headTimeoutMs' | 'idleTimeoutMs'>;

  constructor(options: Pick<SdkBedrockRuntimeOptions, 'http' | 'headTimeoutMs' | 'idleTimeoutMs'>) {
    this.options = options;
  }

  async handle(request: SdkRequest, { abortSignal }: { abortSignal?: unknown } = {}) {
    const { protocol, hostname, port, path, headers, body: sent = '' } = request;
    const { http, headTimeoutMs, idleTimeoutMs } = this.options;
    const answer = await http.send({
      method: 'POST',
      url: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`,
      headers,
      body: typeof sent === 'string' ? sent : UTF8.decode(sent),
      headTimeoutMs,
      idleTimeoutMs,
      ...(abortSignal instanceof AbortSignal && { signal: abortSignal }),
    });
    return { response: { statusCode: answer.status, headers: answer.headers, body: Readable.from(readBody(answer)) } };
  }

  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {};
  }
}

/** The bytes of an answer. One that breaks off was given, and is paid for: that is told from a call that never got there. */
async function* readBody({ status, headers, body }: HttpResponse): AsyncGenerator<Uint8Array> {
  const isStream = headers['content-type']?.startsWith('application/vnd.amazon.eventstream');
  let left = isStream ? Number.POSITIVE_INFINITY : MAX_ANSWER_BYTES;
  try {
    for await (const bytes of body) {
      left -= bytes.length;
      if (left < 0) throw new BedrockFailure('AnswerTooLarge', '', status);
      yield bytes;
    }
  } catch (error) {
    if (!(error instanceof HttpFailure) || status !== 200) throw error;
    throw new BedrockFailure('AnswerBroken', '', status, { cause: error });
  }
}

async function* readEvents(stream: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* stream;
  } catch (error) {
    throw toFailure(error);
  }
}

async function* noEvents(): AsyncGenerator<unknown> {}

/** What the SDK throws, as far as it has a meaning here: its other errors may quote an answer. */
interface SdkError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly $fault?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string>> };
}

function toFailure(error: unknown): HttpFailure | BedrockFailure {
  if (error instanceof HttpFailure || error instanceof BedrockFailure) return error;
  const { name, message, $fault, $metadata, $response } = error as SdkError;
  const exception = typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'unknown';
  // Only an exception of AWS's has a text that is meant to be read.
  const text = $fault !== undefined && typeof message === 'string' ? message : '';
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  return new BedrockFailure(exception, text, status, { retryAfter: $response?.headers?.['retry-after'] });
}
