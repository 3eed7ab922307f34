import type { GatewayError } from '../../../kernel/errors/index.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../../../kernel/http/index.ts';
import type { EmbeddingsRequest } from '../../protocols/openai-embeddings/embeddings-schema.ts';
import { CHAT_PROTOCOLS, type OperationName } from '../../protocols/protocol.ts';
import {
  BedrockFailure,
  type BedrockRuntime,
  type ChatCall,
  type ChatProvider,
  modelPath,
  type ProviderResponse,
} from '../../routing/index.ts';
import { CONVERSE_NAMES, withFittedNames } from '../fit-names.ts';
import { OpenAiProvider, type OpenAiProviderOptions } from '../openai/openai-provider.ts';
import { OPENAI_DIALECT } from '../openai/to-openai-request.ts';
import { toProviderFailure } from '../provider-failures.ts';
import { requestIdOf } from '../upstream-head.ts';
import { invokeEmbeddings, toEmbeddingCalls } from './bedrock-embeddings.ts';
import { type ConverseCall, notConfigured, toBedrockError } from './bedrock-errors.ts';
import { fromConverse, readConverseStream } from './from-converse.ts';
import { isRefusedFeature, readInvokeStream } from './native-messages.ts';
import { hasOpenAiApi, hasRefusedTools, OPENAI_PATH, STORED } from './openai-models.ts';
import { signsReasoning } from './plain-reasoning.ts';
import { toConverseRequest } from './to-converse-request.ts';
import { goesToInvoke, toInvokeBody } from './to-invoke-body.ts';

export interface BedrockProviderOptions extends Pick<OpenAiProviderOptions, 'headTimeoutMs' | 'idleTimeoutMs'> {
  readonly name: string;
  /** Where an operator sets the key, for errors. */
  readonly keyVariable: string;
  readonly runtime: BedrockRuntime;
  /** Whether AWS credentials are available to sign calls. */
  readonly keyless: boolean;
  /** A Bedrock API key, which takes precedence. Read at every call, so that a rotated key takes effect immediately. */
  readonly apiKey: (call?: Pick<ChatCall, 'apiKey'>) => Promise<string | undefined>;
}

/**
 * Amazon Bedrock. Requests of the Messages API go to Claude by InvokeModel, and those of OpenAI's APIs to the models that have them there, unchanged;
 * other chats are translated to Converse, embeddings to InvokeModel, and every response back.
 */
export class BedrockProvider implements ChatProvider {
  readonly name: string;
  readonly protocol = 'bedrock';
  readonly serves: ReadonlySet<OperationName> = new Set<OperationName>([
    ...CHAT_PROTOCOLS,
    'openai-embeddings',
    ...STORED,
  ]);
  readonly keyless: boolean;
  private readonly options: BedrockProviderOptions;
  private readonly openAi: OpenAiProvider;

  constructor(options: BedrockProviderOptions) {
    this.name = options.name;
    this.keyless = options.keyless;
    this.options = options;
    const http: HttpClient = { send: (request) => this.sendSigned(request) };
    this.openAi = new OpenAiProvider({
      ...options,
      ...{ http, dialect: OPENAI_DIALECT, keyless: true, baseUrl: OPENAI_PATH },
    });
  }

  isNative(operation: OperationName, model: string): boolean {
    return hasOpenAiApi(operation, model);
  }

  signs(model: string, call: Pick<ChatCall, 'operation' | 'source'>): boolean {
    return signsReasoning(model) && !goesToInvoke(model, call);
  }

  async complete(call: ChatCall): Promise<ProviderResponse> {
    if (this.isNative(call.operation, call.model) && !hasRefusedTools(call)) {
      await this.upstreamOf(call);
      return this.openAi.complete(call);
    }
    const body = toInvokeBody(call);
    const native = body === undefined ? undefined : await this.invoke(call, body);
    return native ?? withFittedNames(call, CONVERSE_NAMES, (fitted) => this.ask(fitted));
  }

  /** The model's own response; undefined if it lacks a feature that Converse translates. */
  private async invoke(call: ChatCall, body: string): Promise<ProviderResponse | undefined> {
    const { model, signal, request } = call;
    const upstream = await this.upstreamOf(call);
    const to = { modelId: modelPath(model), apiKey: upstream.apiKey, signal, body };
    const received = receiverOf(call, upstream.apiKey);
    try {
      if (!request.stream) {
        const { requestId, text } = await this.options.runtime.invoke(to);
        received(requestId);
        return { kind: 'native', body: text };
      }
      const { requestId, events } = await this.options.runtime.invokeStream(to);
      received(requestId);
      return { kind: 'native-stream', chunks: readInvokeStream(events, upstream) };
    } catch (error) {
      if (isRefusedFeature(error)) return undefined;
      if (error instanceof BedrockFailure) received(error.requestId);
      throw toGatewayError(error, upstream);
    }
  }

  /** @throws GatewayError without credentials to sign with */
  private async sendSigned(request: HttpRequest): Promise<HttpResponse> {
    const { name: provider, keyVariable, runtime } = this.options;
    try {
      return await runtime.http.send(request);
    } catch (error) {
      throw toGatewayError(error, { provider, keyVariable, model: '', apiKey: undefined });
    }
  }

  /** @throws GatewayError without a key or credentials */
  private async upstreamOf(call: ChatCall): Promise<ConverseCall> {
    const { keyless, keyVariable } = this.options;
    const apiKey = (await this.options.apiKey(call)) || undefined;
    const upstream = { provider: this.name, keyVariable, model: call.model, apiKey };
    if (keyless || apiKey !== undefined) return upstream;
    throw notConfigured(upstream, 'neither an API key nor a region with AWS credentials is set');
  }

  private async ask(call: ChatCall): Promise<ProviderResponse> {
    const { operation, source, request, model, translation, signal } = call;
    const { runtime } = this.options;
    const upstream = await this.upstreamOf(call);
    const { apiKey } = upstream;
    const toError = (error: unknown) => toGatewayError(error, upstream);
    const to = { modelId: modelPath(model), apiKey, signal };
    if (operation === 'openai-embeddings') {
      const body = source.value as EmbeddingsRequest;
      const calls = toEmbeddingCalls(body, model, translation);
      try {
        return {
          kind: 'native',
          body: await invokeEmbeddings(calls, body, { ...to, runtime, provider: this.name }, toError),
        };
      } catch (error) {
        throw toError(error);
      }
    }
    const converse = { ...to, request: toConverseRequest(request, model, translation) };
    const received = receiverOf(call, apiKey);
    try {
      if (!request.stream) {
        const response = await runtime.converse(converse);
        received(response.requestId);
        return { kind: 'translated', completion: fromConverse(response, upstream, translation) };
      }
      const stream = await runtime.converseStream(converse);
      received(stream.requestId);
      return { kind: 'translated-stream', deltas: readConverseStream(stream, upstream, translation) };
    } catch (error) {
      if (error instanceof BedrockFailure) received(error.requestId);
      throw toError(error);
    }
  }
}

function receiverOf({ onHead }: ChatCall, apiKey: string | undefined) {
  return (id: string | undefined) => onHead?.({ requestId: requestIdOf(id, apiKey), rateLimits: {} });
}

function toGatewayError(error: unknown, call: ConverseCall): GatewayError {
  return error instanceof BedrockFailure ? toBedrockError(error, call) : toProviderFailure(call.provider, error);
}
