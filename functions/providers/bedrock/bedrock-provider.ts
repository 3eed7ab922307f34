import { CHAT_PROTOCOLS } from '../../core/protocols/protocol.ts';
import {
  BedrockFailure,
  type BedrockRuntime,
  type ChatCall,
  type ChatProvider,
  type ProviderResponse,
} from '../../core/routing/provider.ts';
import { modelPath } from '../../core/routing/route-model.ts';
import { toProviderFailure } from '../provider-failures.ts';
import { requestIdOf } from '../upstream-head.ts';
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

/** Amazon Bedrock: every request is translated to Converse, and every response back. */
export class BedrockProvider implements ChatProvider {
  readonly name = 'bedrock';
  readonly serves = CHAT_PROTOCOLS;
  readonly keyless: boolean;
  private readonly options: BedrockProviderOptions;

  constructor(options: BedrockProviderOptions) {
    this.keyless = options.keyless;
    this.options = options;
  }

  async complete({ request, model, signal, onHead }: ChatCall): Promise<ProviderResponse> {
    const { runtime, keyless } = this.options;
    const apiKey = (await this.options.apiKey()) || undefined;
    if (!keyless && apiKey === undefined) throw notConfigured('no credentials configured');
    const call = { modelId: modelPath(model), request: toConverseRequest(request, model), apiKey, signal };
    const received = (id: string | undefined) => onHead?.({ requestId: requestIdOf(id, apiKey), rateLimits: {} });
    try {
      if (!request.stream) {
        const response = await runtime.converse(call);
        received(response.requestId);
        return { kind: 'translated', completion: fromConverse(response, model) };
      }
      const stream = await runtime.converseStream(call);
      received(stream.requestId);
      return { kind: 'translated-stream', deltas: readConverseStream(stream, { model, apiKey }) };
    } catch (error) {
      if (error instanceof BedrockFailure) received(error.requestId);
      throw error instanceof BedrockFailure
        ? toBedrockError(error, model, apiKey)
        : toProviderFailure(this.name, error);
    }
  }
}
