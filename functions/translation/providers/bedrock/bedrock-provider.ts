import type { GatewayError } from '../../../kernel/errors/index.ts';
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
import { toProviderFailure } from '../provider-failures.ts';
import { requestIdOf } from '../upstream-head.ts';
import { invokeEmbeddings, toEmbeddingCalls } from './bedrock-embeddings.ts';
import { type ConverseCall, notConfigured, toBedrockError } from './bedrock-errors.ts';
import { fromConverse, readConverseStream } from './from-converse.ts';
import { toConverseRequest } from './to-converse-request.ts';

export interface BedrockProviderOptions {
  readonly name: string;
  /** Where an operator sets the key, for errors. */
  readonly keyVariable: string;
  readonly runtime: BedrockRuntime;
  /** Whether AWS credentials are available to sign calls. */
  readonly keyless: boolean;
  /** A Bedrock API key, which takes precedence. Read at every call, so that a rotated key takes effect immediately. */
  readonly apiKey: (call?: Pick<ChatCall, 'apiKey'>) => Promise<string | undefined>;
}

/** Amazon Bedrock: chats are translated to Converse, embeddings to InvokeModel, and every response back. */
export class BedrockProvider implements ChatProvider {
  readonly name: string;
  readonly protocol = 'bedrock';
  readonly serves: ReadonlySet<OperationName> = new Set<OperationName>([...CHAT_PROTOCOLS, 'openai-embeddings']);
  readonly keyless: boolean;
  private readonly options: BedrockProviderOptions;

  constructor(options: BedrockProviderOptions) {
    this.name = options.name;
    this.keyless = options.keyless;
    this.options = options;
  }

  complete(call: ChatCall): Promise<ProviderResponse> {
    return withFittedNames(call, CONVERSE_NAMES, (fitted) => this.ask(fitted));
  }

  private async ask(call: ChatCall): Promise<ProviderResponse> {
    const { operation, source, request, model, translation, signal, onHead } = call;
    const { runtime, keyless, keyVariable } = this.options;
    const apiKey = (await this.options.apiKey(call)) || undefined;
    const upstream = { provider: this.name, keyVariable, model, apiKey };
    if (!keyless && apiKey === undefined)
      throw notConfigured(upstream, 'neither an API key nor a region with AWS credentials is set');
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
    const received = (id: string | undefined) => onHead?.({ requestId: requestIdOf(id, apiKey), rateLimits: {} });
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

function toGatewayError(error: unknown, call: ConverseCall): GatewayError {
  return error instanceof BedrockFailure ? toBedrockError(error, call) : toProviderFailure(call.provider, error);
}
