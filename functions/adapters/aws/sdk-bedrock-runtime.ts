import type { BedrockRuntimeClient, ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import { GatewayError } from '../../kernel/errors/index.ts';
import { type HttpClient, HttpFailure, type HttpRequest, type HttpResponse } from '../../kernel/http/index.ts';
import { ERROR_BODY_MS, untilLate } from '../../kernel/tasks/index.ts';
import { BedrockFailure, type BedrockRuntime } from '../../translation/index.ts';
import { boundFrames, boundWhole } from './bound-body.ts';
import { type AwsClientOptions, TRY_ONCE } from './clients.ts';

export interface SdkBedrockRuntimeOptions extends Pick<AwsClientOptions, 'credentials'> {
  readonly http: HttpClient;
  /** Defaults to the environment's, as in all SDK clients. */
  readonly region?: string | undefined;
  /** Overrides AWS's endpoint and AWS_ENDPOINT_URL_BEDROCK_RUNTIME. */
  readonly endpoint?: string | undefined;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Longest wait for the body of an error. */
  readonly errorBodyMs?: number;
}

type BedrockCall = Parameters<BedrockRuntime['converse']>[0];
type BedrockInvokeCall = Parameters<BedrockRuntime['invoke']>[0];
type BedrockStream = Awaited<ReturnType<BedrockRuntime['converseStream']>>;

/** Where InvokeModel reports the tokens that it bills, whatever the model. */
const INPUT_TOKENS = 'x-amzn-bedrock-input-token-count';

/**
 * Bedrock through AWS's client, which is loaded at the first call to keep cold starts short. The client signs, encodes requests and decodes
 * event streams. Calls go through the gateway's HTTP client, so deadlines, aborts and broken connections behave as with other providers.
 * Nothing is retried here.
 */
export class SdkBedrockRuntime implements BedrockRuntime {
  readonly http: HttpClient = { send: (request) => this.send(request) };
  private readonly options: SdkBedrockRuntimeOptions;
  /** The client of the last key: each key has a separate client. */
  private last: { readonly apiKey: string | undefined; readonly client: BedrockRuntimeClient } | undefined;

  constructor(options: SdkBedrockRuntimeOptions) {
    this.options = options;
  }

  async converse({ modelId, request, apiKey, signal }: BedrockCall): ReturnType<BedrockRuntime['converse']> {
    const { ConverseCommand } = await import('./bedrock.ts');
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
    const { ConverseStreamCommand } = await import('./bedrock.ts');
    try {
      const client = await this.clientFor(apiKey);
      const command = new ConverseStreamCommand({ ...(request as ConverseCommandInput), modelId });
      const { $metadata, stream } = await client.send(command, { abortSignal: signal });
      return { requestId: $metadata.requestId ?? '', events: readEvents(stream ?? noEvents()) };
    } catch (error) {
      throw toFailure(error);
    }
  }

  /** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html */
  async invoke({ modelId, body, apiKey, signal }: BedrockInvokeCall): ReturnType<BedrockRuntime['invoke']> {
    const { InvokeModelCommand } = await import('./bedrock.ts');
    try {
      const client = await this.clientFor(apiKey);
      const command = new InvokeModelCommand({ modelId, contentType: JSON_TYPE, accept: JSON_TYPE, body });
      let count: string | undefined;
      // The SDK's output has no headers.
      command.middlewareStack.add(
        (next) => async (input) => {
          const result = await next(input);
          count = (result.response as { headers?: Readonly<Record<string, string>> }).headers?.[INPUT_TOKENS];
          return result;
        },
        { step: 'deserialize', name: 'readInputTokens', priority: 'high' },
      );
      const { $metadata, body: answer } = await client.send(command, { abortSignal: signal });
      const inputTokens = /^\d{1,12}$/.test(count ?? '') ? Number(count) : undefined;
      return { requestId: $metadata.requestId ?? '', text: UTF8.decode(answer), inputTokens };
    } catch (error) {
      throw toFailure(error);
    }
  }

  async invokeStream({ modelId, body, apiKey, signal }: BedrockInvokeCall): ReturnType<BedrockRuntime['invokeStream']> {
    const { InvokeModelWithResponseStreamCommand } = await import('./bedrock.ts');
    try {
      const client = await this.clientFor(apiKey);
      const fields = { modelId, contentType: JSON_TYPE, accept: JSON_TYPE, body };
      const command = new InvokeModelWithResponseStreamCommand(fields);
      const { $metadata, body: events } = await client.send(command, { abortSignal: signal });
      return { requestId: $metadata.requestId ?? '', events: readTexts(readEvents(events ?? noEvents())) };
    } catch (error) {
      throw toFailure(error);
    }
  }

  private async send(request: HttpRequest): Promise<HttpResponse> {
    const { toEndpoint } = await import('./bedrock.ts');
    try {
      return await this.options.http.send(await toEndpoint(await this.clientFor(undefined), request));
    } catch (error) {
      throw error instanceof GatewayError ? error : toFailure(error);
    }
  }

  private async clientFor(apiKey: string | undefined): Promise<BedrockRuntimeClient> {
    if (this.last === undefined || this.last.apiKey !== apiKey) {
      const { createBedrockClient } = await import('./bedrock.ts');
      this.last = { apiKey, client: createBedrockClient(this.clientOptions(), apiKey) };
    }
    return this.last.client;
  }

  private clientOptions() {
    const { region, endpoint, credentials, headTimeoutMs } = this.options;
    return {
      ...(region !== undefined && { region }),
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials !== undefined && { credentials }),
      http: new ModelHttp(this.options),
      timeoutMs: headTimeoutMs,
      retries: TRY_ONCE,
    };
  }
}

