import type { GatewayError } from '../../core/base/errors.ts';
import type { EmbeddingsRequest } from '../../core/protocols/openai-embeddings/embeddings-schema.ts';
import { CHAT_PROTOCOLS, type ProtocolName } from '../../core/protocols/protocol.ts';
import {
  BedrockFailure,
  type BedrockRuntime,
  type ChatCall,
  type ChatProvider,
  type ProviderResponse,
} from '../../core/routing/provider.ts';
import { modelPath } from '../../core/routing/route-model.ts';
import { toProviderFailure } from '../provider-failures.ts';
import { invokeEmbeddings, toEmbeddingCalls } from './bedrock-embeddings.ts';
import { notConfigured, toBedrockError } from './bedrock-errors.ts';
import { fromConverse, readConverseStream } from './from-converse.ts';
import { toConverseRequest } from './to-converse-request.ts';

export interface BedrockProviderOptions {
  readonly runtime: BedrockRuntime;
  /** Whether AWS credentials are available to sign calls. */
  readonly keyless: boolean;
  /** A Bedrock API key, which takes precedence. Read at every call, so that a rotated key takes effect immediately. */
  readonly apiKey: () => Promise<string | undefined>;
}

/** Amazon Bedrock: chats are translated to Converse, embeddings to InvokeModel, and every response back. */
export class BedrockProvider implements ChatProvider {
  readonly name = 'bedrock';
  readonly serves: ReadonlySet<ProtocolName> = new Set<ProtocolName>([...CHAT_PROTOCOLS, 'openai-embeddings']);
  readonly keyless: boolean;
  private readonly options: BedrockProviderOptions;

  constructor(options: BedrockProviderOptions) {
    this.keyless = options.keyless;
    this.options = options;
  }

  async complete({ protocol, source, request, model, translation, signal }: ChatCall): Promise<ProviderResponse> {
    const { runtime, keyless } = this.options;
    const apiKey = (await this.options.apiKey()) || undefined;
    if (!keyless && apiKey === undefined) throw notConfigured('no credentials configured');
    const toError = (error: unknown) => toGatewayError(error, model, apiKey);
    const to = { modelId: modelPath(model), apiKey, signal };
    if (protocol === 'openai-embeddings') {
      const body = source.value as EmbeddingsRequest;
      const calls = toEmbeddingCalls(body, model);
      try {
        return { kind: 'native', body: await invokeEmbeddings(calls, body, { ...to, runtime }, toError) };
      } catch (error) {
        throw toError(error);
      }
    }
    const call = { ...to, request: toConverseRequest(request, model, translation) };
    try {
      if (!request.stream) return { kind: 'translated', completion: fromConverse(await runtime.converse(call), model) };
      return { kind: 'translated-stream', deltas: readConverseStream(await runtime.converseStream(call), model) };
    } catch (error) {
      throw toError(error);
    }
  }
}

function toGatewayError(error: unknown, model: string, apiKey: string | undefined): GatewayError {
  return error instanceof BedrockFailure ? toBedrockError(error, model, apiKey) : toProviderFailure('bedrock', error);
}