type ModelHttpOptions = Pick<SdkBedrockRuntimeOptions, 'http' | 'headTimeoutMs' | 'idleTimeoutMs' | 'errorBodyMs'>;

/** Model calls with the gateway's HTTP client. */
class ModelHttp implements HttpClient {
  private readonly options: ModelHttpOptions;

  constructor(options: ModelHttpOptions) {
    this.options = options;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { http, headTimeoutMs, idleTimeoutMs, errorBodyMs = ERROR_BODY_MS } = this.options;
    const response = await http.send({ ...request, once: false, headTimeoutMs, idleTimeoutMs });
    const { status, headers } = response;
    const body = status < 400 ? response.body : untilLate(response.body, errorBodyMs);
    const isStream = status < 400 && request.url.endsWith('-stream');
    // The pipeline reads the JSON of InvokeModel within its own bounds.
    const isChat = !request.url.endsWith('/invoke');
    const bounded = isStream ? boundFrames(body, status) : boundWhole(body, { isChat, status });
    return { status, headers, body: readBody(bounded, status) };
  }
}

const UTF8 = new TextDecoder();
const JSON_TYPE = 'application/json';

/** The bytes of a response. A response that breaks off is reported differently from a call that failed: it was produced and is billed. */
async function* readBody(body: AsyncIterable<Uint8Array>, status: number): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
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

/** The JSON in the chunks of InvokeModel. */
async function* readTexts(events: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const event of events) {
    const bytes = (event as { chunk?: { bytes?: Uint8Array } }).chunk?.bytes;
    if (bytes !== undefined) yield UTF8.decode(bytes);
  }
}

async function* noEvents(): AsyncGenerator<unknown> {}

/** The fields of an SDK error that are read: other errors may quote a response. */
interface SdkError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly $fault?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
  readonly $response?: { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string>> };
}

function toFailure(error: unknown): HttpFailure | BedrockFailure {
  if (error instanceof HttpFailure || error instanceof BedrockFailure) return error;
  const { name, message, $fault, $metadata, $response } = error as SdkError;
  // The SDK's own error when the caller's signal aborts the call.
  if (name === 'AbortError') return new HttpFailure('aborted', true);
  const exception = typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'unknown';
  // Only texts of AWS exceptions are meant to be read.
  const text = $fault !== undefined && typeof message === 'string' ? message : '';
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  const retryAfter = $response?.headers?.['retry-after'];
  return new BedrockFailure(exception, text, status, { retryAfter, requestId: $metadata?.requestId });
}
